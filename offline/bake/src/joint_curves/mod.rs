//! `bone-local`: every joint in its parent's space, as compressed curves.

mod budgets;
mod channels;
mod local_rig;
mod samples;
mod segment;

use rayon::prelude::*;
use throng_format::curves::{JointRecord, RECORD_WORDS, SCALED_RECORD_WORDS, row_words};
use throng_format::{JointCurveLayout, Texture};
use throng_rig::{Character, CharacterPose, Clip, mrp_from_quat};

use crate::Sides;
use crate::curves::{Bases, ClipWords, CurveWriter, SegmentCurves};
use budgets::{Encoded, encode};
use channels::Channels;
use local_rig::LocalRig;
pub use samples::{ClipSpan, Cut};
use segment::SegmentContext;

/// Compresses the clips of one character one by one and assembles their texture.
#[derive(Debug)]
pub struct JointCompressor<'c> {
    character: &'c Character,
    spans: Vec<ClipSpan<'c>>,
    rig: LocalRig,
    channels: Channels,
    max_rate_hz: f64,
}

impl<'c> JointCompressor<'c> {
    /// Finds the channels that move. `max_error` is the largest error of a vertex in metres, `max_rate_hz` the most keys per
    /// second of a curve.
    pub fn new(
        character: &'c Character,
        clips: &[&'c Clip],
        max_error: f64,
        max_rate_hz: f64,
    ) -> Self {
        let mut pose = CharacterPose::rest(character);
        if let Some(clip) = clips.first() {
            pose.sample(character, clip, clip.start_secs());
        }
        let rig = LocalRig::new(character, &pose);
        let spans: Vec<ClipSpan<'_>> = clips.iter().map(|clip| ClipSpan::new(clip)).collect();
        let channels = Channels::find(character, &rig, &spans, max_error);
        Self {
            character,
            spans,
            rig,
            channels,
            max_rate_hz,
        }
    }

    /// Compresses a clip, given by its index in the clips of [`Self::new`]. `max_error` is the largest error of a vertex in
    /// metres. The clip is sampled `density` times as often as by default.
    pub fn compress(&self, clip: usize, max_error: f64, density: usize) -> CompressedClip {
        let context = SegmentContext {
            character: self.character,
            rig: &self.rig,
            channels: &self.channels,
            max_error,
        };
        compress_clip(context, &self.spans[clip], self.max_rate_hz, density)
    }

    /// Returns the texture of all clips, with no side longer than `max_side`; `None` where it would have too many words.
    pub fn assemble(
        &self,
        compressed: &[CompressedClip],
        max_side: u32,
        sides: Sides,
    ) -> Option<(Texture, JointCurveLayout)> {
        let mut writer = CurveWriter::new(compressed.len());
        let record_words = if self.channels.has_scale {
            SCALED_RECORD_WORDS
        } else {
            RECORD_WORDS
        };
        let clip_table = writer.clip_table();
        let (records, curves) = records(&self.rig, &self.channels);
        let joint_table = writer.push(records.iter().flat_map(|record| record.pack(record_words)));
        for (span, compressed) in self.spans.iter().zip(compressed) {
            writer.push_clip(&compressed.words(curves), span.clip.duration_secs());
        }
        let layout = JointCurveLayout {
            texture: 0,
            bones: self.rig.bones.clone(),
            clip_table,
            joint_table,
            record_words,
            curves,
        };
        let texture = writer.into_texture(max_side, sides == Sides::PowerOfTwo)?;
        Some((texture, layout))
    }
}

/// A compressed clip.
#[derive(Debug, Clone)]
pub struct CompressedClip {
    segment_secs: f64,
    segments: Vec<SegmentCurves>,
    /// Bits of keys and headers.
    bits: usize,
    /// Largest error of a vertex, as a part of the maximum error.
    worst: f64,
}

impl CompressedClip {
    fn words(&self, curves: u32) -> ClipWords {
        let mut words = ClipWords::new(self.segment_secs, self.segments.len() as u32, curves);
        for (segment, curves) in (0..).zip(&self.segments) {
            words.write_segment(segment, curves);
        }
        words
    }
}

/// Durations of segments that are tried, in this order.
const SEGMENT_SECS: [f64; 5] = [1.0, 2.0, 0.5, 0.25, 0.125];

/// Compresses a clip in segments of the duration that takes fewest bits. Short segments are tried only where longer ones
/// exceed the error.
fn compress_clip(
    context: SegmentContext<'_>,
    span: &ClipSpan<'_>,
    max_rate_hz: f64,
    density: usize,
) -> CompressedClip {
    let mut best: Option<CompressedClip> = None;
    let mut tried: Vec<Cut> = Vec::new();
    for target_secs in SEGMENT_SECS {
        let cut = Cut::new(span, target_secs, density);
        if tried.contains(&cut) {
            continue;
        }
        tried.push(cut);
        if target_secs < 0.5 && best.as_ref().is_some_and(|best| best.worst <= 1.0) {
            break;
        }
        let compressed = compress_cut(context, span, &cut, max_rate_hz);
        let better = match &best {
            None => true,
            Some(best) if best.worst <= 1.0 => {
                compressed.worst <= 1.0 && compressed.bits < best.bits
            }
            Some(best) => compressed.worst < best.worst,
        };
        if better {
            best = Some(compressed);
        }
    }
    best.expect("there is at least one duration")
}

fn compress_cut(
    context: SegmentContext<'_>,
    span: &ClipSpan<'_>,
    cut: &Cut,
    max_rate_hz: f64,
) -> CompressedClip {
    let max_spans = (cut.segment_secs * max_rate_hz).ceil() as u32;
    let bases = Bases::new(cut.samples, max_spans, cut.native_frames);
    let encoded: Vec<Encoded> = (0..cut.segments)
        .into_par_iter()
        .map(|segment| {
            let from = span.clip.start_secs() + cut.segment_secs * f64::from(segment);
            encode(context, &bases, span.clip, from, from + cut.segment_secs)
        })
        .collect();
    let headers: u32 = cut.segments
        * encoded
            .first()
            .map_or(0, |e| row_words(e.curves.len() as u32));
    CompressedClip {
        segment_secs: cut.segment_secs,
        bits: encoded.iter().map(|e| e.bits).sum::<usize>() + 32 * headers as usize,
        worst: encoded.iter().map(|e| e.worst).fold(0.0, f64::max),
        segments: encoded.into_iter().map(|e| e.curves).collect(),
    }
}

fn records(rig: &LocalRig, channels: &Channels) -> (Vec<JointRecord>, u32) {
    let mut curve = 0;
    let records = channels
        .bones
        .iter()
        .zip(&rig.parents)
        .map(|(bone, parent)| {
            let first_curve = curve;
            curve += bone.curves.iter().filter(|&&is_curve| is_curve).count() as u32;
            JointRecord {
                parent: parent.map(|parent| parent as u32),
                first_curve,
                has_curve: bone.curves,
                translation: bone.translation.as_vec3(),
                translation_exponent: bone.translation_exponent,
                rotation: mrp_from_quat(bone.rotation).as_vec3(),
                scale: bone.scale.as_vec3(),
                scale_extent: bone.scale_extent as f32,
            }
        })
        .collect();
    (records, curve)
}
