//! Cost and error of a bake: `report.json`.

use serde::{Deserialize, Serialize};
use throng_format::{Encoding, Layout, PixelError, Storage, TexelFormat, TextureSet};
use throng_rig::{Character, Skin, Skinning};

use super::report::ErrorReport;

/// Frames per second in the unit bytes per joint per frame. It does not depend on the rate of the bake.
const FRAMES_PER_SEC: f64 = 30.0;

/// Bytes of an inverse bind matrix: three rows of four floats.
const INVERSE_BIND_BYTES: u64 = 48;

/// Settings, cost and error of a set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BakeReport {
    /// Name of the character.
    pub name: String,
    /// Path or built-in name of the source.
    pub source: String,
    /// Encoding of the set.
    pub encoding: Encoding,
    /// Frames at a precision, or compressed curves.
    #[serde(flatten)]
    pub storage: Storage,
    /// Skinning method, or `as-authored`.
    pub method: String,
    /// Methods that the meshes use, each once: `lbs`, `dqs`, …; `blend` where a mesh has a deform factor per vertex.
    pub mesh_methods: Vec<String>,
    /// Highest sample rate of the clips.
    pub rate_hz: f64,
    /// Number of frames of all clips.
    pub frames: u32,
    /// Most influences of any vertex of the set.
    pub influences: usize,
    /// Most influences of any vertex of the source.
    pub source_influences: usize,
    /// GPU bytes: texels with their padding, and ranges.
    pub gpu_bytes: u64,
    /// Bytes of all files; `None` where there are no files yet.
    pub disk_bytes: Option<u64>,
    /// Bytes of the inverse bind matrices that a bone set needs beside its textures; 0 for vertex sets.
    pub inverse_bind_bytes: u64,
    /// GPU bytes and inverse bind matrices, per joint that moves vertices per 1/30 s.
    pub bytes_per_joint_frame: f64,
    /// Textures of the set.
    pub textures: Vec<TextureReport>,
    /// Levels of detail below the full mesh, finest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lods: Vec<LodReport>,
    /// Error against the source.
    #[serde(flatten)]
    pub error: ErrorReport,
}

/// A texture of the set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TextureReport {
    /// Name of the texture.
    pub name: String,
    /// Texel format.
    pub texels: TexelFormat,
    /// Texels per row.
    pub width: u32,
    /// Rows per layer.
    pub height: u32,
    /// Number of layers.
    pub layers: u32,
    /// GPU bytes of the texture.
    pub gpu_bytes: u64,
}

/// A level of detail of the set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LodReport {
    /// Number of triangles of all parts.
    pub triangles: u32,
    /// Number of vertices that the triangles use.
    pub vertices: usize,
    /// Most influences per vertex.
    pub max_influences: u32,
    /// Largest distance from the full mesh over all times of all clips, in millimetres.
    pub max_error_mm: f64,
    /// The same in per cent of the size.
    pub max_error_percent: f64,
    /// View depth from which on this error and that of the set are together below half a pixel, for [`PixelError::default`],
    /// in metres.
    pub from_distance_m: f64,
}

impl LodReport {
    /// Levels of a set, whose largest error is `set_error_of_size`.
    pub fn of_set(set: &TextureSet, set_error_of_size: f64) -> Vec<Self> {
        let manifest = set.manifest();
        let lods = manifest.lods.iter().zip(&set.mesh().lods);
        let report = lods.map(|(lod, triangles)| {
            let vertices = set.model().parts().iter().map(|part| {
                let mut corners = triangles.meshes[part.mesh].as_flattened().to_vec();
                corners.sort_unstable();
                corners.dedup();
                corners.len()
            });
            let error_m = lod.max_error_of_size * manifest.size;
            let all_m = error_m + set_error_of_size * manifest.size;
            Self {
                triangles: lod.triangles,
                vertices: vertices.sum(),
                max_influences: lod.max_influences,
                max_error_mm: 1e3 * error_m,
                max_error_percent: 1e2 * lod.max_error_of_size,
                from_distance_m: PixelError::default().distance_m(all_m),
            }
        });
        report.collect()
    }
}

impl BakeReport {
    /// Joins facts from the set with measured errors. `disk_bytes` is left for the caller, who knows the files.
    pub fn new(set: &TextureSet, source: &Character, error: ErrorReport) -> Self {
        let manifest = set.manifest();
        let rates = manifest.clips.iter().map(|clip| clip.rate_hz);
        let durations = manifest.clips.iter().map(|clip| clip.duration_secs);
        let gpu_bytes = set.gpu_bytes();
        let palette_indices: usize = set.model().skins().iter().map(Skin::len).sum();
        let inverse_bind_bytes = match &manifest.layout {
            Layout::Vertices(_) | Layout::VertexCurves(_) => 0,
            // Bind poses are in the texture.
            Layout::Bones(layout) if layout.rest_row => 0,
            Layout::Bones(_) | Layout::JointCurves(_) => {
                INVERSE_BIND_BYTES * palette_indices as u64
            }
        };
        let bytes = gpu_bytes + inverse_bind_bytes;
        let textures = manifest.textures.iter().zip(set.textures());
        let textures = textures.map(|(entry, texture)| TextureReport {
            name: entry.name.clone(),
            texels: entry.texels,
            width: entry.width,
            height: entry.height,
            layers: entry.layers,
            gpu_bytes: texture.gpu_bytes(),
        });
        Self {
            name: manifest.name.clone(),
            source: manifest.source.path.clone(),
            encoding: manifest.encoding,
            storage: manifest.storage(),
            method: manifest.method.to_string(),
            mesh_methods: mesh_methods(set.model(), manifest.method),
            rate_hz: rates.fold(0.0, f64::max),
            frames: set.frames(),
            influences: max_influences(set.model()),
            source_influences: max_influences(source),
            gpu_bytes,
            disk_bytes: None,
            inverse_bind_bytes,
            bytes_per_joint_frame: bytes_per_joint_frame(bytes, error.joints, durations),
            textures: textures.collect(),
            lods: LodReport::of_set(set, error.errors.overall.max_error_of_size),
            error,
        }
    }
}

fn mesh_methods(model: &Character, skinning: Skinning) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for part in model.parts() {
        let method = skinning.method_of_mesh(model.mesh_of(part));
        let name = method.map_or("blend".into(), |method| method.to_string());
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn max_influences(character: &Character) -> usize {
    let parts = character.parts().iter();
    let influences = parts.map(|p| character.mesh_of(p).influences().max_per_vertex());
    influences.max().unwrap_or(0)
}

/// Returns bytes ÷ (joints that move vertices × seconds of all clips × 30). A clip counts as at least 1/30 s. Zero where no
/// joint moves vertices.
pub fn bytes_per_joint_frame(
    bytes: u64,
    joints: usize,
    durations_secs: impl Iterator<Item = f64>,
) -> f64 {
    let frames: f64 = durations_secs
        .map(|secs| secs.max(1.0 / FRAMES_PER_SEC) * FRAMES_PER_SEC)
        .sum();
    let joint_frames = joints as f64 * frames;
    if joint_frames > 0.0 {
        bytes as f64 / joint_frames
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_divided_by_joints_and_thirtieths_of_a_second() {
        // 10 joints over 2 s, and over a clip without duration: 610 joint frames.
        let bytes = bytes_per_joint_frame(1220, 10, [2.0, 0.0].into_iter());
        assert!((bytes - 2.0).abs() < 1e-12);
        assert_eq!(bytes_per_joint_frame(1000, 0, [1.0].into_iter()), 0.0);
    }
}
