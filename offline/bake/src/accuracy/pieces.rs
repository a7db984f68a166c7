//! Pieces of a clip in which neither the source nor the set has a kink or a jump.

use std::collections::BTreeMap;

use throng_format::curves::{ClipRecord, Words};
use throng_format::decode::joint_curves::Moment;
use throng_format::{ClipEntry, Layout, TextureSet};
use throng_rig::Clip;

use super::times::Timeline;

/// Longest piece.
const MAX_SECS: f64 = 1.0 / 30.0;
/// Part of a longest piece that may remain without another piece.
const LEFT_OVER: f64 = 0.05;

/// A vertex: indices of its part and in that part.
pub(super) type Point = (u32, u32);

/// Vertices whose decoded motion has its kinks at the same times.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Group {
    pub points: Vec<Point>,
    /// Pieces: start and end, in seconds from the clip's start.
    pub pieces: Vec<[f64; 2]>,
}

/// Divides a clip of a set into pieces, except for the intervals in which the source jumps. `points` holds one vertex per
/// unique position, parts in order.
pub(super) fn groups(
    set: &TextureSet,
    clip: usize,
    source: &Clip,
    timeline: &Timeline,
    points: &[Point],
) -> Vec<Group> {
    let keys = key_times(source);
    let jumps: Vec<[f64; 2]> = timeline.jump_intervals().collect();
    let group = |points: Vec<Point>, [from, to]: [f64; 2], breaks: Vec<f64>| {
        let inside = |&time: &f64| time > from && time < to;
        let mut breaks: Vec<f64> = breaks.into_iter().filter(inside).collect();
        let first = keys.partition_point(|&key| key <= from);
        breaks.extend(keys[first..].iter().copied().take_while(|&key| key < to));
        breaks.extend(jumps.iter().flatten().copied().filter(inside));
        breaks.extend([from, to]);
        let mut pieces = pieces(breaks, timeline.duration_secs);
        pieces.retain(|piece| !is_in(&jumps, piece));
        Group { points, pieces }
    };
    let manifest = set.manifest();
    let entry = &manifest.clips[clip];
    let whole = [0.0, timeline.duration_secs];
    match &manifest.layout {
        Layout::Bones(_) | Layout::Vertices(_) => {
            vec![group(points.to_vec(), whole, frame_times(entry))]
        }
        Layout::JointCurves(layout) => {
            let words = Words::of(&set.textures()[layout.texture]);
            let record = ClipRecord::read(words, layout.clip_table, clip as u32);
            let mut breaks = Vec::new();
            for segment in 0..record.segments {
                let curves = 0..layout.curves;
                let spans = spans_of_curves(words, &record, segment, layout.curves, curves);
                for &spans in spans.keys() {
                    breaks.extend(knots(&record, segment, spans));
                }
            }
            if manifest.morphs.is_some() {
                breaks.extend(frame_times(entry));
            }
            vec![group(points.to_vec(), whole, breaks)]
        }
        Layout::VertexCurves(layout) => {
            let words = Words::of(&set.textures()[layout.texture]);
            let record = ClipRecord::read(words, layout.clip_table, clip as u32);
            let all = layout.positions + layout.normals;
            let mut groups = Vec::new();
            for segment in 0..record.segments {
                let [from, to] = [segment, segment + 1].map(|s| segment_secs(&record, s));
                let ends = [from.min(whole[1]), to.min(whole[1])];
                let positions = 0..layout.positions.min(points.len() as u32);
                for (spans, curves) in spans_of_curves(words, &record, segment, all, positions) {
                    let points = curves.iter().map(|&curve| points[curve as usize]);
                    groups.push(group(
                        points.collect(),
                        ends,
                        knots(&record, segment, spans),
                    ));
                }
            }
            groups
        }
    }
}

/// Divides a clip of a source into pieces without kinks. A clip without duration is one piece.
pub(crate) fn source_pieces(source: &Clip) -> Vec<[f64; 2]> {
    let duration_secs = source.duration_secs();
    let mut breaks = key_times(source);
    breaks.retain(|&time| time > 0.0 && time < duration_secs);
    breaks.extend([0.0, duration_secs]);
    let pieces = pieces(breaks, duration_secs);
    match pieces.is_empty() {
        true => vec![[0.0; 2]],
        false => pieces,
    }
}

