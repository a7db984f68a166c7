//! `vertex` as compressed curves: one curve per unique position and one per unique normal.

use super::VertexPose;
use super::joint_curves::Moment;
use crate::curves::Words;
use crate::{TextureSet, VertexCurveLayout};
use glam::Vec3;

/// Decodes all vertices of the set at a time.
pub(super) fn vertices(
    set: &TextureSet,
    layout: &VertexCurveLayout,
    clip: usize,
    time_secs: f64,
    out: &mut VertexPose,
) {
    let words = Words::of(&set.textures()[layout.texture]);
    let curves = layout.positions + layout.normals;
    let moment = Moment::find(
        words,
        layout.clip_table,
        curves,
        clip as u32,
        time_secs as f32,
    );
    let center = Vec3::from_array(layout.center);
    out.offsets.clear();
    out.offsets.extend(
        (0..layout.positions)
            .map(|curve| (center + layout.scale * moment.vector(words, curve)).as_dvec3()),
    );
    out.normals.clear();
    out.normals.extend((layout.positions..curves).map(|curve| {
        moment
            .vector(words, curve)
            .as_dvec3()
            .normalize_or(glam::DVec3::Y)
    }));
}
