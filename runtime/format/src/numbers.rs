//! The numbers that turn texels into lengths and times, wherever a set keeps them.

use std::borrow::Cow;

use crate::{ClipEntry, Layout, Manifest, Metadata, Range, TextureSet, column, p0};
use throng_rig::LoopPolicy;

/// When the frames of a clip are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClipTiming {
    /// Counted through all clips.
    pub first_frame: u32,
    /// Both ends among them.
    pub frames: u32,
    /// Frames a second.
    pub rate_hz: f64,
    /// How long it is.
    pub duration_secs: f64,
    /// What happens at its end.
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

/// Times and ranges of a set.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbers<'s> {
    /// One a clip.
    pub clips: Vec<ClipTiming>,
    /// Of offsets, positions or dual parts; as many as the layout has.
    pub ranges: Cow<'s, [Range]>,
    /// Of the scales of bones.
    pub scale_range: Option<Cow<'s, Range>>,
    /// Of the weights of morphs.
    pub morph_range: Option<Cow<'s, Range>>,
}

impl<'s> Numbers<'s> {
    /// As the manifest says.
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

    /// From where the set says that they are: its texels, if they hold them.
    pub fn of(set: &'s TextureSet) -> Self {
        let manifest = set.manifest();
        let told = Self::of_manifest(manifest);
        match manifest.metadata {
            Metadata::Manifest => told,
            Metadata::Column => {
                let count = column::value_count(told.clips.len(), told.all_ranges());
                let values = column::read(&set.textures()[0], count);
                column::numbers_from_values(&values, told)
            }
            Metadata::P0Column => Self {
                ranges: Cow::Owned(p0::read_boxes(&set.textures()[0], manifest)),
                ..told
            },
        }
    }

    /// The range of a bone: its own, or that of all.
    pub fn range(&self, bone: usize) -> Option<&Range> {
        match &self.ranges[..] {
            [] => None,
            [all] => Some(all),
            each => each.get(bone),
        }
    }

    /// All ranges in a row.
    pub(crate) fn all_ranges(&self) -> impl Iterator<Item = &Range> {
        let ranges = self.ranges.iter();
        ranges
            .chain(self.scale_range.as_deref())
            .chain(self.morph_range.as_deref())
    }
}
