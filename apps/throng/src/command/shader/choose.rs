//! Which shader is meant, where no set says it.

use throng_bake::Preset;
use throng_format::{Encoding, FrameInterpolation, Precision, Storage};
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
    let (encoding, code, storage) = layout(args)?;
    let morphs = |texels| match args.morphs {
        true => Morphs::Set(texels),
        false => Morphs::None,
    };
    if encoding.is_vertex() {
        return Ok(Choice {
            deforms: vec![vertices(args, encoding, storage)?],
            palette: None,
        });
    }
    let method = method(args)?;
    let (joints, palette, morphs) = match code {
        Some(code) => {
            let texels = texels(storage.frame_precision());
            let bones = Bones {
                kind: code,
                texels: match (code, texels) {
                    (BoneKind::Rows | BoneKind::Dual | BoneKind::Axes, TexelKind::Uint) => {
                        TexelKind::Pairs
                    }
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
            // Morph weights beside compressed curves are unorm16.
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
fn layout(args: &ShaderArgs) -> Result<(Encoding, Option<BoneKind>, Storage), CommandError> {
    if let Some(preset) = args.preset {
        return Ok(match preset {
            Preset::P0Vertex8 => (Encoding::Vertex, None, Precision::Unorm8.into()),
            Preset::P0Matrix8 => (
                Encoding::BoneMatrix,
                Some(BoneKind::Columns),
                Precision::Unorm8.into(),
            ),
            Preset::P0Dq8 => (
                Encoding::BoneDq,
                Some(BoneKind::Dual),
                Precision::Unorm8.into(),
            ),
            Preset::P3VirtualBones => (
                Encoding::VirtualBones,
                Some(BoneKind::Axes),
                Precision::F32.into(),
            ),
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
    let code = match encoding {
        Encoding::Vertex | Encoding::VertexRay | Encoding::BoneLocal => None,
        Encoding::BoneMatrix => Some(BoneKind::Rows),
        Encoding::BoneDq => Some(BoneKind::Dual),
        Encoding::BoneQt if args.scaled => Some(BoneKind::Scaled),
        Encoding::BoneQt => Some(BoneKind::Rotation),
        Encoding::VirtualBones => Some(BoneKind::Axes),
    };
    args.storage.check().map_err(CommandError::Usage)?;
    let storage = args.storage.of(encoding);
    let layout = storage.layout();
    if !encoding.layouts().contains(&layout) {
        let known: Vec<&str> = encoding
            .layouts()
            .iter()
            .map(|known| known.name())
            .collect();
        return usage(format!(
            "{encoding} does not support the {layout} layout; expected {}",
            known.join(" or ")
        ));
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
    Ok((encoding, code, storage))
}

/// What the device gives of a texel.
fn texels(precision: Precision) -> TexelKind {
    match precision {
        Precision::Unorm16 => TexelKind::Uint,
        Precision::Unorm8 | Precision::F16 | Precision::F32 => TexelKind::Float,
    }
}

fn vertices(
    args: &ShaderArgs,
    encoding: Encoding,
    storage: Storage,
) -> Result<Deform, CommandError> {
    if args.method.is_some() || args.morphs {
        return usage(format!(
            "{encoding} sets are skinned and morphed when they are baked: leave --method and --morphs out"
        ));
    }
    let Storage::Frames(precision) = storage else {
        return Ok(Deform::VertexCurves);
    };
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
