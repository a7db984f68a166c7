//! Compressed vertex curves: one per unique position and unique normal per segment.

use glam::{DVec3, Vec3};
use rayon::prelude::*;
use throng_format::curves::row_words;
use throng_format::{Texture, VertexCurveLayout};
use throng_rig::Character;

use crate::curves::{
    Bases, ClipWords, CompressedCurve, CurveWriter, Fitter, SegmentCurves, fit_points,
};
use crate::joint_curves::{ClipSpan, Cut};
use crate::plan::{BakePlan, ClipPlan, FrameTime};
use crate::sampler::{Counter, VertexSampler};
use crate::{BakeSettings, Rate, Sides};

/// Approximate durations of segments, and how densely they are sampled: long enough to amortise headers, short enough to
/// keep all vertices of a segment in memory. Shorter ones are for clips whose curves exceed the error: a curve has at most
/// 64 spans, and needs samples for as many.
const SEGMENTS: [(f64, usize); 3] = [(1.0, 1), (0.5, 2), (0.25, 2)];
/// Part of the maximum error that samples must keep; the rest is for times between samples.
const SAMPLE_ERROR: f64 = 0.94;
/// Largest error of normals as a chord: about a degree.
const NORMAL_TOLERANCE: f64 = 0.017;

/// Compresses the clips of a plan one by one and assembles their texture.
pub(crate) struct VertexCompressor<'a> {
    sampler: &'a VertexSampler<'a>,
    plan: &'a BakePlan,
    center: Vec3,
    scale: f32,
    max_rate_hz: f64,
}

impl<'a> VertexCompressor<'a> {
    /// Finds the extent of all offsets.
    pub fn new(
        sampler: &'a VertexSampler<'a>,
        settings: &BakeSettings,
        plan: &'a BakePlan,
    ) -> Self {
        let (center, scale) = extent(sampler, plan);
        Self {
            sampler,
            plan,
            center,
            scale,
            max_rate_hz: match settings.rate {
                Rate::Hz(rate) => rate,
                Rate::Native | Rate::Auto => 240.0,
            },
        }
    }

    /// Compresses a clip of the plan. `max_error` is the largest error of a vertex in metres. The clip is sampled `density`
    /// times as often as by default.
    pub fn compress(&self, clip: usize, max_error: f64, density: usize) -> ClipWords {
        let planned = &self.plan.clips[clip];
        let span = ClipSpan::new(&self.sampler.character().clips()[planned.clip]);
        let tolerance = SAMPLE_ERROR * max_error / f64::from(self.scale);
        let (&shortest, longer) = SEGMENTS
            .split_last()
            .expect("there is at least one duration");
        let compressed = |(target_secs, own_density): (f64, usize), must_be_within: bool| {
            let cut = Cut::new(&span, target_secs, own_density * density);
            let is_present = vec![true; self.curves() as usize];
            let mut words = ClipWords::new(cut.segment_secs, cut.segments, &is_present);
            for segment in 0..cut.segments {
                let curves = self.segment(planned, &cut, segment, tolerance);
                if must_be_within && !curves.iter().all(|curve| curve.is_within) {
                    return None;
                }
                words.write_segment(segment, &curves);
            }
            Some(words)
        };
        let within = longer.iter().find_map(|&cut| compressed(cut, true));
        within
            .or_else(|| compressed(shortest, false))
            .expect("the shortest segments are always accepted")
    }

    /// Returns the texture of clips, each with its duration in seconds.
    pub fn assemble<'w>(
        &self,
        clips: impl ExactSizeIterator<Item = (&'w ClipWords, f64)>,
        settings: &BakeSettings,
    ) -> Option<(Texture, VertexCurveLayout)> {
        let mut writer = CurveWriter::new(clips.len());
        for (words, duration_secs) in clips {
            writer.push_clip(words, duration_secs);
        }
        let rest = self.sampler.rest();
        let layout = VertexCurveLayout {
            texture: 0,
            clip_table: writer.clip_table(),
            positions: rest.positions.len() as u32,
            normals: rest.normals.len() as u32,
            center: self.center.to_array(),
            scale: self.scale,
        };
        let power_of_two = settings.sides == Sides::PowerOfTwo;
        Some((
            writer.into_texture(settings.max_side, power_of_two)?,
            layout,
        ))
    }

