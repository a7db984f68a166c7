//! `vertex`, compressed in time: a curve for each true position and each true normal.

use super::VertexPose;
use super::joint_tracks::Moment;
use crate::tracks::Words;
use crate::{TextureSet, VertexCurveLayout};
use glam::Vec3;

/// All vertices of the set at a time.
pub(super) fn vertices(
    set: &TextureSet,
    layout: &VertexCurveLayout,
    clip: usize,
    time_secs: f64,
    out: &mut VertexPose,
) {
    let words = Words::of(&set.textures()[layout.texture]);
    let tracks = layout.positions + layout.normals;
    let moment = Moment::find(
        words,
        layout.clip_table,
        tracks,
        clip as u32,
        time_secs as f32,
    );
    let center = Vec3::from_array(layout.center);
    out.offsets.clear();
    out.offsets.extend(
        (0..layout.positions)
            .map(|track| (center + layout.scale * moment.vector(words, track)).as_dvec3()),
    );
    out.normals.clear();
    out.normals.extend((layout.positions..tracks).map(|track| {
        moment
            .vector(words, track)
            .as_dvec3()
            .normalize_or(glam::DVec3::Y)
    }));
}