/// Times of all keys of a clip, from its start, sorted.
fn key_times(clip: &Clip) -> Vec<f64> {
    let start = clip.start_secs();
    let mut times: Vec<f64> = clip
        .key_times()
        .flatten()
        .map(|time| time - start)
        .collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

fn frame_times(clip: &ClipEntry) -> Vec<f64> {
    let frames = 0..clip.frames;
    frames
        .map(|frame| f64::from(frame) / clip.rate_hz.max(f64::MIN_POSITIVE))
        .collect()
}

/// Returns curves of a segment by their number of spans.
fn spans_of_curves(
    words: Words<'_>,
    record: &ClipRecord,
    segment: u32,
    all_curves: u32,
    curves: std::ops::Range<u32>,
) -> BTreeMap<u32, Vec<u32>> {
    let moment = Moment {
        masks: record.first_word,
        row: record.row(all_curves, segment),
        position: 0.0,
    };
    let mut by_spans: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for curve in curves {
        // A curve that is not present is constant.
        let spans = moment.header(words, curve).map_or(1, |(_, h)| h.spans);
        by_spans.entry(spans).or_default().push(curve);
    }
    by_spans
}

fn segment_secs(record: &ClipRecord, segment: u32) -> f64 {
    f64::from(segment) / f64::from(record.segments_per_sec)
}

/// Times of the knots of a curve, with both ends of the segment.
fn knots(record: &ClipRecord, segment: u32, spans: u32) -> Vec<f64> {
    let [start, end] = [segment, segment + 1].map(|s| segment_secs(record, s));
    let knot = |span: u32| start + (end - start) * f64::from(span) / f64::from(spans);
    (0..=spans).map(knot).collect()
}

/// Half the width of a kink: decoders compute times in float32, so that a knot is anywhere within a few roundings.
fn blur(secs: f64) -> f64 {
    4.0 * f64::from(f32::EPSILON) * secs + 1e-9
}

/// Returns the pieces between some times, without the times themselves: a curve may jump there. Both ends of the clip
/// belong to pieces.
fn pieces(mut breaks: Vec<f64>, duration_secs: f64) -> Vec<[f64; 2]> {
    breaks.sort_by(f64::total_cmp);
    let before = |time: f64| {
        if time >= duration_secs {
            time
        } else {
            time - blur(time)
        }
    };
    let after = |time: f64| if time <= 0.0 { time } else { time + blur(time) };
    let mut pieces = Vec::with_capacity(breaks.len());
    let mut kink = breaks[0];
    let mut start = after(kink);
    for &time in &breaks {
        // Times closer than rounding are one kink.
        if time - kink > 4.0 * blur(time) {
            push_even(&mut pieces, start, before(time));
            kink = time;
        }
        start = after(time);
    }
    pieces
}

/// Adds a piece, divided evenly where it is too long.
fn push_even(pieces: &mut Vec<[f64; 2]>, start: f64, end: f64) {
    if end <= start {
        return;
    }
    let count = ((end - start) / MAX_SECS - LEFT_OVER).ceil().max(1.0);
    let at = |index: f64| start + (end - start) * (index / count);
    pieces.extend((0..count as u64).map(|index| [at(index as f64), at(index as f64 + 1.0)]));
}

/// True where a piece is in one of the sorted intervals.
fn is_in(intervals: &[[f64; 2]], [start, end]: &[f64; 2]) -> bool {
    let middle = 0.5 * (start + end);
    let after = intervals.partition_point(|interval| interval[0] <= middle);
    after > 0 && middle < intervals[after - 1][1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_leave_out_kinks_and_keep_both_ends() {
        let pieces = pieces(vec![0.02, 0.0, 0.01, 0.01 + 1e-9, 0.03], 0.03);
        assert_eq!(pieces.len(), 3);
        assert_eq!((pieces[0][0], pieces[2][1]), (0.0, 0.03));
        for (pair, kink) in pieces.windows(2).zip([0.01, 0.02]) {
            assert!(pair[0][1] < kink && pair[1][0] > kink);
            assert!(pair[1][0] - pair[0][1] < 1e-7);
        }
    }

    #[test]
    fn ends_of_a_segment_are_kinks() {
        let pieces = pieces(vec![0.01, 0.02], 1.0);
        assert_eq!(pieces.len(), 1);
        assert!(pieces[0][0] > 0.01 && pieces[0][1] < 0.02);
    }

    #[test]
    fn long_piece_is_divided() {
        let pieces = pieces(vec![0.0, 0.1], 0.1);
        assert_eq!(pieces.len(), 3);
        assert!((pieces[1][0] - 1.0 / 30.0).abs() < 1e-12);
        assert_eq!(pieces[2][1], 0.1);
    }

    #[test]
    fn clip_without_duration_is_one_time() {
        assert!(pieces(vec![0.0, 0.0], 0.0).is_empty());
    }
}
