//! What a bake costs and what it loses: `report.json`.

use serde::{Deserialize, Serialize};
use throng_format::{Encoding, Storage, TexelFormat, TextureSet};
use throng_rig::Character;

use super::report::ErrorReport;

/// Frames a second that bytes a joint a frame are told for, whatever the rate of the bake.
const FRAMES_A_SECOND: f64 = 30.0;

/// What a set is, what it costs and how far it is off.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BakeReport {
    /// The character's name.
    pub name: String,
    /// What was baked: a path or a built-in.
    pub source: String,
    /// What texels stand for.
    pub encoding: Encoding,
    /// Frames at a precision, or compressed curves.
    #[serde(flatten)]
    pub storage: Storage,
    /// How it is skinned.
    pub method: String,
    /// The highest rate of the clips.
    pub rate_hz: f64,
    /// Frames of all clips.
    pub frames: u32,
    /// Influences that a vertex of the set has at most.
    pub influences: usize,
    /// Influences that a vertex of the source has at most.
    pub source_influences: usize,
    /// Texels with their padding, and ranges.
    pub gpu_bytes: u64,
    /// All files; none where there are no files yet.
    pub disk_bytes: Option<u64>,
    /// GPU bytes for each joint that moves vertices and each thirtieth of a second.
    pub bytes_per_joint_frame: f64,
    /// What there is of texels.
    pub textures: Vec<TextureReport>,
    /// How far off it is.
    #[serde(flatten)]
    pub error: ErrorReport,
}

/// A texture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TextureReport {
    /// What it holds.
    pub name: String,
    /// How a texel is stored.
    pub texels: TexelFormat,
    /// Texels in a row.
    pub width: u32,
    /// Rows in a layer.
    pub height: u32,
    /// Layers.
    pub layers: u32,
    /// What it takes on a GPU.
    pub gpu_bytes: u64,
}

impl BakeReport {
    /// Joins what the set says of itself with what was measured. The bytes on disk are for those to fill
    /// in who know the files.
    pub fn new(set: &TextureSet, source: &Character, error: ErrorReport) -> Self {
        let manifest = set.manifest();
        let rates = manifest.clips.iter().map(|clip| clip.rate_hz);
        let durations = manifest.clips.iter().map(|clip| clip.duration_secs);
        let gpu_bytes = set.gpu_bytes();
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
            rate_hz: rates.fold(0.0, f64::max),
            frames: set.frames(),
            influences: max_influences(set.model()),
            source_influences: max_influences(source),
            gpu_bytes,
            disk_bytes: None,
            bytes_per_joint_frame: bytes_per_joint_frame(gpu_bytes, error.joints, durations),
            textures: textures.collect(),
            error,
        }
    }
}

fn max_influences(character: &Character) -> usize {
    let parts = character.parts().iter();
    let influences = parts.map(|p| character.mesh_of(p).influences().max_per_vertex());
    influences.max().unwrap_or(0)
}

/// GPU bytes ÷ (joints that move vertices × seconds of all clips × 30); a clip counts as one frame at
/// least. Zero where no joint moves anything.
pub fn bytes_per_joint_frame(
    gpu_bytes: u64,
    joints: usize,
    durations_secs: impl Iterator<Item = f64>,
) -> f64 {
    let frames: f64 = durations_secs
        .map(|secs| secs.max(1.0 / FRAMES_A_SECOND) * FRAMES_A_SECOND)
        .sum();
    let joint_frames = joints as f64 * frames;
    if joint_frames > 0.0 {
        gpu_bytes as f64 / joint_frames
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_shared_among_joints_and_thirtieths_of_a_second() {
        // 10 joints over 2 s and over a clip that has no length: 610 joint frames.
        let bytes = bytes_per_joint_frame(1220, 10, [2.0, 0.0].into_iter());
        assert!((bytes - 2.0).abs() < 1e-12);
        assert_eq!(bytes_per_joint_frame(1000, 0, [1.0].into_iter()), 0.0);
    }
}
