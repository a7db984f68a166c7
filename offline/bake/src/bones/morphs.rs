//! Morph weights of bone sets.

use throng_format::{MorphLayout, Range};
use throng_rig::{Character, LocalPose};

use super::{BoneFrames, format_of};
use crate::atlas::{Atlas, Contents};
use crate::bones::code::unit_in;
use crate::plan::BakePlan;
use crate::range::RangeBuilder;
use crate::{BakeError, BakeSettings};

/// True where some frame's weights differ from the rest pose.
pub(super) fn weights_move(character: &Character, frames: &BoneFrames, plan: &BakePlan) -> bool {
    let clips = plan.clips.iter();
    if frames.morphs == 0
        || clips
            .clone()
            .all(|c| character.clips()[c.clip].morphs().is_empty())
    {
        return false;
    }
    let rest = LocalPose::rest(character).morph_weights;
    let mut weights = frames.morph_weights.chunks_exact(frames.morphs);
    weights.any(|weights| weights != rest)
}

/// Returns the range of weights; one component per weight.
pub(super) fn range(frames: &BoneFrames) -> Range {
    let mut builder = RangeBuilder::new(frames.morphs);
    for weights in frames.morph_weights.chunks_exact(frames.morphs) {
        builder.add(weights);
    }
    builder.build()
}

/// Encodes the weights of every frame.
pub(super) fn bake(
    frames: &BoneFrames,
    range: Option<Range>,
    plan: &BakePlan,
    settings: &BakeSettings,
) -> Result<(MorphLayout, Atlas), BakeError> {
    let contents = Contents {
        name: "morphs",
        format: format_of(settings.precision()),
        items: frames.morphs.div_ceil(4) as u32,
        metadata_rows: 0,
    };
    let mut atlas = Atlas::rows(contents, plan, settings)?;
    atlas.grid.texture = 1;
    let mut numbers = Vec::new();
    for (frame, weights) in frames.morph_weights.chunks_exact(frames.morphs).enumerate() {
        let units = weights.iter().enumerate();
        numbers.clear();
        numbers.extend(units.map(|(n, &weight)| unit_in(weight, range.as_ref(), n)));
        atlas.put_frame(frame as u32, &numbers);
    }
    let layout = MorphLayout {
        grid: atlas.grid.clone(),
        weights: frames.morphs as u32,
        range,
    };
    Ok((layout, atlas))
}
