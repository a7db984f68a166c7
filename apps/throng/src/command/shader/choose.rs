//! Choice of the shader by arguments, without a set.

use throng_bake::Preset;
use throng_format::{Encoding, FrameInterpolation, Precision, Storage};
use throng_shaders::{
    BoneKind, Bones, Deform, InfluenceSource, InterpolationKind, Joints, Morphs, PaletteSource,
    SkinMethod, TexelKind,
};
use throng_wgpu::{DecodeMode, shader_method};

use super::Choice;
use crate::cli::ShaderArgs;
use crate::command::CommandError;

fn usage<T>(message: impl Into<String>) -> Result<T, CommandError> {
    Err(CommandError::Usage(message.into()))
}

/// Resolves the arguments.
pub fn by_arguments(args: &ShaderArgs, decode: DecodeMode) -> Result<Choice, CommandError> {
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
                    // Axes of 16 bits, beside float positions.
                    (BoneKind::SplitPlanes, _) => TexelKind::Uint,
                    _ => texels,
                },
                interpolation: interpolation(args.interpolate, encoding, code)?,
            };
            let (joints, palette) = match decode {
                DecodeMode::Direct => (Joints::Bones(bones), None),
                DecodeMode::Pass => (Joints::Palette, Some(PaletteSource::Bones(bones))),
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
        influences: influences(args, code)?,
        method,
        morphs,
    };
    Ok(Choice {
        deforms: vec![deform],
        palette,
    })
}

/// Source of influences: vertex colours in the layouts of P3, which are skinned by matrices only.
fn influences(args: &ShaderArgs, code: Option<BoneKind>) -> Result<InfluenceSource, CommandError> {
    if !code.is_some_and(BoneKind::is_planes) {
        return match args.single_influence {
            true => usage("--single-influence applies to the presets of P3 only: leave it out"),
            false => Ok(InfluenceSource::Attributes),
        };
    }
    match args.method {
        Some(method) if method != SkinMethod::Lbs => usage(format!(
            "the presets of P3 are skinned by lbs, not by {}: leave --method out",
            method.name()
        )),
        _ if args.single_influence => Ok(InfluenceSource::SingleColor),
        _ => Ok(InfluenceSource::Colors),
    }
}

/// Refuses a `--decode` that the encoding does not have.
pub fn check_decode(choice: &Choice, decode: Option<DecodeMode>) -> Result<(), CommandError> {
    match (decode, choice.palette) {
        (Some(DecodeMode::Direct), Some(_)) => usage(
            "bone-local is decoded in a pass only, as each joint depends on its parents: leave --decode out",
        ),
        (Some(DecodeMode::Pass), None) => {
            usage("vertex encodings have no bones to decode: leave --decode out")
        }
        _ => Ok(()),
    }
}

/// Returns the encoding, the kind of bones (`None` for vertices and local joints), and the storage.
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
                Some(BoneKind::Planes),
                Precision::F32.into(),
            ),
            Preset::P3VirtualBonesSplit => (
                Encoding::VirtualBones,
                Some(BoneKind::SplitPlanes),
                Precision::F32.into(),
            ),
        });
    }
    let Some(encoding) = args.encoding else {
        return usage("no encoding: name one with --encoding, or a set with --constants");
    };
    if args.scaled && encoding != Encoding::BoneQt {
        return usage(format!(
            "--scaled applies to bone-qt only, not to {encoding}: leave --scaled out"
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
        && let Some(interpolation) = args
            .interpolate
            .filter(|&asked| asked != FrameInterpolation::Linear)
    {
        return usage(format!(
            "{encoding} does not support {interpolation}: leave --interpolate out"
        ));
    }
    Ok((encoding, code, storage))
}

/// Type of a texel in the shader.
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
            "{encoding} is skinned and morphed in the bake: leave --method and --morphs out"
        ));
    }
    let Storage::Frames(precision) = storage else {
        return Ok(Deform::VertexCurves);
    };
    // Normals beside f16 positions are unorm16.
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

/// Returns the method asked for, or that of the preset, or LBS.
fn method(args: &ShaderArgs) -> Result<SkinMethod, CommandError> {
    let preset = args.preset.and_then(Preset::method).map(shader_method);
    let method = args.method.or(preset).unwrap_or(SkinMethod::Lbs);
    if !method.has_shader() {
        return usage(format!(
            "no shader has the method {}: bake as vertex, whose shaders need no --method",
            method.name()
        ));
    }
    if method.needs_palette() {
        return usage(format!(
            "{} needs a palette made on the CPU, which no encoding has: choose --method dqs",
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
                "{encoding} does not support {asked}; expected {known}"
            ))
        }
    }
}
