//! Values that a set is decoded with: clip times and ranges, from the manifest or from the texels.

use std::borrow::Cow;

use crate::{ClipEntry, Layout, Manifest, Metadata, Range, TextureSet, column, p0};
use throng_rig::LoopPolicy;

/// Timing of a clip's frames.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClipTiming {
    /// First frame, counted across all clips.
    pub first_frame: u32,
    /// Number of frames, including both ends.
    pub frames: u32,
    /// Frames per second.
    pub rate_hz: f64,
    /// Duration in seconds.
    pub duration_secs: f64,
    /// Behaviour at the end of the clip.
    pub looping: LoopPolicy,
}

impl From<&ClipEntry> for ClipTiming {
    fn from(clip: &ClipEntry) -> Self {
        Self {
            first_frame: clip.first_frame,
            frames: clip.frames,
            rate_hz: clip.rate_hz,
            duration_secs: clip.duration_secs,
            looping: clip.looping,
        }
    }
}

/// Clip times and ranges of a set.
#[derive(Debug, Clone, PartialEq)]
pub struct DecodeParams<'s> {
    /// One per clip.
    pub clips: Vec<ClipTiming>,
    /// Ranges of offsets, positions or dual parts; as many as the layout has.
    pub ranges: Cow<'s, [Range]>,
    /// Range of bone scales.
    pub scale_range: Option<Cow<'s, Range>>,
    /// Range of morph weights.
    pub morph_range: Option<Cow<'s, Range>>,
}

impl<'s> DecodeParams<'s> {
    /// Values from the manifest.
    pub fn of_manifest(manifest: &'s Manifest) -> Self {
        let (ranges, scale_range) = match &manifest.layout {
            Layout::Vertices(layout) => (layout.range.as_slice(), None),
            Layout::Bones(layout) => (layout.ranges.as_slice(), layout.scale_range.as_ref()),
            Layout::JointCurves(_) | Layout::VertexCurves(_) => ([].as_slice(), None),
        };
        let morphs = manifest.morphs.as_ref();
        Self {
            clips: manifest.clips.iter().map(ClipTiming::from).collect(),
            ranges: Cow::Borrowed(ranges),
            scale_range: scale_range.map(Cow::Borrowed),
            morph_range: morphs
                .and_then(|morphs| morphs.range.as_ref())
                .map(Cow::Borrowed),
        }
    }

    /// Values from the location that the set names: the texels or the manifest.
    pub fn of(set: &'s TextureSet) -> Self {
        let manifest = set.manifest();
        let from_manifest = Self::of_manifest(manifest);
        match manifest.metadata {
            Metadata::Manifest => from_manifest,
            Metadata::Column => {
                let count =
                    column::value_count(from_manifest.clips.len(), from_manifest.all_ranges());
                let values = column::read(&set.textures()[0], count);
                column::params_from_values(&values, from_manifest)
            }
            Metadata::P0Column => Self {
                ranges: Cow::Owned(p0::read_boxes(&set.textures()[0], manifest)),
                ..from_manifest
            },
        }
    }

    /// Range of a bone: its own, or the one shared by all bones.
    pub fn range(&self, bone: usize) -> Option<&Range> {
        match &self.ranges[..] {
            [] => None,
            [all] => Some(all),
            each => each.get(bone),
        }
    }

    /// All ranges: positions, scales, morph weights.
    pub(crate) fn all_ranges(&self) -> impl Iterator<Item = &Range> {
        let ranges = self.ranges.iter();
        ranges
            .chain(self.scale_range.as_deref())
            .chain(self.morph_range.as_deref())
    }
}
