//! Memory layout of a clip that is sampled for a crowd.

use std::collections::HashMap;

use glam::DVec3;
use throng_simd::Lanes;

use super::keys::KeyTimes;
use super::pose::{Mat3x4, rows_of};
use super::spans::{RowKey, SpanKind, Spans};
use crate::{Clip, JointTracks, Skeleton, Track, Transform};

/// Tracks of a clip, grouped by their key times.
#[derive(Debug, Clone)]
pub(super) struct ClipLayout {
    pub(super) groups: Vec<Group>,
    /// Coefficients of all groups.
    pub(super) rows: Vec<Lanes>,
    /// One per joint of the skeleton.
    pub(super) joints: Vec<JointLayout>,
}

/// Tracks that have the same key times. Their rows are contiguous, key by key, so that an instance reads
/// one range of memory.
#[derive(Debug, Clone)]
pub(super) struct Group {
    pub(super) times: KeyTimes,
    /// Index of the first row of the first key.
    pub(super) first_row: usize,
    pub(super) rows_per_key: usize,
}

/// Parent and source of the local transform of a joint.
#[derive(Debug, Clone)]
pub(super) struct JointLayout {
    pub(super) parent: Option<usize>,
    pub(super) local: Local,
}

/// Source of `parent_from_joint`.
#[derive(Debug, Clone)]
pub(super) struct Local {
    pub(super) translation: Channel,
    pub(super) rotation: Channel,
    pub(super) scale: Channel,
    /// False if the scale is always one.
    pub(super) scales: bool,
    /// The matrix, if it is constant over the clip.
    pub(super) constant: Option<Mat3x4>,
}

/// Source of three or four numbers.
#[derive(Debug, Clone, Copy)]
pub(super) enum Channel {
    Constant([f32; 4]),
    Animated {
        kind: SpanKind,
        group: usize,
        /// Index of the track's first row among those of a key.
        row: usize,
    },
}

impl ClipLayout {
    /// Lays out a clip of a character with this skeleton.
    pub(super) fn new(skeleton: &Skeleton, clip: &Clip) -> Self {
        let mut tracks_of = vec![None; skeleton.len()];
        for tracks in clip.joints() {
            tracks_of[tracks.joint] = Some(tracks);
        }
        let mut builder = Builder::default();
        let joints = skeleton
            .joints()
            .iter()
            .zip(tracks_of)
            .map(|(joint, tracks)| JointLayout {
                parent: joint.parent,
                local: builder.local(joint.parent_from_joint, tracks),
            })
            .collect();
        let (groups, rows) = builder.finish();
        Self {
            groups,
            rows,
            joints,
        }
    }
}

#[derive(Default)]
struct Builder {
    groups: Vec<GroupBuilder>,
    group_of: HashMap<Vec<u64>, usize>,
}

struct GroupBuilder {
    times: KeyTimes,
    keys: usize,
    rows_per_key: usize,
    tracks: Vec<(SpanKind, Vec<Lanes>)>,
}

impl Builder {
    fn local(&mut self, rest: Transform, tracks: Option<&JointTracks>) -> Local {
        let translation = tracks.and_then(|t| t.translation.as_ref());
        let rotation = tracks.and_then(|t| t.rotation.as_ref());
        let scale = tracks.and_then(|t| t.scale.as_ref());
        let (translation, constant_translation) = self.channel(translation, rest.translation);
        let (rotation, constant_rotation) = self.channel(rotation, rest.rotation);
        let (scale, constant_scale) = self.channel(scale, rest.scale);
        let constant = match (constant_translation, constant_rotation, constant_scale) {
            (Some(translation), Some(rotation), Some(scale)) => Some(Transform {
                translation,
                rotation,
                scale,
            }),
            _ => None,
        };
        Local {
            translation,
            rotation,
            scale,
            scales: constant_scale != Some(DVec3::ONE),
            constant: constant.map(|constant| rows_of(&constant.to_affine())),
        }
    }

    /// Returns the source of a value, and the value itself if it is constant.
    fn channel<K: RowKey>(
        &mut self,
        track: Option<&Track<K>>,
        rest: K::Value,
    ) -> (Channel, Option<K::Value>) {
        let value = match track {
            None => rest,
            Some(track) => match Spans::from(track) {
                Spans::Constant(value) => value,
                Spans::Animated { kind, rows } => {
                    return (self.animated(track.times(), kind, rows), None);
                }
            },
        };
        let four = K::four(&value).as_vec4().to_array();
        (Channel::Constant(four), Some(value))
    }

    fn animated(&mut self, times_secs: &[f64], kind: SpanKind, rows: Vec<Lanes>) -> Channel {
        let group = self.group(times_secs);
        let builder = &mut self.groups[group];
        let row = builder.rows_per_key;
        builder.rows_per_key += kind.rows();
        builder.tracks.push((kind, rows));
        Channel::Animated { kind, group, row }
    }

    fn group(&mut self, times_secs: &[f64]) -> usize {
        let bits = times_secs.iter().map(|t| t.to_bits()).collect();
        *self.group_of.entry(bits).or_insert_with(|| {
            self.groups.push(GroupBuilder {
                times: KeyTimes::new(times_secs),
                keys: times_secs.len(),
                rows_per_key: 0,
                tracks: Vec::new(),
            });
            self.groups.len() - 1
        })
    }

    fn finish(self) -> (Vec<Group>, Vec<Lanes>) {
        let mut rows = Vec::new();
        let groups = self.groups.into_iter().map(|group| {
            let first_row = rows.len();
            for key in 0..group.keys {
                for (kind, track) in &group.tracks {
                    let n = kind.rows();
                    rows.extend_from_slice(&track[key * n..(key + 1) * n]);
                }
            }
            Group {
                times: group.times,
                first_row,
                rows_per_key: group.rows_per_key,
            }
        });
        (groups.collect(), rows)
    }
}
