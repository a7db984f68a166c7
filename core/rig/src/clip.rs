//! A clip: tracks of joints and of morph weights.

use std::sync::Arc;

use glam::{Quat, Vec3};
use thiserror::Error;

use crate::track::{KeyLocation, Times, hermite_basis};
use crate::{Interpolation, Track, TrackError};

/// Tracks of one joint. A channel without a track keeps its rest value.
#[derive(Debug, Clone, PartialEq)]
pub struct JointTracks {
    /// Index into the skeleton.
    pub joint: usize,
    /// In parent space, in metres.
    pub translation: Option<Track<Vec3>>,
    /// In parent space.
    pub rotation: Option<Track<Quat>>,
    /// Along the axes of the joint.
    pub scale: Option<Track<Vec3>>,
}

impl JointTracks {
    /// Makes an entry without tracks.
    pub fn new(joint: usize) -> Self {
        Self {
            joint,
            translation: None,
            rotation: None,
            scale: None,
        }
    }

    fn times(&self) -> impl Iterator<Item = &[f64]> {
        let translation = self.translation.as_ref().map(Track::times);
        let rotation = self.rotation.as_ref().map(Track::times);
        let scale = self.scale.as_ref().map(Track::times);
        [translation, rotation, scale].into_iter().flatten()
    }

    fn interpolations(&self) -> impl Iterator<Item = Interpolation> {
        let translation = self.translation.as_ref().map(Track::interpolation);
        let rotation = self.rotation.as_ref().map(Track::interpolation);
        let scale = self.scale.as_ref().map(Track::interpolation);
        [translation, rotation, scale].into_iter().flatten()
    }
}

/// Keys of all morph weights of one morph set.
#[derive(Debug, Clone, PartialEq)]
pub struct MorphTrack {
    /// Index into [`crate::Character::morph_sets`].
    pub set: usize,
    times: Times,
    weights: Vec<f32>,
    per_key: usize,
    interpolation: Interpolation,
}

impl MorphTrack {
    /// Makes a track. `weights` holds `per_key` numbers per value; see [`Interpolation::values_per_key`].
    pub fn new(
        set: usize,
        times: Arc<[f64]>,
        weights: Vec<f32>,
        per_key: usize,
        interpolation: Interpolation,
    ) -> Result<Self, TrackError> {
        let times = Times::new(times)?;
        times.check_values(interpolation, per_key, weights.len())?;
        if let Some(value) = weights.iter().position(|w| !w.is_finite()) {
            return Err(TrackError::ValueNotFinite { value });
        }
        Ok(Self {
            set,
            times,
            weights,
            per_key,
            interpolation,
        })
    }

    /// Makes the track that plays all frames of a vertex cache: weight `n`, the frame position, at the time of frame `n`.
    /// See [`crate::VertexCache`]. At most [`Self::MAX_FRAMES`] frames are exact.
    pub fn of_frames(set: usize, times: Arc<[f64]>) -> Result<Self, TrackError> {
        let positions = (0..times.len()).map(|frame| frame as f32).collect();
        Self::new(set, times, positions, 1, Interpolation::Linear)
    }

    /// Largest number of frames of [`Self::of_frames`]: positions are float32.
    pub const MAX_FRAMES: usize = 1 << 24;

    /// Number of weights of the set.
    pub fn weight_count(&self) -> usize {
        self.per_key
    }

    /// Times of the keys, in seconds.
    pub fn times(&self) -> &[f64] {
        self.times.as_slice()
    }

    /// Weights of the keys, [`Self::weight_count`] numbers per value; see [`Interpolation::values_per_key`].
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Interpolation between keys.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// Writes the weights at a time into `out`, which has [`Self::weight_count`] numbers.
    pub fn sample(&self, time_secs: f64, out: &mut [f64]) {
        let n = self.per_key;
        let values = |index: usize| &self.weights[index * n..(index + 1) * n];
        let key_values = |key: usize| match self.interpolation {
            Interpolation::Step | Interpolation::Linear => values(key),
            Interpolation::CubicSpline => values(3 * key + 1),
        };
        match self.times.locate(time_secs) {
            KeyLocation::Between {
                key,
                fraction,
                span_secs,
            } if self.interpolation != Interpolation::Step => {
                let (from, to) = (key_values(key), key_values(key + 1));
                let (out_tangent, in_tangent, basis) = match self.interpolation {
                    Interpolation::CubicSpline => (
                        values(3 * key + 2),
                        values(3 * key + 3),
                        hermite_basis(fraction, span_secs),
                    ),
                    _ => (from, to, [1.0 - fraction, 0.0, 0.0, fraction]),
                };
                for (i, weight) in out.iter_mut().enumerate() {
                    *weight = basis[0] * f64::from(from[i])
                        + basis[1] * f64::from(out_tangent[i])
                        + basis[2] * f64::from(in_tangent[i])
                        + basis[3] * f64::from(to[i]);
                }
            }
            KeyLocation::Key(key) | KeyLocation::Between { key, .. } => {
                for (weight, &value) in out.iter_mut().zip(key_values(key)) {
                    *weight = f64::from(value);
                }
            }
        }
    }
}

