//! Sampling of a clip at times that are close together.

use glam::{DQuat, Quat};
use throng_rig::{Character, Clip, Interpolation, Key, LocalPose, Track};

/// Samples clips as [`LocalPose::sample`] does. Between two keys, the arc of a rotation is computed once.
#[derive(Debug, Default)]
pub(super) struct ClipCursor {
    clip: usize,
    /// One per entry of [`Clip::joints`].
    arcs: Vec<Option<Arc>>,
}

/// The arc from a key of a rotation to the next.
#[derive(Debug, Clone, Copy)]
struct Arc {
    from_secs: f64,
    to_secs: f64,
    from: DQuat,
    to: DQuat,
    /// Half the angle between both, and its sine.
    angle: f64,
    sine: f64,
}

impl ClipCursor {
    /// Samples a clip, whose index identifies it.
    pub fn sample(
        &mut self,
        character: &Character,
        (index, clip): (usize, &Clip),
        time_secs: f64,
        out: &mut LocalPose,
    ) {
        if self.clip != index || self.arcs.len() != clip.joints().len() {
            self.clip = index;
            self.arcs.clear();
            self.arcs.resize(clip.joints().len(), None);
        }
        out.set_rest(character);
        for (tracks, arc) in clip.joints().iter().zip(&mut self.arcs) {
            let joint = &mut out.joints[tracks.joint];
            if let Some(track) = &tracks.translation {
                joint.translation = track.sample(time_secs);
            }
            if let Some(track) = &tracks.rotation {
                joint.rotation = rotation(track, time_secs, arc);
            }
            if let Some(track) = &tracks.scale {
                joint.scale = track.sample(time_secs);
            }
        }
        for track in clip.morphs() {
            let range = character.morph_sets()[track.set].range();
            track.sample(time_secs, &mut out.morph_weights[range]);
        }
    }
}

/// Samples a rotation and keeps the arc of the time.
fn rotation(track: &Track<Quat>, time_secs: f64, arc: &mut Option<Arc>) -> DQuat {
    if track.interpolation() != Interpolation::Linear {
        return track.sample(time_secs);
    }
    if let Some(arc) = arc.filter(|arc| arc.contains(time_secs)) {
        return arc.at(time_secs);
    }
    let times = track.times();
    let after = times.partition_point(|&time| time <= time_secs);
    if after == 0 || after == times.len() || times[after - 1] == time_secs {
        return track.sample(time_secs);
    }
    let key = after - 1;
    let found = Arc::new(&times[key..=after], &track.values()[key..=after]);
    *arc = Some(found);
    found.at(time_secs)
}

impl Arc {
    fn new(times: &[f64], values: &[Quat]) -> Self {
        let (from, mut to) = (values[0].value(), values[1].value());
        if from.dot(to) < 0.0 {
            to = -to;
        }
        let angle = from.dot(to).min(1.0).acos();
        Self {
            from_secs: times[0],
            to_secs: times[1],
            from,
            to,
            angle,
            sine: angle.sin(),
        }
    }

    fn contains(&self, time_secs: f64) -> bool {
        self.from_secs < time_secs && time_secs < self.to_secs
    }

    /// Returns the rotation at a time in the arc: spherical linear interpolation.
    fn at(&self, time_secs: f64) -> DQuat {
        let fraction = (time_secs - self.from_secs) / (self.to_secs - self.from_secs);
        if self.from.dot(self.to) > 1.0 - f64::EPSILON {
            return self.from.lerp(self.to, fraction);
        }
        let from = (self.angle * (1.0 - fraction)).sin();
        let to = (self.angle * fraction).sin();
        (self.from * from + self.to * to) * (1.0 / self.sine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use throng_import::builtin::builtin;
    use throng_rig::JointTracks;

    fn assert_same(character: &Character, clip: (usize, &Clip), cursor: &mut ClipCursor) {
        let (mut found, mut expected) = (LocalPose::rest(character), LocalPose::rest(character));
        let (start, end) = (clip.1.start_secs(), clip.1.end_secs());
        // Forwards in small steps, back, and at the keys themselves.
        let steps = (0..=500).chain([120, 3, 499, 250]);
        let times = steps.map(|step| start + (end - start) * f64::from(step) / 500.0);
        let keys: Vec<f64> = clip.1.key_times().flatten().copied().collect();
        for time_secs in times.chain(keys) {
            cursor.sample(character, clip, time_secs, &mut found);
            expected.sample(character, clip.1, time_secs);
            for (found, expected) in found.joints.iter().zip(&expected.joints) {
                assert_eq!(found.translation, expected.translation);
                assert_eq!(found.scale, expected.scale);
                let difference = found.rotation - expected.rotation;
                assert!(difference.length() < 1e-15, "{time_secs}: {difference}");
            }
        }
    }

    #[test]
    fn samples_equal_those_of_the_clip() {
        let character = builtin("humanoid:1000").unwrap();
        let mut cursor = ClipCursor::default();
        // Both clips again after each other: arcs of one are not taken for those of the other.
        for index in [0, 1, 0] {
            assert_same(&character, (index, &character.clips()[index]), &mut cursor);
        }
    }

    #[test]
    fn equal_and_opposite_keys_are_sampled() {
        let turn = Quat::from_axis_angle(Vec3::X, 1.0);
        let values = vec![turn, turn, -turn, Quat::IDENTITY, -Quat::IDENTITY, turn];
        let times: Vec<f64> = (0..values.len()).map(|key| key as f64).collect();
        let track = Track::new(times.into(), values, Interpolation::Linear).unwrap();
        let tracks = JointTracks {
            rotation: Some(track),
            ..JointTracks::new(0)
        };
        let clip = Clip::new(String::new(), vec![tracks], vec![]).unwrap();
        let character = builtin("bar").unwrap();
        assert_same(&character, (0, &clip), &mut ClipCursor::default());
    }
}
