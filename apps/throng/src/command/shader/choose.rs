//! Which shader is meant, where no set says it.

use throng_bake::Preset;
use throng_format::{Encoding, FrameInterpolation, Precision};
use throng_shaders::{
    BoneKind, Bones, Deform, InterpolationKind, Joints, Morphs, PaletteSource, SkinMethod,
    TexelKind,
};
use throng_wgpu::{DecodePlace, method_kind};

use super::Choice;
use crate::cli::{DecodeChoice, ShaderArgs};
use crate::command::CommandError;

fn usage<T>(message: impl Into<String>) -> Result<T, CommandError> {
    Err(CommandError::Usage(message.into()))
}

/// What was typed as a way to move vertices.
pub fn by_arguments(args: &ShaderArgs, decode: DecodePlace) -> Result<Choice, CommandError> {
    let (encoding, code, precision) = layout(args)?;
    let morphs = |texels| match args.morphs {
        true => Morphs::Set(texels),
        false => Morphs::None,
    };
    if encoding.is_vertex() {
        return Ok(Choice {
            deforms: vec![vertices(args, encoding, precision)?],
            palette: None,
        });
    }
    let method = method(args)?;
    let (joints, palette, morphs) = match code {
        Some(code) => {
            let texels = texels(precision);
            let bones = Bones {
                kind: code,
                // Without a set at hand, texels stay where the file has them.
                texels: match (code, texels) {
                    (BoneKind::Rows | BoneKind::Dual, TexelKind::Uint) => TexelKind::Pairs,
                    _ => texels,
                },
                interpolation: interpolation(args.interpolate, encoding, code)?,
            };
            let (joints, palette) = match decode {
                DecodePlace::Direct => (Joints::Bones(bones), None),
                DecodePlace::Pass => (Joints::Palette, Some(PaletteSource::Bones(bones))),
            };
            (joints, palette, morphs(texels))
        }
        None => {
            // Weights of morphs beside packed curves are 16 bits.
            let palette = Some(PaletteSource::Curves);
            (Joints::Palette, palette, morphs(TexelKind::Uint))
        }
    };
    let deform = Deform::Skinned {
        joints,
        method,
        morphs,
    };
    Ok(Choice {
        deforms: vec![deform],
        palette,
    })
}

/// A palette is there where it was asked for, and the vertex shader decodes where that was.
pub fn check_decode(choice: &Choice, decode: Option<DecodeChoice>) -> Result<(), CommandError> {
    match (decode, choice.palette) {
        (Some(DecodeChoice::Vertex), Some(_)) => usage(
            "a joint of bone-local needs its parents, which a vertex shader cannot walk for each vertex: leave \
             --decode out",
        ),
        (Some(DecodeChoice::Palette), None) => {
            usage("vertex sets have no bones to decode: leave --decode out")
        }
        _ => Ok(()),
    }
}

