//! Times at which a source jumps instead of moving.

use throng_rig::{Clip, Interpolation, Key, MorphTrack, Track};

/// Largest time between two keys that counts as a jump; importers rotation steps into such keys.
const INSTANT_SECS: f64 = 1e-6;

/// Smallest jump (as a part of the size, in radians, as a factor or as a weight) that is reported apart; the errors of
/// smaller ones stay in the main numbers.
const NEGLIGIBLE: f64 = 1e-5;

/// Returns the times at which the clip jumps, in seconds from its start, sorted.
pub(super) fn jump_times(clip: &Clip, size_m: f64) -> Vec<f64> {
    let mut times = Vec::new();
    for tracks in clip.joints() {
        if let Some(track) = &tracks.translation {
            of_track(track, &mut times, |a, b| {
                a.distance(b) > NEGLIGIBLE * size_m
            });
        }
        if let Some(track) = &tracks.rotation {
            of_track(track, &mut times, |a, b| a.angle_between(b) > NEGLIGIBLE);
        }
        if let Some(track) = &tracks.scale {
            of_track(track, &mut times, |a, b| a.distance(b) > NEGLIGIBLE);
        }
    }
    for track in clip.morphs() {
        of_morphs(track, &mut times);
    }
    times.retain(|time| (clip.start_secs()..=clip.end_secs()).contains(time));
    for time in &mut times {
        *time -= clip.start_secs();
    }
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

fn of_track<K: Key>(
    track: &Track<K>,
    times: &mut Vec<f64>,
    differ: impl Fn(K::Value, K::Value) -> bool,
) {
    let value = |key: usize| match track.interpolation() {
        Interpolation::CubicSpline => track.values()[3 * key + 1].value(),
        Interpolation::Step | Interpolation::Linear => track.values()[key].value(),
    };
    jumps(track.times(), track.interpolation(), times, |key| {
        differ(value(key), value(key + 1))
    });
}

fn of_morphs(track: &MorphTrack, times: &mut Vec<f64>) {
    let count = track.weight_count();
    let weights = |key: usize| {
        let value = match track.interpolation() {
            Interpolation::CubicSpline => 3 * key + 1,
            Interpolation::Step | Interpolation::Linear => key,
        };
        &track.weights()[value * count..(value + 1) * count]
    };
    jumps(track.times(), track.interpolation(), times, |key| {
        let pairs = weights(key).iter().zip(weights(key + 1));
        pairs
            .into_iter()
            .any(|(&a, &b)| f64::from(a - b).abs() > NEGLIGIBLE)
    });
}

/// Adds the times at which a track switches to its next key at once. `differs` compares a key with the next.
fn jumps(
    keys: &[f64],
    interpolation: Interpolation,
    times: &mut Vec<f64>,
    differs: impl Fn(usize) -> bool,
) {
    for (key, pair) in keys.windows(2).enumerate() {
        let at_once = interpolation == Interpolation::Step || pair[1] - pair[0] <= INSTANT_SECS;
        if at_once && differs(key) {
            times.push(pair[1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};
    use throng_rig::JointTracks;

    fn clip(times: &[f64], values: Vec<Vec3>, interpolation: Interpolation) -> Clip {
        let track = Track::new(times.into(), values, interpolation).unwrap();
        let tracks = JointTracks {
            translation: Some(track),
            ..JointTracks::new(0)
        };
        Clip::new(String::new(), vec![tracks], vec![]).unwrap()
    }

    #[test]
    fn steps_between_different_values_are_jumps() {
        let values = vec![
            Vec3::ZERO,
            Vec3::X,
            Vec3::X,
            Vec3::X * (1.0 + 1e-7),
            Vec3::Y,
        ];
        let times = [1.0, 1.5, 2.0, 2.5, 3.0];
        let stepped = clip(&times, values.clone(), Interpolation::Step);
        assert_eq!(jump_times(&stepped, 1.0), [0.5, 2.0]);
        let linear = clip(&times, values, Interpolation::Linear);
        assert!(jump_times(&linear, 1.0).is_empty());
    }

    #[test]
    fn two_keys_at_one_instant_are_a_jump() {
        let values = vec![Vec3::ZERO, Vec3::ZERO, Vec3::X, Vec3::X];
        let times = [0.0, 1.0 - 1e-7, 1.0, 2.0];
        let clip = clip(&times, values, Interpolation::Linear);
        assert_eq!(jump_times(&clip, 1.0), [1.0]);
    }

    #[test]
    fn opposite_sign_of_a_quaternion_is_no_jump() {
        let rotation = Quat::from_rotation_x(0.3);
        let track = Track::new(
            [0.0, 1.0].into(),
            vec![rotation, -rotation],
            Interpolation::Step,
        )
        .unwrap();
        let tracks = JointTracks {
            rotation: Some(track),
            ..JointTracks::new(0)
        };
        let clip = Clip::new(String::new(), vec![tracks], vec![]).unwrap();
        assert!(jump_times(&clip, 1.0).is_empty());
    }

    #[test]
    fn steps_of_morph_weights_are_jumps() {
        let weights = vec![0.0, 0.0, 0.0, 1.0];
        let track = MorphTrack::new(0, [0.0, 0.5].into(), weights, 2, Interpolation::Step).unwrap();
        let clip = Clip::new(String::new(), vec![], vec![track]).unwrap();
        assert_eq!(jump_times(&clip, 1.0), [0.5]);
    }
}
