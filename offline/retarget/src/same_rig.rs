//! Motion of a rig on the same rig: tracks are copied, not sampled.

use glam::{DAffine3, DQuat, DVec3, Quat, Vec3};
use throng_rig::{Clip, Interpolation, JointTracks, Key, Skeleton, Track, TrackError};

use crate::global_pose::{GlobalPose, extent};
use crate::joint_map::{JointMap, ancestors};

/// Largest difference of rest positions of one rig, as a part of the character's extent.
const SAME_POSITION: f64 = 1e-4;
/// Largest difference of rest scales of one rig.
const SAME_SCALE: f64 = 1e-4;
/// Largest angle between rest rotations that counts as none, in radians.
const SAME_ROTATION: f64 = 1e-3;
/// Largest difference of a conversion from none: the rounding of files.
const NO_CONVERSION: f64 = 1e-6;

/// Conversion of tracks between two skeletons whose joints have the same axes.
#[derive(Debug, Clone, PartialEq)]
pub struct SameRig {
    /// Pairs of joints, of character and motion.
    joints: Vec<Copied>,
}

/// Conversion of the tracks of a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Copied {
    target: usize,
    source: usize,
    /// Rotation, before the track's.
    rotation: Option<DQuat>,
    /// Transform of translations.
    translation: Option<DAffine3>,
    /// Factor of scales.
    scale: Option<DVec3>,
    /// Rotation where the motion has no track, if it is not that of the character's rest pose.
    rest_rotation: Option<DQuat>,
}

impl SameRig {
    /// Compares the skeletons. `None` where they are not one rig: where joints have other parents, other offsets from them
    /// (but for one factor), or other axes in the same posture; or where a joint is animated that has no pair.
    ///
    /// Rest rotations may differ: files without a mesh often store the first frame as their rest pose.
    pub fn find(
        map: &JointMap,
        [source, target]: [&Skeleton; 2],
        [source_rest, target_rest]: [&GlobalPose; 2],
        clips: &[Clip],
    ) -> Option<Self> {
        let is_root = |target_joint| map.moved_ancestor(target, target_joint).is_none();
        let local = |skeleton: &Skeleton, joint: usize| skeleton.joints()[joint].parent_from_joint;
        let inner: Vec<(usize, usize)> = map.pairs().filter(|&(to, _)| !is_root(to)).collect();
        let is_child = |&(to, from): &(usize, usize)| {
            let parent = target.joints()[to].parent?;
            let same = source.joints()[from].parent == map.source_of(parent);
            same.then_some(())
        };
        inner.iter().map(is_child).collect::<Option<()>>()?;

        let ratio = |length: &dyn Fn(usize, usize) -> [f64; 2]| {
            let sums = inner.iter().fold([0.0; 2], |sums, &(to, from)| {
                let lengths = length(to, from);
                [sums[0] + lengths[0], sums[1] + lengths[1]]
            });
            match sums[1] > 0.0 && sums[0] > 0.0 {
                true => sums[0] / sums[1],
                false => 1.0,
            }
        };
        let offset_ratio = ratio(&|to, from| {
            [
                local(target, to).translation.length(),
                local(source, from).translation.length(),
            ]
        });
        let bone = |pose: &GlobalPose, skeleton: &Skeleton, joint: usize| {
            let parent = skeleton.joints()[joint].parent;
            parent.map_or(0.0, |p| pose.position(joint).distance(pose.position(p)))
        };
        let size_ratio = ratio(&|to, from| {
            [
                bone(target_rest, target, to),
                bone(source_rest, source, from),
            ]
        });
        let (offset_ratio, size_ratio) = (exact_one(offset_ratio), exact_one(size_ratio));

        let size = extent(target_rest);
        let tolerance = SAME_POSITION * size / (size_ratio / offset_ratio).max(1e-9);
        let is_same = |&(to, from): &(usize, usize)| {
            let (to, from) = (local(target, to), local(source, from));
            to.translation.distance(offset_ratio * from.translation) <= tolerance
                && (to.scale - from.scale).abs().max_element() <= SAME_SCALE
        };
        if !inner.iter().all(is_same)
            || has_other_axes(
                map,
                &inner,
                [source, target],
                [source_rest, target_rest],
                size_ratio,
            )
        {
            return None;
        }

        let mut is_paired = vec![false; source.len()];
        map.pairs().for_each(|(_, from)| is_paired[from] = true);
        let mut is_above = vec![false; source.len()];
        for (_, from) in map.pairs() {
            ancestors(source, from).for_each(|joint| is_above[joint] = true);
        }
        let mut tracks = clips.iter().flat_map(Clip::joints);
        if tracks.any(|tracks| is_above[tracks.joint] && !is_paired[tracks.joint]) {
            return None;
        }

        let copied = |(to, from): (usize, usize)| {
            let (target_local, source_local) = (local(target, to), local(source, from));
            let mut copied = Copied {
                target: to,
                source: from,
                rotation: None,
                translation: None,
                scale: None,
                rest_rotation: None,
            };
            let mut rotation = source_local.rotation;
            if is_root(to) {
                let conversion = parent_conversion(
                    [source, target],
                    [source_rest, target_rest],
                    (to, from),
                    size_ratio,
                )?;
                let (scale, turn, _) = conversion.to_scale_rotation_translation();
                if (scale - DVec3::ONE).abs().max_element() > NO_CONVERSION
                    || turn.angle_between(DQuat::IDENTITY) > NO_CONVERSION
                    || conversion.translation.length() > NO_CONVERSION * size
                {
                    (copied.rotation, copied.translation) = (Some(turn), Some(conversion));
                    rotation = turn * rotation;
                }
                let ratio = target_local.scale / source_local.scale;
                let is_other = (ratio - DVec3::ONE).abs().max_element() > SAME_SCALE;
                copied.scale = (is_other && ratio.is_finite()).then_some(ratio);
            } else if offset_ratio != 1.0 {
                copied.translation = Some(DAffine3::from_scale(DVec3::splat(offset_ratio)));
            }
            let turned = rotation.angle_between(target_local.rotation) > NO_CONVERSION;
            copied.rest_rotation = turned.then_some(rotation);
            Some(copied)
        };
        let joints = map.pairs().map(copied).collect::<Option<Vec<_>>>()?;
        Some(Self { joints })
    }

