//! Posing of a character, and skinning by hand in double precision.

use glam::{DMat4, DVec3};
use throng_rig::{Character, CharacterPose, Method};
use throng_skin::reference::{Skinned, skin_part};

/// One of every kind of method.
pub const METHODS: [Method; 7] = [
    Method::Lbs,
    Method::Dqs,
    Method::DqsPlain,
    Method::DqsDirect,
    Method::DqsSum,
    Method::Blend(0.5),
    Method::BlendPositions(0.5),
];

fn skinned(character: &Character, part: usize, when: Option<(usize, f64)>) -> Skinned {
    let mut pose = CharacterPose::rest(character);
    if let Some((clip, time_secs)) = when {
        pose.sample(character, &character.clips()[clip], time_secs);
    }
    let mut out = Skinned::default();
    skin_part(
        character,
        &character.parts()[part],
        &pose,
        Method::Lbs,
        &mut out,
    );
    out
}

/// Returns the vertices of a part with LBS, in the rest pose or in a clip at a time.
pub fn posed(character: &Character, part: usize, when: Option<(usize, f64)>) -> Vec<DVec3> {
    skinned(character, part, when).positions
}

/// Returns the normals of a part with LBS.
pub fn normals(character: &Character, part: usize, when: Option<(usize, f64)>) -> Vec<DVec3> {
    skinned(character, part, when).normals
}

/// Linear blend skinning as specified. Influences are weight, joint matrix and inverse bind matrix.
pub fn by_hand(position: [f32; 3], influences: &[(f64, DMat4, DMat4)]) -> DVec3 {
    let position = DVec3::from_array(position.map(f64::from));
    influences
        .iter()
        .map(|(weight, model_from_joint, joint_from_bind)| {
            (*model_from_joint * *joint_from_bind).transform_point3(position) * *weight
        })
        .sum()
}

/// Rounds a matrix to float32, as files store it.
pub fn round_to_f32(matrix: DMat4) -> DMat4 {
    matrix.as_mat4().as_dmat4()
}

#[track_caller]
pub fn assert_close(found: &[DVec3], expected: &[DVec3], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (vertex, (found, expected)) in found.iter().zip(expected).enumerate() {
        let off = found.distance(*expected);
        assert!(
            off <= tolerance,
            "vertex {vertex} is at {found}, {off:.2e} from {expected}"
        );
    }
}

/// Returns the largest extent of the bounding box of points.
pub fn extent(points: &[DVec3]) -> f64 {
    let min = points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let max = points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    (max - min).max_element()
}

/// Asserts that every vertex and normal is finite with every method, in the rest pose and at the start, the
/// middle and the end of the first `clips` clips.
#[track_caller]
pub fn assert_finite(character: &Character, clips: usize, what: &str) {
    let mut pose = CharacterPose::rest(character);
    let mut out = Skinned::default();
    let mut check = |pose: &CharacterPose, when: &str| {
        for (part, method) in character
            .parts()
            .iter()
            .flat_map(|part| METHODS.map(|method| (part, method)))
        {
            skin_part(character, part, pose, method, &mut out);
            let finite = |list: &[DVec3]| list.iter().all(|v| v.is_finite());
            assert!(
                finite(&out.positions) && finite(&out.normals),
                "{what}: {when}, {method}: a vertex or normal is not finite"
            );
        }
    };
    check(&pose, "at rest");
    for clip in character.clips().iter().take(clips) {
        for fraction in [0.0, 0.5, 1.0] {
            let time_secs = clip.start_secs() + fraction * clip.duration_secs();
            pose.sample(character, clip, time_secs);
            check(&pose, &format!("clip '{}' at {time_secs} s", clip.name));
        }
    }
}