/// A named motion. It spans its first to its last key, in the file's time.
#[derive(Debug, Clone, PartialEq)]
pub struct Clip {
    /// Name as in the file; need not be unique and may be empty.
    pub name: String,
    joints: Vec<JointTracks>,
    morphs: Vec<MorphTrack>,
    start_secs: f64,
    end_secs: f64,
    source_spacing_secs: Option<f64>,
}

/// Tracks that do not make a clip.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ClipError {
    /// A joint has more than one set of tracks.
    #[error("joint {joint} has more than one set of tracks")]
    DuplicateJoint {
        /// Index of the joint.
        joint: usize,
    },
    /// A morph set has more than one track.
    #[error("morph set {set} has more than one track")]
    DuplicateMorphSet {
        /// Index of the morph set.
        set: usize,
    },
}

impl Clip {
    /// Makes a clip of tracks. A clip without tracks starts and ends at 0 s.
    pub fn new(
        name: String,
        mut joints: Vec<JointTracks>,
        mut morphs: Vec<MorphTrack>,
    ) -> Result<Self, ClipError> {
        joints.sort_by_key(|t| t.joint);
        morphs.sort_by_key(|t| t.set);
        if let Some(pair) = joints
            .windows(2)
            .find(|pair| pair[0].joint == pair[1].joint)
        {
            return Err(ClipError::DuplicateJoint {
                joint: pair[0].joint,
            });
        }
        if let Some(pair) = morphs.windows(2).find(|pair| pair[0].set == pair[1].set) {
            return Err(ClipError::DuplicateMorphSet { set: pair[0].set });
        }
        let mut clip = Self {
            name,
            joints,
            morphs,
            start_secs: 0.0,
            end_secs: 0.0,
            source_spacing_secs: None,
        };
        let ends = clip
            .key_times()
            .map(|times| (times[0], times[times.len() - 1]))
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        (clip.start_secs, clip.end_secs) = ends.unwrap_or((0.0, 0.0));
        Ok(clip)
    }

    /// Sets the time span and the finest key spacing of the file. For tracks that were sampled from other
    /// curves, whose keys are not those of the file.
    pub fn with_source_timing(
        mut self,
        start_secs: f64,
        end_secs: f64,
        spacing_secs: Option<f64>,
    ) -> Self {
        self.start_secs = start_secs;
        self.end_secs = end_secs.max(start_secs);
        self.source_spacing_secs = spacing_secs;
        self
    }

    /// Returns a clip of the same name, time span and finest key spacing with other tracks of joints, and without tracks of
    /// morph weights.
    pub fn with_joints(&self, joints: Vec<JointTracks>) -> Result<Self, ClipError> {
        let made = Self::new(self.name.clone(), joints, Vec::new())?;
        Ok(Self {
            start_secs: self.start_secs,
            end_secs: self.end_secs,
            source_spacing_secs: self.source_spacing_secs,
            ..made
        })
    }

    /// Tracks per joint, in the order of the skeleton.
    pub fn joints(&self) -> &[JointTracks] {
        &self.joints
    }

    /// Tracks per morph set.
    pub fn morphs(&self) -> &[MorphTrack] {
        &self.morphs
    }

    /// Time of the first key.
    pub fn start_secs(&self) -> f64 {
        self.start_secs
    }

    /// Time of the last key.
    pub fn end_secs(&self) -> f64 {
        self.end_secs
    }

    /// Time from the first key to the last.
    pub fn duration_secs(&self) -> f64 {
        self.end_secs - self.start_secs
    }

    /// Returns true if a track has keys that differ. Some exporters write a take that moves nothing before the real ones.
    pub fn moves(&self) -> bool {
        fn differ<T: PartialEq>(values: &[T]) -> bool {
            values.windows(2).any(|pair| pair[0] != pair[1])
        }
        let joints = self.joints.iter().any(|tracks| {
            let vectors = [&tracks.translation, &tracks.scale];
            let mut vectors = vectors.into_iter().flatten();
            let rotation = tracks.rotation.as_ref();
            vectors.any(|track| differ(track.values()))
                || rotation.is_some_and(|t| differ(t.values()))
        });
        let mut morphs = self.morphs.iter();
        joints
            || morphs.any(|track| {
                (track.per_key..track.weights.len())
                    .any(|i| track.weights[i] != track.weights[i - track.per_key])
            })
    }

