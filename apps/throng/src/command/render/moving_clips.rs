//! Clips that hold one pose, such as T-poses: a crowd leaves them out unless they are asked for.

use glam::{DAffine3, DVec3};
use throng_format::decode::{self, BonePose, VertexPose};
use throng_format::{Layout, TextureSet};
use throng_rig::{Character, CharacterPose, Clip};
use throng_skin::rest_size;

/// Poses of a clip that are compared.
const POSES: u32 = 24;
/// Movement of a clip that counts, as a part of the character's size: 0.1 %.
const LEAST_MOVEMENT: f64 = 1e-3;
/// Distance from a joint at which its rotation is measured, as a part of the character's size.
const REACH: f64 = 0.1;
/// Difference of a morph weight that counts.
const LEAST_MORPH: f64 = 0.01;

/// Times of the poses, from 0 to the duration of a clip.
fn times(duration_secs: f64) -> impl Iterator<Item = f64> {
    (0..POSES).map(move |pose| duration_secs * f64::from(pose) / f64::from(POSES - 1))
}

/// Returns for each clip of a character whether it moves something.
pub fn clips_of_character(character: &Character) -> Vec<bool> {
    let size = rest_size(character);
    let clips = character.clips().iter();
    clips
        .map(|clip| clip.moves() && moves(character, clip, size))
        .collect()
}

fn moves(character: &Character, clip: &Clip, size: f64) -> bool {
    let mut pose = CharacterPose::rest(character);
    let mut first: Option<Pose> = None;
    times(clip.duration_secs()).any(|time_secs| {
        pose.sample(character, clip, clip.start_secs() + time_secs);
        let now = Pose {
            joints: pose.model.model_from_joint.clone(),
            morphs: pose.local.morph_weights.clone(),
        };
        differs_from_first(&mut first, now, size)
    })
}

/// Returns for each clip of a set whether it moves something.
pub fn clips_of_set(set: &TextureSet) -> Vec<bool> {
    let size = rest_size(set.model());
    let clips = set.manifest().clips.iter().enumerate();
    let is_vertices = matches!(
        set.manifest().layout,
        Layout::Vertices(_) | Layout::VertexCurves(_)
    );
    let moves = |(clip, duration_secs): (usize, f64)| match is_vertices {
        true => vertices_move(set, clip, duration_secs, size),
        false => bones_move(set, clip, duration_secs, size),
    };
    clips
        .map(|(index, clip)| moves((index, clip.duration_secs)))
        .collect()
}

fn bones_move(set: &TextureSet, clip: usize, duration_secs: f64, size: f64) -> bool {
    let mut pose = BonePose::rest(set.model());
    let mut first = None;
    times(duration_secs).any(|time_secs| {
        decode::bones(set, clip, time_secs, &mut pose);
        let now = Pose {
            joints: pose.model_from_joint.clone(),
            morphs: pose.morph_weights.clone(),
        };
        differs_from_first(&mut first, now, size)
    })
}

fn vertices_move(set: &TextureSet, clip: usize, duration_secs: f64, size: f64) -> bool {
    let mut first: Option<Vec<DVec3>> = None;
    times(duration_secs).any(|time_secs| {
        let mut pose = VertexPose::default();
        decode::vertices(set, clip, time_secs, &mut pose);
        let first = first.get_or_insert_with(|| pose.offsets.clone());
        let mut pairs = first.iter().zip(&pose.offsets);
        pairs.any(|(a, b)| a.distance(*b) > LEAST_MOVEMENT * size)
    })
}

/// Joints in model space, and morph weights.
struct Pose {
    joints: Vec<DAffine3>,
    morphs: Vec<f64>,
}

fn differs_from_first(first: &mut Option<Pose>, now: Pose, size: f64) -> bool {
    let Some(first) = first else {
        *first = Some(now);
        return false;
    };
    let mut joints = first.joints.iter().zip(&now.joints);
    let mut morphs = first.morphs.iter().zip(&now.morphs);
    joints.any(|(a, b)| movement(a, b, REACH * size) > LEAST_MOVEMENT * size)
        || morphs.any(|(a, b)| (a - b).abs() > LEAST_MORPH)
}

/// Largest distance that points around a joint move from one pose to another.
fn movement(from: &DAffine3, to: &DAffine3, reach: f64) -> f64 {
    let (origin, moved) = (from.translation, *to * from.inverse());
    let points = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|axis| origin + reach * axis);
    let distances = points.map(|point| moved.transform_point3(point).distance(point));
    // A joint of scale 0 has no inverse.
    match distances.iter().all(|distance| distance.is_finite()) {
        true => distances.into_iter().fold(0.0, f64::max),
        false => to.translation.distance(origin),
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;
    use throng_bake::{BakeSettings, bake};
    use throng_format::{Encoding, Source};
    use throng_rig::{Interpolation, JointTracks, Track};

    use super::*;

    /// The bar with a clip that holds a joint at an angle with noise, and one that bends it.
    fn bar() -> Character {
        let mut parts = throng_import::builtin::builtin("bar").unwrap().into_parts();
        let clip = |name: &str, angles: [f32; 3]| {
            let rotation = Track::new(
                vec![0.0, 0.5, 1.0].into(),
                angles.map(Quat::from_rotation_z).to_vec(),
                Interpolation::Linear,
            );
            let tracks = JointTracks {
                rotation: Some(rotation.unwrap()),
                ..JointTracks::new(1)
            };
            Clip::new(name.into(), vec![tracks], Vec::new()).unwrap()
        };
        parts.clips = vec![
            clip("held", [0.7, 0.700_02, 0.7]),
            clip("bend", [0.0, 0.4, 0.0]),
        ];
        Character::new(parts).unwrap()
    }

    #[test]
    fn held_poses_do_not_move_whatever_their_noise() {
        let bar = bar();
        assert!(bar.clips()[0].moves());
        assert_eq!(clips_of_character(&bar), [false, true]);
        for encoding in [Encoding::BoneLocal, Encoding::BoneQt, Encoding::Vertex] {
            let settings = BakeSettings {
                encoding,
                storage: encoding.default_storage(),
                ..BakeSettings::default()
            };
            let baked = bake(&bar, &settings, &Source::in_memory("bar"), &()).unwrap();
            assert_eq!(clips_of_set(&baked.set), [false, true], "{encoding:?}");
        }
    }
}