    /// Returns the tracks of a clip on the character.
    pub fn copy(&self, clip: &Clip) -> Result<Vec<JointTracks>, TrackError> {
        let tracks_of = |source: usize| {
            let found = clip.joints().binary_search_by_key(&source, |t| t.joint);
            found.ok().map(|at| &clip.joints()[at])
        };
        let mut copied = Vec::new();
        for joint in &self.joints {
            let empty = JointTracks::new(joint.source);
            let tracks = tracks_of(joint.source).unwrap_or(&empty);
            let rotation = match (&tracks.rotation, joint.rotation) {
                (Some(track), Some(turn)) => {
                    let turned = |_, q: Quat| (turn * q.as_dquat()).as_quat();
                    Some(converted(track, turned)?)
                }
                (Some(track), None) => Some(track.clone()),
                (None, _) => joint
                    .rest_rotation
                    .map(|r| constant(r.as_quat(), clip))
                    .transpose()?,
            };
            let translation = match (&tracks.translation, joint.translation) {
                (Some(track), Some(transform)) => Some(converted(track, |is_tangent, v: Vec3| {
                    let v = v.as_dvec3();
                    let moved = match is_tangent {
                        true => transform.transform_vector3(v),
                        false => transform.transform_point3(v),
                    };
                    moved.as_vec3()
                })?),
                (track, _) => track.clone(),
            };
            let scale = match (&tracks.scale, joint.scale) {
                (Some(track), Some(ratio)) => {
                    let scaled = |_, v: Vec3| (v.as_dvec3() * ratio).as_vec3();
                    Some(converted(track, scaled)?)
                }
                (track, _) => track.clone(),
            };
            let all = JointTracks {
                joint: joint.target,
                translation,
                rotation,
                scale,
            };
            if all != JointTracks::new(joint.target) {
                copied.push(all);
            }
        }
        Ok(copied)
    }
}

