//! `bone-local`: every joint in its parent's space, as compressed curves.

mod budgets;
mod channels;
mod differences;
mod local_rig;
mod samples;
mod segment;
mod table;

use rayon::prelude::*;
use throng_format::curves::row_words;
use throng_format::{JointCurveLayout, Texture};
use throng_rig::{Character, CharacterPose, Clip};

use crate::curves::{Bases, ClipWords, CurveWriter, FitEffort, SegmentCurves};
use crate::{Effort, Sides};
use budgets::{Encoded, SegmentSearch, predicted_prices};
use channels::Channels;
use local_rig::LocalRig;
use samples::SampledClips;
pub use samples::{ClipSpan, Cut};
use segment::SegmentContext;
pub use table::{JointTable, TableMisfit};

/// Compresses the clips of one character one by one and assembles their texture.
#[derive(Debug)]
pub struct JointCompressor<'c> {
    character: &'c Character,
    clips: SampledClips<'c>,
    rig: LocalRig,
    channels: Channels,
    /// Words of the joint table.
    table: Vec<u32>,
    max_rate_hz: f64,
    effort: Effort,
}

impl<'c> JointCompressor<'c> {
    /// Finds the channels that move. `max_error` is the largest error of a vertex in metres, `max_rate_hz` the most keys per
    /// second of a curve.
    pub fn new(
        character: &'c Character,
        clips: &[&'c Clip],
        max_error: f64,
        max_rate_hz: f64,
        effort: Effort,
    ) -> Self {
        let mut pose = CharacterPose::rest(character);
        if let Some(clip) = clips.first() {
            pose.sample(character, clip, clip.start_secs());
        }
        let rig = LocalRig::new(character, &pose);
        let clips = SampledClips::new(character, rig.bones.clone(), clips);
        let channels = Channels::find(character, &rig, &clips, max_error);
        let records = channels.bones.iter().map(|bone| &bone.record);
        let table = records.flat_map(|record| record.pack(channels.form));
        Self {
            character,
            clips,
            rig,
            table: table.collect(),
            channels,
            max_rate_hz,
            effort,
        }
    }

    /// [`Self::new`] with the joint table of an existing set. Errors where a clip does not fit the table.
    pub fn with_table(
        character: &'c Character,
        clips: &[&'c Clip],
        table: &JointTable,
        max_error: f64,
        max_rate_hz: f64,
        effort: Effort,
    ) -> Result<Self, TableMisfit> {
        let mut pose = CharacterPose::rest(character);
        if let Some(clip) = clips.first() {
            pose.sample(character, clip, clip.start_secs());
        }
        let rig = LocalRig::new(character, &pose);
        let clips = SampledClips::new(character, rig.bones.clone(), clips);
        let channels = Channels::of_table(character, &rig, &clips, table, max_error)?;
        Ok(Self {
            character,
            clips,
            rig,
            channels,
            table: table.words().to_vec(),
            max_rate_hz,
            effort,
        })
    }

    /// Compresses a clip, given by its index in the clips of [`Self::new`]. `max_error` is the largest error of a vertex in
    /// metres. The clip is sampled `density` times as often as by default.
    pub fn compress(&self, clip: usize, max_error: f64, density: usize) -> CompressedClip {
        let present = &self.channels.present[clip];
        let reach = match self.channels.is_skewed {
            true => self.rig.reach.clone(),
            false => self.rig.compensated_reach(|bone| present[bone][0]),
        };
        let search = Search::of(self.effort);
        let prices = predicted_prices(&self.rig, present, search.predictions);
        let context = SegmentContext {
            character: self.character,
            rig: &self.rig,
            channels: &self.channels,
            present,
            reach: &reach,
            samples: &self.clips.of(clip),
            max_error,
            probe_error: search.probe_error,
            prices: &prices,
            fit: search.fit,
        };
        compress_clip(
            context,
            &self.clips.spans[clip],
            self.max_rate_hz,
            density,
            &search,
        )
    }

    /// Returns the words of a compressed clip, given by its index in the clips of [`Self::new`].
    pub fn words(&self, clip: usize, compressed: &CompressedClip) -> ClipWords {
        let channels = self.channels.form.channels() as usize;
        let present = self.channels.present[clip].iter();
        let present = present.flat_map(|bone| &bone[..channels]);
        compressed.words(&present.copied().collect::<Vec<bool>>())
    }

    /// Returns the texture of all clips, with no side longer than `max_side`; `None` where it would have too many words.
    pub fn assemble(
        &self,
        compressed: &[CompressedClip],
        max_side: u32,
        sides: Sides,
    ) -> Option<(Texture, JointCurveLayout)> {
        let clips = compressed.iter().zip(&self.clips.spans).enumerate();
        let words: Vec<(ClipWords, f64)> = clips
            .map(|(index, (clip, span))| (self.words(index, clip), span.clip.duration_secs()))
            .collect();
        let words = words.iter().map(|(words, duration)| (words, *duration));
        self.assemble_words(words, max_side, sides)
    }

    /// [`Self::assemble`] of the words of any clips for the same joint table, each with its duration in seconds.
    pub fn assemble_words<'w>(
        &self,
        clips: impl ExactSizeIterator<Item = (&'w ClipWords, f64)>,
        max_side: u32,
        sides: Sides,
    ) -> Option<(Texture, JointCurveLayout)> {
        let mut writer = CurveWriter::new(clips.len());
        let Channels { form, bones, .. } = &self.channels;
        let clip_table = writer.clip_table();
        let joint_table = writer.push(self.table.iter().copied());
        for (words, duration_secs) in clips {
            writer.push_clip(words, duration_secs);
        }
        let layout = JointCurveLayout {
            texture: 0,
            bones: self.rig.bones.clone(),
            clip_table,
            joint_table,
            record_words: form.words(),
            curves: form.channels() * bones.len() as u32,
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
    /// Bits of headers, references and keys.
    bits: usize,
    /// Largest error of a vertex, as a part of the maximum error.
    worst: f64,
}

impl CompressedClip {
    /// Largest error of a vertex at the samples, as a part of the maximum error.
    pub fn worst(&self) -> f64 {
        self.worst
    }

    /// True for fewer bits, of clips within the error; or else for a smaller error.
    fn is_better_than(&self, other: &Self) -> bool {
        match (self.worst <= 1.0, other.worst <= 1.0) {
            (true, true) => self.bits < other.bits,
            (false, false) => self.worst < other.worst,
            (is_within, _) => is_within,
        }
    }

    fn words(&self, is_present: &[bool]) -> ClipWords {
        let mut words = ClipWords::new(self.segment_secs, self.segments.len() as u32, is_present);
        for (segment, curves) in (0..).zip(&self.segments) {
            words.write_segment(segment, curves);
        }
        words
    }
}

/// Extent of a search.
#[derive(Debug)]
struct Search {
    /// Durations of segments that are compared, in seconds.
    segment_secs: &'static [f64],
    /// True where all durations are encoded to the end; otherwise the most promising one.
    finish_all: bool,
    /// Number of rounds that predict prices of errors before anything is encoded.
    predictions: usize,
    /// Number of rounds that find prices of errors: before durations are compared, and after.
    price_rounds: [usize; 2],
    /// Number of rounds in which budgets of joints may grow and shrink.
    rounds: usize,
    /// Part of the maximum error that probes must keep; the rest is for vertices that are not probes.
    probe_error: f64,
    /// True where the errors of all vertices are computed; otherwise those of the probes, and the proof finds the others.
    checks_all_vertices: bool,
    /// Effort of fitting a curve.
    fit: FitEffort,
}

impl Search {
    fn of(effort: Effort) -> Self {
        match effort {
            Effort::Fast => Self {
                segment_secs: &[2.0],
                finish_all: false,
                predictions: 20,
                price_rounds: [0, 0],
                rounds: 0,
                probe_error: 0.93,
                checks_all_vertices: false,
                fit: FitEffort::QUICK,
            },
            Effort::Normal => Self {
                segment_secs: &[1.0, 2.0, 0.5],
                finish_all: false,
                predictions: 0,
                price_rounds: [2, 2],
                rounds: 6,
                probe_error: 0.97,
                checks_all_vertices: true,
                fit: FitEffort::default(),
            },
            Effort::Best => Self {
                segment_secs: &[1.0, 2.0, 1.5, 0.7, 0.5],
                finish_all: true,
                predictions: 0,
                price_rounds: [3, 3],
                rounds: 32,
                probe_error: 0.97,
                checks_all_vertices: true,
                fit: FitEffort::default(),
            },
        }
    }
}

/// Error from which segments are not tried again for a smaller error, as a part of the maximum error.
const NEAR: f64 = 1.6;
/// Part of the maximum error that they are tried again for, times the excess.
const SLIGHTLY: f64 = 0.95;

/// Durations of segments that are tried where longer ones exceed the error, in seconds.
const SHORT_SECS: [f64; 4] = [0.5, 0.25, 0.125, 0.05];

/// Compresses a clip in segments of the duration that promises fewest bits. Short segments are tried only where longer
/// ones exceed the error.
fn compress_clip(
    context: SegmentContext<'_>,
    span: &ClipSpan<'_>,
    max_rate_hz: f64,
    density: usize,
    search: &Search,
) -> CompressedClip {
    let bases_of = |cut: &Cut| {
        let max_spans = (cut.segment_secs * max_rate_hz).ceil() as u32;
        Bases::new(cut.samples, max_spans, cut.native_frames)
    };
    let mut cuts: Vec<Cut> = Vec::new();
    for &secs in search.segment_secs {
        let cut = Cut::new(span, secs, density);
        if !cuts.contains(&cut) {
            cuts.push(cut);
        }
    }
    let bases: Vec<Bases> = cuts.iter().map(bases_of).collect();
    let mut started: Vec<StartedClip<'_>> = (cuts.iter().zip(&bases))
        .map(|(cut, bases)| StartedClip::new(context, span, cut, bases, search))
        .collect();
    started.sort_by(|a, b| a.expected_bits.total_cmp(&b.expected_bits));
    let mut best: Option<CompressedClip> = None;
    for clip in started {
        keep_better(&mut best, clip.finish_within(span, search));
        if !search.finish_all && is_within(&best) {
            break;
        }
    }
    for secs in SHORT_SECS {
        if is_within(&best) {
            break;
        }
        let cut = Cut::new(span, secs, density);
        if !cuts.contains(&cut) {
            cuts.push(cut);
            let bases = bases_of(&cut);
            let clip = StartedClip::new(context, span, &cut, &bases, search);
            keep_better(&mut best, clip.finish_within(span, search));
        }
    }
    best.expect("there is at least one duration")
}

fn is_within(clip: &Option<CompressedClip>) -> bool {
    clip.as_ref().is_some_and(|clip| clip.worst <= 1.0)
}

fn keep_better(best: &mut Option<CompressedClip>, clip: CompressedClip) {
    if best.as_ref().is_none_or(|best| clip.is_better_than(best)) {
        *best = Some(clip);
    }
}

/// A clip whose segments are being encoded.
struct StartedClip<'a> {
    context: SegmentContext<'a>,
    cut: Cut,
    bases: &'a Bases,
    segments: Vec<SegmentSearch<'a>>,
    header_bits: usize,
    /// Bits of keys and headers that the clip is expected to take.
    expected_bits: f64,
}

impl<'a> StartedClip<'a> {
    fn new(
        context: SegmentContext<'a>,
        span: &ClipSpan<'_>,
        cut: &Cut,
        bases: &'a Bases,
        search: &Search,
    ) -> Self {
        let segments: Vec<SegmentSearch<'_>> = (0..cut.segments)
            .into_par_iter()
            .map(|segment| {
                let from = span.clip.start_secs() + cut.segment_secs * f64::from(segment);
                let ends = [from, from + cut.segment_secs];
                SegmentSearch::new(context, bases, span.clip, ends, search.price_rounds[0])
            })
            .collect();
        let present = context.present.iter().flatten().filter(|&&present| present);
        let header_bits = 32 * (cut.segments * row_words(present.count() as u32)) as usize;
        let keys = segments.iter().map(SegmentSearch::expected_bits);
        Self {
            context,
            cut: *cut,
            bases,
            header_bits,
            expected_bits: header_bits as f64 + keys.sum::<f64>(),
            segments,
        }
    }

    /// Encodes the clip, and again for a slightly smaller error where it exceeds the maximum error slightly.
    fn finish_within(self, span: &ClipSpan<'_>, search: &Search) -> CompressedClip {
        let Self {
            context,
            cut,
            bases,
            ..
        } = self;
        let clip = self.finish(search);
        if clip.worst <= 1.0 || clip.worst > NEAR {
            return clip;
        }
        // A smaller error takes fewer bits than shorter segments.
        let part = SLIGHTLY / clip.worst;
        let stricter = SegmentContext {
            max_error: part * context.max_error,
            ..context
        };
        let mut again = StartedClip::new(stricter, span, &cut, bases, search).finish(search);
        again.worst *= part;
        match again.is_better_than(&clip) {
            true => again,
            false => clip,
        }
    }

    fn finish(self, search: &Search) -> CompressedClip {
        let finish = |segment: SegmentSearch<'_>| segment.finish(search);
        let encoded: Vec<Encoded> = self.segments.into_par_iter().map(finish).collect();
        CompressedClip {
            segment_secs: self.cut.segment_secs,
            bits: self.header_bits + encoded.iter().map(|e| e.bits).sum::<usize>(),
            worst: encoded.iter().map(|e| e.worst).fold(0.0, f64::max),
            segments: encoded.into_iter().map(|e| e.curves).collect(),
        }
    }
}
