//! Compressed vertex curves: one per unique position and unique normal per segment.

use glam::{DVec3, Vec3};
use rayon::prelude::*;
use throng_format::curves::row_words;
use throng_format::{Texture, VertexCurveLayout};
use throng_rig::Character;

use crate::curves::{Bases, CompressedCurve, CurveWriter, SegmentCurves, fit_points};
use crate::joint_curves::{ClipSpan, Cut};
use crate::plan::{BakePlan, ClipPlan, FrameTime};
use crate::sampler::{Counter, VertexSampler};
use crate::{BakeError, BakeSettings, Progress, Rate, Sides};

/// Approximate durations of segments: long enough to amortise headers, short enough to keep all vertices of a segment in
/// memory. Shorter ones are for clips whose curves exceed the error.
const SEGMENT_SECS: [f64; 3] = [1.0, 0.5, 0.25];
/// Part of the maximum error that samples must keep; the rest is for times between samples.
const SAMPLE_ERROR: f64 = 0.9;
/// Largest error of normals as a chord: about a degree.
const NORMAL_TOLERANCE: f64 = 0.017;

/// Compresses all clips into a texture.
pub(crate) fn compress_vertices(
    sampler: &VertexSampler<'_>,
    settings: &BakeSettings,
    plan: &BakePlan,
    progress: &dyn Progress,
) -> Result<(Texture, VertexCurveLayout), BakeError> {
    let done = Counter::new(plan.clips.len() + 1, progress);
    let (center, scale) = extent(sampler, plan);
    done.step();
    let rest = sampler.rest();
    let mut writer = CurveWriter::new(plan.clips.len());
    let max_rate_hz = match settings.rate {
        Rate::Hz(rate) => rate,
        Rate::Native | Rate::Auto => 240.0,
    };
    let compressor = VertexCompressor {
        sampler,
        center,
        scale,
        tolerance: SAMPLE_ERROR * settings.max_error_of_size * sampler.size() / f64::from(scale),
        max_rate_hz,
    };
    for planned in &plan.clips {
        let (segment_secs, segments) = compressor.clip(planned);
        writer.push_clip(segment_secs, planned.duration_secs, &segments);
        done.step();
    }
    let layout = VertexCurveLayout {
        texture: 0,
        clip_table: writer.clip_table(),
        positions: rest.positions.len() as u32,
        normals: rest.normals.len() as u32,
        center: center.to_array(),
        scale,
    };
    let texture = writer.into_texture(settings.max_side, settings.sides == Sides::PowerOfTwo);
    Ok((texture.ok_or(BakeError::TooManyCurveWords)?, layout))
}

/// Settings of the compression of vertices.
struct VertexCompressor<'a> {
    sampler: &'a VertexSampler<'a>,
    center: Vec3,
    scale: f32,
    /// Largest error of positions, in units of the scale.
    tolerance: f64,
    max_rate_hz: f64,
}

impl VertexCompressor<'_> {
    /// Returns the duration of a clip's segments, and their curves.
    fn clip(&self, planned: &ClipPlan) -> (f64, Vec<SegmentCurves>) {
        let span = ClipSpan::new(&self.sampler.character().clips()[planned.clip]);
        let (&shortest_secs, longer) = SEGMENT_SECS
            .split_last()
            .expect("there is at least one duration");
        let compressed = |target_secs: f64, is_accepted: fn(&SegmentCurves) -> bool| {
            let cut = Cut::new(&span, target_secs, 1);
            let segments = (0..cut.segments).map(|segment| self.segment(planned, &cut, segment));
            let kept = segments.map(|curves| is_accepted(&curves).then_some(curves));
            // Stops at the first segment that is not accepted.
            let segments: Option<Vec<SegmentCurves>> = kept.collect();
            Some((cut.segment_secs, segments?))
        };
        let is_within = |curves: &SegmentCurves| curves.iter().all(|curve| curve.is_within);
        let within = longer.iter().find_map(|&secs| compressed(secs, is_within));
        within
            .or_else(|| compressed(shortest_secs, |_| true))
            .expect("the shortest segments are always accepted")
    }

    /// Returns all curves of a segment.
    fn segment(&self, planned: &ClipPlan, cut: &Cut, segment: u32) -> SegmentCurves {
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
        let positions = (0..rest.positions.len()).into_par_iter().map(|item| {
            let from = rest.positions[item] + self.center;
            let offset = |positions: &[Vec3]| (positions[item] - from).as_dvec3();
            let scaled = |positions: &[Vec3]| offset(positions) / f64::from(self.scale);
            let targets: Vec<DVec3> = sampled.iter().map(|(p, _)| scaled(p)).collect();
            fit_points(&bases, &targets, self.tolerance).0
        });
        let normals = (0..rest.normals.len()).into_par_iter().map(|item| {
            let targets: Vec<DVec3> = sampled.iter().map(|(_, n)| n[item].as_dvec3()).collect();
            let (curve, _) = fit_points(&bases, &targets, NORMAL_TOLERANCE);
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
        u64::from(Cut::new(&span, SEGMENT_SECS[0], 1).segments)
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
