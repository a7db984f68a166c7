//! Morph weights of a clip.

use super::keys::KeyTimes;
use crate::{Character, Clip, Interpolation, MorphSet, MorphTrack};

/// Morph tracks of a clip.
#[derive(Debug, Clone)]
pub(super) struct MorphLayout {
    /// Weights of all morph sets in the rest pose.
    rest: Vec<f32>,
    tracks: Vec<MorphSpans>,
}

/// Keys of the weights of one morph set.
#[derive(Debug, Clone)]
struct MorphSpans {
    times: KeyTimes,
    /// Index of the first weight.
    first: usize,
    /// Coefficients of the cubic in the fraction of time to the next key, per key and weight.
    cubics: Vec<[f32; 4]>,
    weights: usize,
}

impl MorphLayout {
    /// Lays out the morph tracks of a clip of the character.
    pub(super) fn new(character: &Character, clip: &Clip) -> Self {
        let sets = character.morph_sets();
        let rest = sets.iter().flat_map(MorphSet::rest_weights);
        let tracks = clip.morphs().iter();
        Self {
            rest: rest.copied().collect(),
            tracks: tracks
                .map(|track| MorphSpans::new(track, sets[track.set].range().start))
                .collect(),
        }
    }

    /// Number of weights of all morph sets.
    pub(super) fn len(&self) -> usize {
        self.rest.len()
    }

    /// Writes the weights at a time.
    pub(super) fn sample(&self, time_secs: f64, out: &mut [f32]) {
        out.copy_from_slice(&self.rest);
        for track in &self.tracks {
            track.each(time_secs, |index, weight| out[index] = weight);
        }
    }

    /// Blends towards the weights at a time.
    pub(super) fn blend(&self, time_secs: f64, fade: f32, out: &mut [f32]) {
        for (out, rest) in out.iter_mut().zip(&self.rest) {
            *out += (rest - *out) * fade;
        }
        for track in &self.tracks {
            track.each(time_secs, |index, weight| {
                out[index] += (weight - self.rest[index]) * fade;
            });
        }
    }
}

impl MorphSpans {
    fn new(track: &MorphTrack, first: usize) -> Self {
        let (times, weights) = (track.times(), track.weight_count());
        let value = |index: usize, weight| f64::from(track.weights()[index * weights + weight]);
        let mut cubics = Vec::with_capacity(times.len() * weights);
        for key in 0..times.len() {
            let span_secs = times.get(key + 1).map(|next| next - times[key]);
            for weight in 0..weights {
                let at = |index| value(index, weight);
                let cubic = match (track.interpolation(), span_secs) {
                    (Interpolation::CubicSpline, None) => [at(3 * key + 1), 0.0, 0.0, 0.0],
                    (Interpolation::CubicSpline, Some(secs)) => {
                        let [from, to] = [at(3 * key + 1), at(3 * key + 4)];
                        let [leaving, arriving] = [secs * at(3 * key + 2), secs * at(3 * key + 3)];
                        let square = 3.0 * (to - from) - 2.0 * leaving - arriving;
                        let cube = 2.0 * (from - to) + leaving + arriving;
                        [from, leaving, square, cube]
                    }
                    (Interpolation::Linear, Some(_)) => [at(key), at(key + 1) - at(key), 0.0, 0.0],
                    (Interpolation::Linear | Interpolation::Step, _) => [at(key), 0.0, 0.0, 0.0],
                };
                cubics.push(cubic.map(|coefficient| coefficient as f32));
            }
        }
        Self {
            times: KeyTimes::new(times),
            first,
            cubics,
            weights,
        }
    }

    /// Calls `take` with the index and the value of each weight.
    fn each(&self, time_secs: f64, mut take: impl FnMut(usize, f32)) {
        let (key, t) = self.times.locate(time_secs);
        let cubics = &self.cubics[key * self.weights..(key + 1) * self.weights];
        for (index, [constant, linear, square, cube]) in cubics.iter().enumerate() {
            take(
                self.first + index,
                ((cube * t + square) * t + linear) * t + constant,
            );
        }
    }
}
