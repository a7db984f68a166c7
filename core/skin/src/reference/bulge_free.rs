//! Bulge-free dual-quaternion skinning (after Kim and Han, 2014).
//!
//! Dual quaternions rotate a vertex about the joint, so that the outside of a bend keeps its distance from the joint
//! and moves away from the bones. The vertex is pulled back to its distance from the bone. The paper takes one bone per
//! vertex, which is discontinuous where another becomes the heaviest; here bones share the pull by the squares of
//! their weights.

use glam::{DAffine3, DVec3};
use throng_rig::{BoneSegment, Palette};

/// Returns the offset that takes a skinned vertex back to its distances from bones. `stretched` is the vertex in bind
/// space after its stretch, `moved` the skinned one.
pub(super) fn pull(
    palette: &Palette,
    stretched: DVec3,
    moved: DVec3,
    influences: impl Iterator<Item = (usize, f64)> + Clone,
) -> DVec3 {
    let total: f64 = influences.clone().map(|(_, weight)| weight * weight).sum();
    let mut offset = DVec3::ZERO;
    for (joint, weight) in influences {
        let bone = palette.bones()[joint];
        let at_rest = place(&bone, |point| {
            palette.stretches()[joint].transform_point3(point)
        });
        let posed = place(&bone, |point| {
            palette.matrices()[joint].transform_point3(point)
        });
        let distance = stretched.distance(nearest(&at_rest, stretched));
        let onto = nearest(&posed, moved);
        let now = moved.distance(onto);
        if now > distance {
            offset += (onto - moved) * ((1.0 - distance / now) * weight * weight / total);
        }
    }
    offset
}

/// Adds an offset after a matrix.
pub(super) fn shifted(matrix: &DAffine3, offset: DVec3) -> DAffine3 {
    DAffine3 {
        matrix3: matrix.matrix3,
        translation: matrix.translation + offset,
    }
}

fn place(bone: &BoneSegment, transform: impl Fn(DVec3) -> DVec3) -> BoneSegment {
    BoneSegment {
        head: transform(bone.head),
        tail: transform(bone.tail),
    }
}

/// Returns the point of a bone that is nearest to a point.
fn nearest(bone: &BoneSegment, point: DVec3) -> DVec3 {
    let along = bone.tail - bone.head;
    let length_squared = along.length_squared();
    if length_squared == 0.0 {
        return bone.head;
    }
    let t = (point - bone.head).dot(along) / length_squared;
    bone.head + along * t.clamp(0.0, 1.0)
}