    /// Key times of each track, in the file's time.
    pub fn key_times(&self) -> impl Iterator<Item = &[f64]> {
        let joints = self.joints.iter().flat_map(JointTracks::times);
        joints.chain(self.morphs.iter().map(MorphTrack::times))
    }

    /// Number of tracks.
    pub fn track_count(&self) -> usize {
        self.key_times().count()
    }

    /// Number of keys of all tracks.
    pub fn key_count(&self) -> usize {
        self.key_times().map(<[f64]>::len).sum()
    }

    /// Smallest time between two keys of the file; `None` if no track has two.
    pub fn finest_spacing_secs(&self) -> Option<f64> {
        if self.source_spacing_secs.is_some() {
            return self.source_spacing_secs;
        }
        self.key_times()
            .flat_map(|times| times.windows(2))
            .map(|pair| pair[1] - pair[0])
            .min_by(f64::total_cmp)
    }

    /// Interpolations in use, without duplicates, in the order step, linear, cubic spline.
    pub fn interpolations(&self) -> Vec<Interpolation> {
        let used: Vec<_> = self
            .joints
            .iter()
            .flat_map(JointTracks::interpolations)
            .chain(self.morphs.iter().map(|m| m.interpolation))
            .collect();
        [
            Interpolation::Step,
            Interpolation::Linear,
            Interpolation::CubicSpline,
        ]
        .into_iter()
        .filter(|i| used.contains(i))
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joint(index: usize, times: &[f64]) -> JointTracks {
        let values = vec![Vec3::ZERO; times.len()];
        JointTracks {
            translation: Some(Track::new(times.into(), values, Interpolation::Linear).unwrap()),
            ..JointTracks::new(index)
        }
    }

    #[test]
    fn clip_spans_all_its_tracks() {
        let clip = Clip::new(
            "c".into(),
            vec![joint(1, &[1.0, 1.25, 2.0]), joint(0, &[0.5, 1.0])],
            vec![],
        )
        .unwrap();
        assert_eq!((clip.start_secs(), clip.end_secs()), (0.5, 2.0));
        assert_eq!(clip.duration_secs(), 1.5);
        assert_eq!(clip.finest_spacing_secs(), Some(0.25));
        assert_eq!((clip.track_count(), clip.key_count()), (2, 5));
    }

    #[test]
    fn clip_without_tracks_has_no_duration() {
        let clip = Clip::new(String::new(), vec![], vec![]).unwrap();
        assert_eq!((clip.start_secs(), clip.duration_secs()), (0.0, 0.0));
        assert_eq!(clip.finest_spacing_secs(), None);
    }

    #[test]
    fn rejects_two_tracks_of_one_joint_or_morph_set() {
        let twice = vec![joint(4, &[0.0]), joint(4, &[0.0])];
        assert_eq!(
            Clip::new(String::new(), twice, vec![]),
            Err(ClipError::DuplicateJoint { joint: 4 })
        );
        let morph =
            || MorphTrack::new(2, [0.0].into(), vec![1.0], 1, Interpolation::Linear).unwrap();
        assert_eq!(
            Clip::new(String::new(), vec![], vec![morph(), morph()]),
            Err(ClipError::DuplicateMorphSet { set: 2 })
        );
    }

    #[test]
    fn morph_weights_are_interpolated_like_other_tracks() {
        let times: Arc<[f64]> = [0.0, 2.0].into();
        let mut out = [0.0; 2];
        let weights = vec![0.0, 1.0, 1.0, 3.0];
        for (interpolation, expected) in [
            (Interpolation::Linear, [0.25, 1.5]),
            (Interpolation::Step, [0.0, 1.0]),
        ] {
            MorphTrack::new(0, times.clone(), weights.clone(), 2, interpolation)
                .unwrap()
                .sample(0.5, &mut out);
            assert_eq!(out, expected);
        }
        // In-tangent, value and out-tangent of each key; slopes of a straight line.
        let spline = vec![0.5, 1.0, 0.0, 1.0, 0.5, 1.0, 0.5, 1.0, 1.0, 3.0, 0.5, 1.0];
        let track = MorphTrack::new(0, times, spline, 2, Interpolation::CubicSpline).unwrap();
        track.sample(0.5, &mut out);
        assert_eq!(out, [0.25, 1.5]);
        track.sample(7.0, &mut out);
        assert_eq!(out, [1.0, 3.0]);
    }
}
