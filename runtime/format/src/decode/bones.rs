//! Frames of bones in model space and of morph weights.

use glam::DAffine3;

use super::bone_sample::BoneSample;
use super::frame::{BoneFrame, Frame, in_range};
use super::{BonePose, ClipTime, FramePair};
use crate::{
    BoneEntry, BoneLayout, DecodeParams, FrameInterpolation, FrameOrder, Grid, TextureSet,
};

/// Decodes all bones at a time of a clip.
pub(super) fn bones(set: &TextureSet, layout: &BoneLayout, time: ClipTime, out: &mut BonePose) {
    let params = DecodeParams::of(set);
    let between = BonesBetween::new(set, layout, &params, time);
    for (index, bone) in layout.bones.iter().enumerate() {
        let sample = between.sample(index);
        out.model_from_joint[bone.joint] = model_from_joint(set, bone, sample.to_affine());
    }
}

/// Decodes all bones in both clips and cross-fades them.
pub(super) fn fade_bones(
    set: &TextureSet,
    layout: &BoneLayout,
    times: [ClipTime; 2],
    weight: f64,
    out: &mut BonePose,
) {
    let params = DecodeParams::of(set);
    let [from, to] = times.map(|time| BonesBetween::new(set, layout, &params, time));
    for (index, bone) in layout.bones.iter().enumerate() {
        let faded =
            from.sample(index)
                .fade(&to.sample(index), weight, set.manifest().interpolation);
        out.model_from_joint[bone.joint] = model_from_joint(set, bone, faded.to_affine());
    }
}

/// Bones of a layout at a time of a clip.
struct BonesBetween<'s> {
    layout: &'s BoneLayout,
    params: &'s DecodeParams<'s>,
    frames: [BoneFrame<'s>; 2],
    fraction: f64,
    interpolation: FrameInterpolation,
}

impl<'s> BonesBetween<'s> {
    fn new(
        set: &'s TextureSet,
        layout: &'s BoneLayout,
        params: &'s DecodeParams<'s>,
        (clip, time_secs): ClipTime,
    ) -> Self {
        let pair = FramePair::of(&params.clips[clip], time_secs);
        Self {
            layout,
            params,
            frames: [pair.first, pair.second].map(|frame| bone_frame(set, layout, frame)),
            fraction: pair.fraction,
            interpolation: set.manifest().interpolation,
        }
    }

    fn sample(&self, index: usize) -> BoneSample {
        let [from, to] = self
            .frames
            .map(|frame| BoneSample::read(&frame, self.layout, self.params, index));
        from.mix(&to, self.fraction, self.interpolation)
    }
}

/// The texels of all bones at a frame, counted across all clips.
fn bone_frame<'s>(set: &'s TextureSet, layout: &'s BoneLayout, frame: u32) -> BoneFrame<'s> {
    let of = |grid: &'s Grid| Frame::new(set.texture_of(grid), grid, frame);
    BoneFrame {
        frame: of(&layout.grid),
        positions: layout.positions.as_ref().map(of),
    }
}

/// Transform of a joint in metres, from the decoded transform of its bone.
fn model_from_joint(set: &TextureSet, bone: &BoneEntry, texels: DAffine3) -> DAffine3 {
    let mut out = bone.model_from_joint(texels);
    out.translation *= set.manifest().axes.metres_per_unit;
    out
}

/// Decodes the joints at a frame, counted across all clips. Joints without texels are left unchanged.
pub fn frame_bones(
    set: &TextureSet,
    layout: &BoneLayout,
    frame: u32,
    model_from_joint: &mut [DAffine3],
) {
    let bones = bones_of(set, layout, bone_frame(set, layout, frame));
    for (bone, transform) in layout.bones.iter().zip(bones) {
        model_from_joint[bone.joint] = transform;
    }
}

/// Decodes each bone of the layout at a frame.
fn bones_of<'a>(
    set: &'a TextureSet,
    layout: &'a BoneLayout,
    frame: BoneFrame<'a>,
) -> impl Iterator<Item = DAffine3> + 'a {
    let params = DecodeParams::of(set);
    layout.bones.iter().enumerate().map(move |(index, bone)| {
        let sample = BoneSample::read(&frame, layout, &params, index);
        model_from_joint(set, bone, sample.to_affine())
    })
}

/// Bind pose, one transform per bone of the layout; `None` where the set has no rest row.
pub fn rest_row(set: &TextureSet, layout: &BoneLayout) -> Option<Vec<DAffine3>> {
    if !layout.rest_row || layout.grid.order != FrameOrder::Rows {
        return None;
    }
    let grid = above_first_frame(&layout.grid)?;
    let positions = match &layout.positions {
        Some(grid) => Some(above_first_frame(grid)?),
        None => None,
    };
    let frame = BoneFrame {
        frame: Frame::new(set.texture_of(&grid), &grid, 0),
        positions: positions
            .as_ref()
            .map(|grid| Frame::new(set.texture_of(grid), grid, 0)),
    };
    Some(bones_of(set, layout, frame).collect())
}

/// The grid whose first frame is in the rows above the first frame of another; `None` where there are no such rows.
fn above_first_frame(grid: &Grid) -> Option<Grid> {
    Some(Grid {
        first_row: grid.first_row.checked_sub(grid.rows_per_frame)?,
        ..grid.clone()
    })
}

/// Decodes morph weights, where clips animate them. They are interpolated linearly in every encoding.
pub(super) fn morphs(set: &TextureSet, (clip, time_secs): ClipTime, out: &mut BonePose) {
    let Some(layout) = &set.manifest().morphs else {
        return;
    };
    let params = DecodeParams::of(set);
    let pair = FramePair::of(&params.clips[clip], time_secs);
    let texture = set.texture_of(&layout.grid);
    let first = Frame::new(texture, &layout.grid, pair.first);
    let second = Frame::new(texture, &layout.grid, pair.second);
    let range = params.morph_range.as_deref();
    for (weight, n) in out.morph_weights.iter_mut().zip(0..layout.weights) {
        let (from, to) = (first.unit(n), second.unit(n));
        let mixed = from + (to - from) * pair.fraction;
        *weight = in_range(mixed, range, n as usize);
    }
}
