//! `vertex` as compressed curves: one curve per unique position and one per unique normal.

use glam::DVec3;

use super::VertexPose;
use super::vertex_offsets::OffsetCurves;
use crate::{TextureSet, VertexCurveLayout};

/// Decodes all vertices of the set at a time.
pub(super) fn vertices(
    set: &TextureSet,
    layout: &VertexCurveLayout,
    clip: usize,
    time_secs: f64,
    out: &mut VertexPose,
) {
    let offsets = OffsetCurves::new(set, layout, (clip, time_secs));
    out.offsets.clear();
    out.offsets
        .extend((0..layout.positions).map(|curve| offsets.offset(curve)));
    let OffsetCurves { words, moment, .. } = offsets;
    let normals = layout.positions..layout.positions + layout.normals;
    out.normals.clear();
    out.normals.extend(normals.map(|curve| {
        let normal = moment.vector(words, curve).as_dvec3();
        normal.normalize_or(DVec3::Y)
    }));
}