/// Removes the rounding of files from a factor.
fn exact_one(ratio: f64) -> f64 {
    match (ratio - 1.0).abs() < NO_CONVERSION {
        true => 1.0,
        false => ratio,
    }
}

/// True where the postures agree, but rotations do not: the joints have other axes.
fn has_other_axes(
    map: &JointMap,
    inner: &[(usize, usize)],
    [source, target]: [&Skeleton; 2],
    [source_rest, target_rest]: [&GlobalPose; 2],
    size_ratio: f64,
) -> bool {
    let local = |skeleton: &Skeleton, joint: usize| skeleton.joints()[joint].parent_from_joint;
    let differ = |&(to, from): &(usize, usize)| {
        let angle = local(target, to)
            .rotation
            .angle_between(local(source, from).rotation);
        angle > SAME_ROTATION
    };
    if !inner.iter().any(differ) {
        return false;
    }
    let tolerance = 10.0 * SAME_POSITION * extent(target_rest);
    let bone = |pose: &GlobalPose, skeleton: &Skeleton, joint: usize| {
        let parent = skeleton.joints()[joint].parent;
        parent.map_or(DVec3::ZERO, |p| pose.position(joint) - pose.position(p))
    };
    // Both may be turned as a whole.
    let root = map
        .pairs()
        .find(|&(to, _)| map.moved_ancestor(target, to).is_none());
    let turn = root.map_or(DQuat::IDENTITY, |(to, from)| {
        target_rest.rotations[to] * source_rest.rotations[from].inverse()
    });
    let same_bones = |turn: DQuat| {
        inner.iter().all(|&(to, from)| {
            let bones = [
                bone(target_rest, target, to),
                bone(source_rest, source, from),
            ];
            bones[0].distance(size_ratio * (turn * bones[1])) <= tolerance
        })
    };
    same_bones(turn) || same_bones(DQuat::IDENTITY)
}

/// Transform from the space of the motion's parent to that of the character's; `None` where one of them is sheared or has
/// no size.
fn parent_conversion(
    [source, target]: [&Skeleton; 2],
    [source_rest, target_rest]: [&GlobalPose; 2],
    (to, from): (usize, usize),
    size_ratio: f64,
) -> Option<DAffine3> {
    let parent = |skeleton: &Skeleton, rest: &GlobalPose, joint: usize| {
        let parent = skeleton.joints()[joint].parent;
        parent.map_or(DAffine3::IDENTITY, |parent| rest.transforms[parent])
    };
    let parents = [
        parent(target, target_rest, to),
        parent(source, source_rest, from),
    ];
    let conversion =
        parents[0].inverse() * DAffine3::from_scale(DVec3::splat(size_ratio)) * parents[1];
    let axes = conversion.matrix3;
    let lengths = DVec3::new(
        axes.x_axis.length(),
        axes.y_axis.length(),
        axes.z_axis.length(),
    );
    let is_uniform = lengths.max_element() - lengths.min_element() < SAME_SCALE * lengths.x;
    (conversion.is_finite() && is_uniform && axes.determinant() > 0.0).then_some(conversion)
}

/// Converts the values of a track; the first argument is true for tangents.
fn converted<K: Key>(
    track: &Track<K>,
    convert: impl Fn(bool, K) -> K,
) -> Result<Track<K>, TrackError> {
    let interpolation = track.interpolation();
    let values = track.values().iter().enumerate().map(|(index, &value)| {
        let is_tangent = interpolation == Interpolation::CubicSpline && index % 3 != 1;
        convert(is_tangent, value)
    });
    Track::new(track.times().into(), values.collect(), interpolation)
}

/// A track of one value.
fn constant<K: Key>(value: K, clip: &Clip) -> Result<Track<K>, TrackError> {
    let times = [clip.start_secs()].as_slice().into();
    Track::new(times, vec![value], Interpolation::Linear)
}