    fn curves(&self) -> u32 {
        let rest = self.sampler.rest();
        (rest.positions.len() + rest.normals.len()) as u32
    }

    /// Returns all curves of a segment. `tolerance` is the largest error of positions, in units of the scale.
    fn segment(
        &self,
        planned: &ClipPlan,
        cut: &Cut,
        segment: u32,
        tolerance: f64,
    ) -> SegmentCurves {
        let max_spans = (cut.segment_secs * self.max_rate_hz).ceil() as u32;
        let bases = Bases::new(cut.samples, max_spans, cut.native_frames);
        let start = planned.start_secs + cut.segment_secs * f64::from(segment);
        let end = planned.start_secs + planned.duration_secs;
        let time = |sample: usize| {
            let along = sample as f64 / (cut.samples - 1).max(1) as f64;
            (start + cut.segment_secs * along).min(end)
        };
        let sampled: Vec<(Vec<Vec3>, Vec<Vec3>)> = (0..cut.samples)
            .into_par_iter()
            .map(|sample| self.sampler.vertices(planned.clip, time(sample)))
            .collect();
        let rest = self.sampler.rest();
        let positions = (0..rest.positions.len()).into_par_iter();
        let positions = positions.map_init(Fitter::default, |fitter, item| {
            let from = rest.positions[item] + self.center;
            let offset = |positions: &[Vec3]| (positions[item] - from).as_dvec3();
            let scaled = |positions: &[Vec3]| offset(positions) / f64::from(self.scale);
            let targets: Vec<DVec3> = sampled.iter().map(|(p, _)| scaled(p)).collect();
            fit_points(fitter, &bases, &targets, tolerance)
        });
        let normals = (0..rest.normals.len()).into_par_iter();
        let normals = normals.map_init(Fitter::default, |fitter, item| {
            let targets: Vec<DVec3> = sampled.iter().map(|(_, n)| n[item].as_dvec3()).collect();
            let curve = fit_points(fitter, &bases, &targets, NORMAL_TOLERANCE);
            // The maximum error applies to positions; normals are as accurate as possible.
            CompressedCurve {
                is_within: true,
                ..curve
            }
        });
        positions.chain(normals).collect()
    }
}

/// Returns a lower bound of the bytes of compressed vertex curves: those of their headers.
pub(crate) fn min_bytes(character: &Character, plan: &BakePlan, curves: usize) -> u64 {
    let segments = |clip: &ClipPlan| {
        let span = ClipSpan::new(&character.clips()[clip.clip]);
        u64::from(Cut::new(&span, SEGMENTS[0].0, 1).segments)
    };
    let segments: u64 = plan.clips.iter().map(segments).sum();
    // Far more than fit into a texture; avoids overflow.
    let curves = curves.min(1 << 28) as u32;
    4 * u64::from(row_words(curves)) * segments
}

/// Returns the centre of all offsets from the rest pose, and the power of two that encloses them around it.
fn extent(sampler: &VertexSampler<'_>, plan: &BakePlan) -> (Vec3, f32) {
    let frames: Vec<FrameTime> = plan.frame_times();
    let measured = sampler.measure(&frames, &Counter::new(frames.len(), &()));
    let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for frame in &measured {
        let offsets = frame.offsets();
        min = min.min(offsets.min);
        max = max.max(offsets.max);
    }
    let center = ((min + max) * 0.5).as_vec3();
    let most = (max - center.as_dvec3()).max_element().max(1e-6);
    (center, 2f32.powi(most.log2().ceil() as i32))
}
