//! The translations that are checked in, so that reviews show a change of a shader in every language.

use super::{Language, TranslateError, function_library, translate, translate_functions};
use crate::{
    BoneKind, Bones, Deform, InfluenceSource, InterpolationKind, Joints, Morphs, PaletteSource,
    Pass, Shader, SkinMethod, TexelKind, deform_shader, fill_palette_shader, palette_functions,
    pose_joints_shader, vertex_functions,
};

/// A file in the folder `generated`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedFile {
    /// `LANGUAGE/NAME.STAGE.EXTENSION`.
    pub path: String,
    /// Content.
    pub text: String,
}

/// Encodings whose functions for engines are checked in.
const WITH_FUNCTIONS: [&str; 4] = ["bone-qt", "vertex", "vertex-curves", "bone-local"];

/// Returns the libraries that packages for engines embed, `LANGUAGE.json` each.
pub fn generated_libraries() -> Result<Vec<GeneratedFile>, TranslateError> {
    [Language::Glsl, Language::Wgsl]
        .into_iter()
        .map(|language| {
            Ok(GeneratedFile {
                path: format!("{language}.json"),
                text: function_library(language)?.to_json() + "\n",
            })
        })
        .collect()
}

/// Functions for engines of typical variants, in GLSL and WGSL.
fn functions() -> Result<Vec<GeneratedFile>, TranslateError> {
    let is_chosen = |name: &str| WITH_FUNCTIONS.contains(&name);
    let vertices = deforms()
        .into_iter()
        .filter(|(name, _)| is_chosen(name))
        .filter_map(|(name, deform)| Some((name, vertex_functions(deform)?)));
    let palette = palette_functions(PaletteSource::Curves);
    let mut files = Vec::new();
    for (name, functions) in vertices.chain([("bone-local-palette", palette)]) {
        for language in [Language::Glsl, Language::Wgsl] {
            files.push(GeneratedFile {
                path: format!("{language}/{name}.functions.{}", language.extension()),
                text: translate_functions(&functions, language)?,
            });
        }
    }
    Ok(files)
}

/// Translates one typical variant of each encoding to each language but WGSL, and the functions of some to GLSL and WGSL.
pub fn generated() -> Result<Vec<GeneratedFile>, TranslateError> {
    let mut files = functions()?;
    for language in [Language::Glsl, Language::Hlsl, Language::Msl] {
        for (name, shader, entry_point) in entries() {
            let is_compute = entry_point == "pose_joints";
            if is_compute && language == Language::Glsl {
                continue;
            }
            let stage = match entry_point {
                _ if is_compute => "comp",
                _ if entry_point.ends_with("_vertex") => "vert",
                _ => "frag",
            };
            let extension = language.extension();
            files.push(GeneratedFile {
                path: format!("{language}/{name}.{stage}.{extension}"),
                text: translate(&shader, entry_point, language)?,
            });
        }
    }
    Ok(files)
}

fn entries() -> Vec<(&'static str, Shader, &'static str)> {
    let mut entries: Vec<_> = deforms()
        .into_iter()
        .map(|(name, deform)| (name, deform_shader(deform, Pass::Draw), "draw_vertex"))
        .collect();
    // The fragment shader is the same for all encodings.
    let draw = deform_shader(Deform::Static, Pass::Draw);
    let fill = fill_palette_shader(PaletteSource::Curves);
    entries.push(("draw", draw, "draw_fragment"));
    entries.push(("bone-local-palette", fill.clone(), "fill_palette_vertex"));
    entries.push(("bone-local-palette", fill, "fill_palette_fragment"));
    entries.push(("bone-local-joints", pose_joints_shader(), "pose_joints"));
    entries
}

/// Techniques by the names of encodings and presets.
fn deforms() -> [(&'static str, Deform); 14] {
    use InterpolationKind::{Linear, Nlerp};
    use TexelKind::{Bytes, Float, Pairs, Uint};
    let bones = |kind, texels, interpolation| {
        Joints::Bones(Bones {
            kind,
            texels,
            interpolation,
        })
    };
    let skinned = |joints, method, morphs| Deform::Skinned {
        joints,
        influences: InfluenceSource::Attributes,
        method,
        morphs,
    };
    let planes = |kind, texels, influences| Deform::Skinned {
        joints: bones(kind, texels, Linear),
        influences,
        method: SkinMethod::Lbs,
        morphs: Morphs::None,
    };
    let lbs = |joints| skinned(joints, SkinMethod::Lbs, Morphs::None);
    let vertices = |is_ray| Deform::Vertices {
        texels: Uint,
        normals: Bytes,
        is_ray,
        is_octahedral: true,
    };
    let rotation = bones(BoneKind::Rotation, Uint, Nlerp);
    let dual = bones(BoneKind::Dual, Pairs, Nlerp);
    [
        ("bone-matrix", lbs(bones(BoneKind::Rows, Pairs, Linear))),
        ("p0-matrix8", lbs(bones(BoneKind::Columns, Float, Linear))),
        ("bone-dq", skinned(dual, SkinMethod::Dqs, Morphs::None)),
        ("bone-qt", lbs(rotation)),
        ("bone-qt-scaled", lbs(bones(BoneKind::Scaled, Uint, Nlerp))),
        (
            "bone-qt-morphs",
            skinned(rotation, SkinMethod::Lbs, Morphs::Set(Uint)),
        ),
        (
            "p3-virtual-bones",
            planes(BoneKind::Planes, Float, InfluenceSource::Colors),
        ),
        (
            "p3-virtual-bones-single",
            planes(BoneKind::Planes, Float, InfluenceSource::SingleColor),
        ),
        (
            "p3-virtual-bones-split",
            planes(BoneKind::SplitPlanes, Uint, InfluenceSource::Colors),
        ),
        ("vertex", vertices(false)),
        ("vertex-ray", vertices(true)),
        ("vertex-curves", Deform::VertexCurves),
        ("bone-local", lbs(Joints::Palette)),
        (
            "bone-local-dqs",
            skinned(Joints::Palette, SkinMethod::Dqs, Morphs::None),
        ),
    ]
}
