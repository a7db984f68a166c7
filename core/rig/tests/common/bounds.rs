//! Bounds of rounding errors in float32.

use glam::{DMat3, DVec3, Vec3};
use throng_rig::{Character, Clip, Track};

/// Largest rounding error of a float32 near one: half the distance from 1 to the next number.
pub const ROUNDING: f64 = f32::EPSILON as f64 / 2.0;

/// Largest element of a matrix.
pub fn largest(matrix: &DMat3) -> f64 {
    matrix
        .to_cols_array()
        .into_iter()
        .map(f64::abs)
        .fold(0.0, f64::max)
}

/// Bounds of the numbers from the root to a joint, over all keys of the clip.
#[derive(Clone, Copy)]
pub struct ChainBounds {
    pub joints: f64,
    pub stretch: f64,
    pub length: f64,
}

pub fn chain_bounds(character: &Character, clip: &Clip) -> Vec<ChainBounds> {
    let mut bounds: Vec<ChainBounds> = Vec::new();
    for (index, joint) in character.skeleton().joints().iter().enumerate() {
        let rest = joint.parent_from_joint;
        let tracks = clip.joints().iter().find(|tracks| tracks.joint == index);
        let largest = |track: Option<&Track<Vec3>>, rest: DVec3| {
            // A spline exceeds its keys between them.
            let values = track.map_or(&[][..], Track::values).iter();
            values
                .map(|v| 2.0 * v.as_dvec3().length())
                .fold(rest.length(), f64::max)
        };
        let length = largest(
            tracks.and_then(|t| t.translation.as_ref()),
            rest.translation,
        );
        let stretch = largest(tracks.and_then(|t| t.scale.as_ref()), rest.scale);
        let parent = joint.parent.map_or(
            ChainBounds {
                joints: 0.0,
                stretch: 1.0,
                length: 0.0,
            },
            |parent: usize| bounds[parent],
        );
        bounds.push(ChainBounds {
            joints: parent.joints + 1.0,
            stretch: parent.stretch * stretch.max(1.0),
            length: parent.length + parent.stretch * length,
        });
    }
    bounds
}