/// Encoding, kind of bones where there are any in model space, and precision.
fn layout(args: &ShaderArgs) -> Result<(Encoding, Option<BoneKind>, Precision), CommandError> {
    if let Some(preset) = args.preset {
        return Ok(match preset {
            Preset::P0Vertex8 => (Encoding::Vertex, None, Precision::Unorm8),
            Preset::P0Matrix8 => (
                Encoding::BoneMatrix,
                Some(BoneKind::Columns),
                Precision::Unorm8,
            ),
            Preset::P0Dq8 => (Encoding::BoneDq, Some(BoneKind::Dual), Precision::Unorm8),
            Preset::P3VirtualBones => {
                (Encoding::VirtualBones, Some(BoneKind::Axes), Precision::F32)
            }
        });
    }
    let Some(encoding) = args.encoding else {
        return usage("name an encoding by --encoding, or a set by --constants");
    };
    if args.scaled && encoding != Encoding::BoneQt {
        return usage(format!(
            "only bone-qt has scale, not {encoding}: leave --scaled out"
        ));
    }
    let (code, known) = match encoding {
        Encoding::Vertex => (None, "unorm8, unorm16, f16, f32 or packed"),
        Encoding::VertexRay => (None, "unorm8, unorm16, f16 or f32"),
        Encoding::BoneLocal => (None, "packed"),
        Encoding::BoneMatrix => (Some(BoneKind::Rows), "unorm8, unorm16, f16 or f32"),
        Encoding::BoneDq => (Some(BoneKind::Dual), "unorm8, unorm16, f16 or f32"),
        Encoding::BoneQt if args.scaled => (Some(BoneKind::Scaled), "unorm8, unorm16, f16 or f32"),
        Encoding::BoneQt => (Some(BoneKind::Rotation), "unorm8, unorm16, f16 or f32"),
        Encoding::VirtualBones => (Some(BoneKind::Axes), "unorm8, unorm16, f16 or f32"),
    };
    let precision = args.precision.unwrap_or(match encoding {
        Encoding::BoneLocal => Precision::Packed,
        _ => Precision::Unorm16,
    });
    if !known.contains(precision.name()) {
        return usage(format!("{encoding} is stored as {known}, not {precision}"));
    }
    if code.is_none()
        && let Some(blend) = args
            .interpolate
            .filter(|&blend| blend != FrameInterpolation::Linear)
    {
        return usage(format!(
            "{encoding} has one way between frames, not {blend}: leave --interpolate out"
        ));
    }
    Ok((encoding, code, precision))
}

/// What the device gives of a texel.
fn texels(precision: Precision) -> TexelKind {
    match precision {
        Precision::Unorm16 | Precision::Packed => TexelKind::Uint,
        Precision::Unorm8 | Precision::F16 | Precision::F32 => TexelKind::Float,
    }
}

fn vertices(
    args: &ShaderArgs,
    encoding: Encoding,
    precision: Precision,
) -> Result<Deform, CommandError> {
    if args.method.is_some() || args.morphs {
        return usage(format!(
            "{encoding} sets are skinned and morphed when they are baked: leave --method and --morphs out"
        ));
    }
    if precision == Precision::Packed {
        return Ok(Deform::VertexCurves);
    }
    // Normals beside half floats are 16 bits.
    let is_octahedral = matches!(precision, Precision::Unorm16 | Precision::F16);
    Ok(Deform::Vertices {
        texels: texels(precision),
        normals: match is_octahedral {
            true => TexelKind::Bytes,
            false => TexelKind::Float,
        },
        is_ray: encoding == Encoding::VertexRay,
        is_octahedral,
    })
}

fn method(args: &ShaderArgs) -> Result<SkinMethod, CommandError> {
    let method = args.method.map_or(SkinMethod::Lbs, method_kind);
    if method.needs_palette() {
        return usage(format!(
            "{} takes its signs from a palette that the CPU makes, which no encoding has: choose --method dqs",
            method.name()
        ));
    }
    Ok(method)
}

fn interpolation(
    asked: Option<FrameInterpolation>,
    encoding: Encoding,
    code: BoneKind,
) -> Result<InterpolationKind, CommandError> {
    let name = |kind| match kind {
        InterpolationKind::Linear => FrameInterpolation::Linear,
        InterpolationKind::Nlerp => FrameInterpolation::Nlerp,
        InterpolationKind::Slerp => FrameInterpolation::Slerp,
        InterpolationKind::SlerpVertices => FrameInterpolation::SlerpVertices,
    };
    let offered = code.interpolations();
    let Some(asked) = asked else {
        return Ok(offered[0]);
    };
    match offered.iter().find(|&&kind| name(kind) == asked) {
        Some(&kind) => Ok(kind),
        None => {
            let known: Vec<_> = offered.iter().map(|&kind| name(kind).name()).collect();
            let known = known.join(" or ");
            usage(format!(
                "{encoding} is interpolated by {known}, not {asked}"
            ))
        }
    }
}
