//! Frames of vertices: offsets from the rest pose, and normals.

use glam::{DVec2, DVec3};

use super::VertexPose;
use super::frame::{Frame, in_range};
use super::vertex_offsets::OffsetFrames;
use crate::{DecodeParams, NormalCode, Range, TextureSet, VertexLayout};

/// Decodes all vertices of the set at a time.
pub(super) fn vertices(
    set: &TextureSet,
    layout: &VertexLayout,
    clip: usize,
    time_secs: f64,
    out: &mut VertexPose,
) {
    let offsets = OffsetFrames::new(set, layout, &DecodeParams::of(set), (clip, time_secs));
    out.offsets.clear();
    out.offsets
        .extend((0..layout.positions.items).map(|item| offsets.offset(item)));
    let pair = offsets.pair;
    let texture = set.texture_of(&layout.normals);
    let [first, second] =
        [pair.first, pair.second].map(|frame| Frame::new(texture, &layout.normals, frame));
    let code = layout.normal_code;
    out.normals.clear();
    out.normals.extend((0..layout.normals.items).map(|item| {
        let (from, to) = (normal(&first, item, code), normal(&second, item, code));
        let fallback = match code {
            NormalCode::Xyz => DVec3::Y,
            NormalCode::Octahedral => from,
        };
        from.lerp(to, pair.fraction).normalize_or(fallback)
    }));
}

/// Reads an offset, quantised in a box or as floats.
pub fn vertex_offset(frame: &Frame<'_>, item: u32, range: Option<&Range>) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|axis| in_range(frame.signed(item, axis), range, axis)))
}

/// Reads an offset stored as direction and length in an ellipsoid, whose radii are the half extents of the range.
pub fn vertex_ray(frame: &Frame<'_>, item: u32, range: Option<&Range>) -> DVec3 {
    let direction = DVec3::from_array([0, 1, 2].map(|axis| frame.signed(item, axis)));
    let ray = direction.normalize_or_zero() * frame.channel(item, 3);
    DVec3::from_array([0, 1, 2].map(|axis| in_range(ray[axis], range, axis)))
}

/// Reads the normal of one frame. `Xyz` is returned as stored, of unit length except for rounding.
fn normal(frame: &Frame<'_>, item: u32, code: NormalCode) -> DVec3 {
    let channel = |channel| frame.signed(item, channel);
    match code {
        NormalCode::Xyz => DVec3::new(channel(0), channel(1), channel(2)),
        NormalCode::Octahedral => {
            let vector = vector_from_octahedron(DVec2::new(channel(0), channel(1)));
            vector.normalize_or(DVec3::Y)
        }
    }
}

/// Direction of an octahedral mapping, whose coordinates are from -1 to 1. The result is not normalised.
pub fn vector_from_octahedron(p: DVec2) -> DVec3 {
    let z = 1.0 - p.x.abs() - p.y.abs();
    let fold = (-z).max(0.0);
    DVec3::new(p.x - fold.copysign(p.x), p.y - fold.copysign(p.y), z)
}

/// Octahedral mapping of a direction: +Z in the centre, -Z in the corners.
pub fn octahedron_from_vector(v: DVec3) -> DVec2 {
    let sum = v.x.abs() + v.y.abs() + v.z.abs();
    if sum == 0.0 {
        return DVec2::ZERO;
    }
    let p = DVec2::new(v.x, v.y) / sum;
    if v.z >= 0.0 {
        return p;
    }
    DVec2::new(
        (1.0 - p.y.abs()).copysign(p.x),
        (1.0 - p.x.abs()).copysign(p.y),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octahedral_mapping_round_trips() {
        for x in -4..=4 {
            for y in -4..=4 {
                for z in -4..=4 {
                    let v = DVec3::new(x.into(), y.into(), z.into());
                    let Some(v) = v.try_normalize() else { continue };
                    let p = octahedron_from_vector(v);
                    assert!(p.abs().max_element() <= 1.0);
                    let back = vector_from_octahedron(p).normalize();
                    assert!(back.abs_diff_eq(v, 1e-12), "{v} {p} {back}");
                }
            }
        }
    }
}
