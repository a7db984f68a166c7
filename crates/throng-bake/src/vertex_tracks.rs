//! Vertices compressed in time: a curve for each true position and each true normal, in each segment.

use glam::{DVec3, DVec4, Vec3};
use rayon::prelude::*;
use throng_format::tracks::{TrackHeader, row_words};
use throng_format::{Texture, VertexTrackLayout};
use throng_rig::Character;

use crate::curves::{Bases, Kind, PackedCurve, SegmentTracks, StreamWriter, fit};
use crate::joint_tracks::{ClipSpan, Cut};
use crate::plan::{BakePlan, ClipPlan, FrameTime};
use crate::sampler::{Counter, VertexSampler};
use crate::{BakeError, BakeSettings, Progress, Rate, Sides};

/// Segments are about this long: long enough for headers to pay, short enough to hold all vertices of a
/// segment in memory.
const SEGMENT_SECS: f64 = 1.0;
/// Of the error that is asked for; the rest is for times between the samples.
const HELD: f64 = 0.9;
/// How far normals may be off, as a chord: about a degree.
const NORMAL_TOLERANCE: f64 = 0.017;

/// Packs all clips into a stream.
pub(crate) fn pack_vertices(
    sampler: &VertexSampler<'_>,
    settings: &BakeSettings,
    plan: &BakePlan,
    progress: &dyn Progress,
) -> Result<(Texture, VertexTrackLayout), BakeError> {
    let spans: Vec<ClipSpan<'_>> = plan
        .clips
        .iter()
        .map(|clip| ClipSpan::new(&sampler.character().clips()[clip.clip]))
        .collect();
    let cuts: Vec<Cut> = spans
        .iter()
        .map(|span| Cut::new(span, SEGMENT_SECS))
        .collect();
    let segments: u32 = cuts.iter().map(|cut| cut.segments).sum();
    let done = Counter::new(segments as usize + 1, progress);
    let (center, scale) = extent(sampler, plan);
    done.step();
    let rest = sampler.rest();
    let mut writer = StreamWriter::new(plan.clips.len());
    let max_rate_hz = match settings.rate {
        Rate::Hz(rate) => rate,
        Rate::Native | Rate::Auto => 240.0,
    };
    let tolerance = HELD * settings.max_error_of_size * sampler.size() / f64::from(scale);
    for ((planned, span), cut) in plan.clips.iter().zip(&spans).zip(&cuts) {
        let max_spans = (cut.segment_secs * max_rate_hz).ceil() as u32;
        let bases = Bases::new(cut.samples, max_spans, cut.own_frames);
        let mut encoded: Vec<SegmentTracks> = Vec::new();
        for segment in 0..cut.segments {
            let start = planned.start_secs + cut.segment_secs * f64::from(segment);
            let times = (0..cut.samples).map(|sample| {
                let along = sample as f64 / (cut.samples - 1).max(1) as f64;
                (start + cut.segment_secs * along).min(span.clip.end_secs())
            });
            let sampled: Vec<(Vec<Vec3>, Vec<Vec3>)> = times
                .collect::<Vec<f64>>()
                .into_par_iter()
                .map(|time_secs| sampler.vertices(planned.clip, time_secs))
                .collect();
            let positions = (0..rest.positions.len()).into_par_iter().map(|item| {
                let offset = |(positions, _): &(Vec<Vec3>, Vec<Vec3>)| {
                    (positions[item] - rest.positions[item] - center).as_dvec3() / f64::from(scale)
                };
                let targets: Vec<DVec3> = sampled.iter().map(offset).collect();
                fit_vector(&bases, &targets, tolerance)
            });
            let normals = (0..rest.normals.len()).into_par_iter().map(|item| {
                let targets: Vec<DVec3> = sampled
                    .iter()
                    .map(|(_, normals)| normals[item].as_dvec3())
                    .collect();
                fit_vector(&bases, &targets, NORMAL_TOLERANCE)
            });
            encoded.push(positions.chain(normals).collect());
            done.step();
        }
        writer.push_clip(cut.segment_secs, span.clip.duration_secs(), &encoded);
    }
    let layout = VertexTrackLayout {
        texture: 0,
        clip_table: writer.clip_table(),
        positions: rest.positions.len() as u32,
        normals: rest.normals.len() as u32,
        center: center.to_array(),
        scale,
    };
    let texture = writer.into_texture(settings.max_side, settings.sides == Sides::PowerOfTwo);
    Ok((texture.ok_or(BakeError::Stream)?, layout))
}

/// Bytes of headers: what packed vertices take at least.
pub(crate) fn least_bytes(character: &Character, plan: &BakePlan, tracks: usize) -> u64 {
    let segments = |clip: &ClipPlan| {
        let span = ClipSpan::new(&character.clips()[clip.clip]);
        u64::from(Cut::new(&span, SEGMENT_SECS).segments)
    };
    let segments: u64 = plan.clips.iter().map(segments).sum();
    // Far more than can be packed, and no overflow.
    let tracks = tracks.min(1 << 28) as u32;
    4 * u64::from(row_words(tracks)) * segments
}

fn fit_vector(bases: &Bases, targets: &[DVec3], tolerance: f64) -> PackedCurve {
    let min = targets.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let max = targets
        .iter()
        .copied()
        .fold(DVec3::NEG_INFINITY, DVec3::max);
    let stored = ((min + max) * 0.5)
        .to_array()
        .map(TrackHeader::nearest_reference);
    let header = TrackHeader {
        reference: stored,
        ..TrackHeader::default()
    };
    let reference = DVec3::from_array(header.reference().map(f64::from)).extend(0.0);
    let values: Vec<DVec4> = targets.iter().map(|v| v.extend(0.0) - reference).collect();
    fit(bases, Kind::Vector, stored, &values, tolerance)
}

/// The middle of all offsets from rest, and the power of two that holds them about it.
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
