//! Offsets of single vertices.

use glam::{DVec3, Vec3};

use super::frame::Frame;
use super::joint_curves::Moment;
use super::vertices::{vertex_offset, vertex_ray};
use super::{ClipTime, FramePair};
use crate::curves::Words;
use crate::{DecodeParams, Encoding, Layout, Range, TextureSet, VertexCurveLayout, VertexLayout};

/// Offsets of a vertex set at one time, decoded one by one.
#[derive(Debug, Clone)]
pub struct VertexOffsets<'s>(Storage<'s>);

#[derive(Debug, Clone)]
enum Storage<'s> {
    Frames(OffsetFrames<'s>),
    Curves(OffsetCurves<'s>),
}

impl<'s> VertexOffsets<'s> {
    /// Locates a time, in seconds from the start of the clip, clamped to the clip.
    ///
    /// # Panics
    /// If the set holds bones.
    pub fn at(set: &'s TextureSet, clip: usize, time_secs: f64) -> Self {
        let time = (clip, time_secs);
        Self(match &set.manifest().layout {
            Layout::Vertices(layout) => {
                Storage::Frames(OffsetFrames::new(set, layout, &DecodeParams::of(set), time))
            }
            Layout::VertexCurves(layout) => Storage::Curves(OffsetCurves::new(set, layout, time)),
            Layout::Bones(_) | Layout::JointCurves(_) => panic!("a bone set has no vertices"),
        })
    }

    /// Offset of a unique position from the rest pose, in metres. Unique positions are counted over all parts.
    pub fn offset(&self, item: u32) -> DVec3 {
        match &self.0 {
            Storage::Frames(frames) => frames.offset(item),
            Storage::Curves(curves) => curves.offset(item),
        }
    }
}

/// Offsets between two frames.
#[derive(Debug, Clone)]
pub(super) struct OffsetFrames<'s> {
    frames: [Frame<'s>; 2],
    pub pair: FramePair,
    read: fn(&Frame<'_>, u32, Option<&Range>) -> DVec3,
    range: Option<Range>,
    metres_per_unit: f64,
}

impl<'s> OffsetFrames<'s> {
    pub fn new(
        set: &'s TextureSet,
        layout: &'s VertexLayout,
        params: &DecodeParams<'_>,
        (clip, time_secs): ClipTime,
    ) -> Self {
        let pair = FramePair::of(&params.clips[clip], time_secs);
        let texture = set.texture_of(&layout.positions);
        Self {
            frames: [pair.first, pair.second]
                .map(|frame| Frame::new(texture, &layout.positions, frame)),
            pair,
            read: match set.manifest().encoding {
                Encoding::VertexRay => vertex_ray,
                _ => vertex_offset,
            },
            range: params.range(0).cloned(),
            metres_per_unit: set.manifest().axes.metres_per_unit,
        }
    }

    pub fn offset(&self, item: u32) -> DVec3 {
        let [from, to] =
            [0, 1].map(|end| (self.read)(&self.frames[end], item, self.range.as_ref()));
        from.lerp(to, self.pair.fraction) * self.metres_per_unit
    }
}

/// Offsets of compressed curves.
#[derive(Debug, Clone)]
pub(super) struct OffsetCurves<'s> {
    pub words: Words<'s>,
    pub moment: Moment,
    center: Vec3,
    scale: f32,
}

impl<'s> OffsetCurves<'s> {
    pub fn new(
        set: &'s TextureSet,
        layout: &VertexCurveLayout,
        (clip, time_secs): ClipTime,
    ) -> Self {
        let words = Words::of(&set.textures()[layout.texture]);
        let curves = layout.positions + layout.normals;
        let (clip, time_secs) = (clip as u32, time_secs as f32);
        Self {
            words,
            moment: Moment::find(words, layout.clip_table, curves, clip, time_secs),
            center: Vec3::from_array(layout.center),
            scale: layout.scale,
        }
    }

    pub fn offset(&self, item: u32) -> DVec3 {
        (self.center + self.scale * self.moment.vector(self.words, item)).as_dvec3()
    }
}
