//! Files of the shaders that read a set.

use crate::vertex_out::VertexOutputs;
use crate::{Deform, InfluenceSource};

/// File that binds the description of a set. Constants can replace it.
pub(crate) const SET_INFO: &str = "source/set_info";

/// File that binds tables as a texture. A uniform block or constants can replace it.
pub(crate) const TABLES: &str = "source/tables_texture";

/// File that reads timing and ranges from tables. A reader of the first column can replace it.
pub(crate) const METADATA: &str = "source/metadata_tables";

/// Files of every shader that reads a set.
pub(crate) const SET: &[&str] = &[
    "lib/quat",
    "lib/affine",
    "lib/dual_quat",
    "lib/words",
    "lib/divide",
    "lib/fades",
    "lib/tangents_none",
    "lib/max_influences",
    "lib/time",
    "lib/grid",
    "lib/bits",
    "lib/tables",
    "lib/codec",
    "lib/curves",
    "lib/joint",
    "lib/set_info",
    "lib/frame",
    "lib/octahedron",
    "lib/vertex",
    "lib/instance",
    "source/frame",
    SET_INFO,
    TABLES,
    METADATA,
    "source/set",
];

/// Comment that says in which format textures are uploaded.
pub(crate) fn uploads(textures: &[(u32, &str)]) -> String {
    let lines = textures
        .iter()
        .map(|(binding, upload)| format!("// Group 1, binding {binding}: {upload}.\n"));
    let text: String = lines.collect();
    match text.is_empty() {
        true => text,
        false => text + "\n",
    }
}

/// Files of a shader that draws.
pub(crate) fn drawing_files(deform: Deform, outputs: VertexOutputs) -> Vec<&'static str> {
    let mut files = SET.to_vec();
    if outputs.tangent {
        replace(&mut files, "lib/tangents_none", "lib/tangents");
    }
    files.extend(deform.files());
    files.push("source/vertex_in");
    files.extend(deform.influences().files());
    files.push(match outputs.tangent {
        true => "source/tangent_in",
        false => "source/tangent_none",
    });
    if outputs.previous_clip_position {
        files.push("source/instances");
        files.push(match deform {
            Deform::Static => "source/previous_static",
            _ => "source/previous",
        });
    }
    files
}

fn replace(files: &mut [&'static str], from: &str, to: &'static str) {
    for file in files.iter_mut().filter(|file| **file == from) {
        *file = to;
    }
}

/// Attributes of joints and weights.
const JOINTS_AND_WEIGHTS: &str = "    // Four influences, heaviest first: see `BindVertex`.
    @location(4) joints: vec4<u32>,
    @location(5) weights: vec4<f32>,
";

/// Attributes that take their locations in P3's form.
const BONES_AND_WEIGHT_UVS: &str = "    // `COLOR_0`: four bone indices, divided by 255.
    @location(4) bone_color: vec4<f32>,
    // `TEXCOORD_1`: the place of the vertex in the texture of weights.
    @location(5) weight_uv: vec2<f32>,
";

/// Declares the attributes of influences, and leaves attributes out that the shader does not read.
pub(crate) fn vertex_in(source: String, outputs: VertexOutputs, deform: Deform) -> String {
    let mut source = source;
    if deform.influences() != InfluenceSource::Attributes {
        source = source.replace(JOINTS_AND_WEIGHTS, BONES_AND_WEIGHT_UVS);
    }
    if !outputs.tangent {
        source = source.replace("    @location(13) tangent: vec4<f32>,\n", "");
    }
    if !(outputs.previous_clip_position && deform == Deform::Static) {
        source = source.replace("    @location(14) previous_position: vec4<f32>,\n", "");
    }
    source
}
