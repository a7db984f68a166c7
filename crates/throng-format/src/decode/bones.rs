//! Bones in model space, and weights of morphs.

use glam::DAffine3;

use super::bone_sample::BoneSample;
use super::frame::{Frame, in_range};
use super::{BonePose, FramePair};
use crate::{BoneEntry, BoneLayout, FrameOrder, Grid, Numbers, TextureSet};

/// Interpolates each bone between its two frames; the caller weights them.
pub(super) fn bones(
    set: &TextureSet,
    layout: &BoneLayout,
    clip: usize,
    time_secs: f64,
    out: &mut BonePose,
) {
    let numbers = Numbers::of(set);
    let pair = FramePair::of(&numbers.clips[clip], time_secs);
    let texture = set.texture_of(&layout.grid);
    let first = Frame::new(texture, &layout.grid, pair.first);
    let second = Frame::new(texture, &layout.grid, pair.second);
    for (index, bone) in layout.bones.iter().enumerate() {
        let from = BoneSample::read(&first, layout, &numbers, index);
        let to = BoneSample::read(&second, layout, &numbers, index);
        let between = from.between(&to, pair.fraction, set.manifest().blend);
        out.model_from_joint[bone.joint] = model_from_joint(set, bone, between);
    }
    morph_weights(set, &numbers, pair, out);
}

/// A bone's transform in metres, with its scale.
fn model_from_joint(set: &TextureSet, bone: &BoneEntry, texels: DAffine3) -> DAffine3 {
    DAffine3 {
        matrix3: texels.matrix3 * bone.scale,
        translation: texels.translation * set.manifest().axes.metres_per_unit,
    }
}

/// Joints at a frame, counted through all clips; those that have no texels stay as they are.
pub fn frame_bones(
    set: &TextureSet,
    layout: &BoneLayout,
    frame: u32,
    model_from_joint: &mut [DAffine3],
) {
    let bones = bones_of(set, layout, &layout.grid, frame);
    for (bone, transform) in layout.bones.iter().zip(bones) {
        model_from_joint[bone.joint] = transform;
    }
}

/// The transform of each bone of the layout at a frame of a grid.
fn bones_of<'a>(
    set: &'a TextureSet,
    layout: &'a BoneLayout,
    grid: &'a Grid,
    frame: u32,
) -> impl Iterator<Item = DAffine3> + 'a {
    let numbers = Numbers::of(set);
    let frame = Frame::new(set.texture_of(grid), grid, frame);
    layout.bones.iter().enumerate().map(move |(index, bone)| {
        let sample = BoneSample::read(&frame, layout, &numbers, index);
        model_from_joint(set, bone, sample.to_affine())
    })
}

/// The pose that the mesh was bound in, one a bone of the layout, where the set has it in its rest row.
pub fn rest_row(set: &TextureSet, layout: &BoneLayout) -> Option<Vec<DAffine3>> {
    if !layout.rest_row || layout.grid.order != FrameOrder::Rows {
        return None;
    }
    let rest = Grid {
        first_row: layout
            .grid
            .first_row
            .checked_sub(layout.grid.rows_per_frame)?,
        ..layout.grid.clone()
    };
    Some(bones_of(set, layout, &rest, 0).collect())
}

/// Weights of morphs, where clips move them, beside bones in any encoding.
pub(super) fn morphs(set: &TextureSet, clip: usize, time_secs: f64, out: &mut BonePose) {
    let numbers = Numbers::of(set);
    let pair = FramePair::of(&numbers.clips[clip], time_secs);
    morph_weights(set, &numbers, pair, out);
}

/// Weights are interpolated as they are.
fn morph_weights(set: &TextureSet, numbers: &Numbers<'_>, pair: FramePair, out: &mut BonePose) {
    let Some(layout) = &set.manifest().morphs else {
        return;
    };
    let texture = set.texture_of(&layout.grid);
    let first = Frame::new(texture, &layout.grid, pair.first);
    let second = Frame::new(texture, &layout.grid, pair.second);
    let range = numbers.morph_range.as_deref();
    for (weight, n) in out.morph_weights.iter_mut().zip(0..layout.weights) {
        let (from, to) = (first.unit(n), second.unit(n));
        let mixed = from + (to - from) * pair.fraction;
        *weight = in_range(mixed, range, n as usize);
    }
}
