//! A pose set by hand as a clip of the character.

use throng_bake::pose_clip;
use throng_format::{InterpolatedValues, Keyframe, PoseEdits};
use throng_rig::{Character, Skinning};
use throng_skin::prepare;

use super::CommandError;
use super::pose_edits::edited_pose;

/// Adds the edited pose as a clip, the last of the character: see [`pose_clip::add_pose_clip`]. Ambiguous names and times
/// outside the clip are added to `warnings`.
pub fn add_pose_clip(
    character: Character,
    edits: &PoseEdits,
    skinning: Skinning,
    warnings: &mut Vec<String>,
) -> Result<Character, CommandError> {
    let pose = edited_pose(&character, edits, warnings)?.pose;
    let keyframe = edits.keyframe.unwrap_or(Keyframe {
        fraction: 1.0,
        by: InterpolatedValues::Rotations,
    });
    // Straight lines end where the method puts vertices.
    let character = match keyframe.by {
        InterpolatedValues::Positions => prepare(character, skinning, &[]),
        InterpolatedValues::Rotations => character,
    };
    pose_clip::add_pose_clip(character, &pose, keyframe, skinning)
        .map_err(|error| CommandError::Failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use throng_format::JointRotation;
    use throng_import::{ImportOptions, import};
    use throng_rig::CharacterPose;
    use throng_skin::reference::{Skinned, skin_part};
    use throng_skin::rest_size;
    use throng_testkit::shared_assets;

    use super::*;

    /// Characters with one part, with several that share morph sets, with morphs and with tangents; and two joints.
    fn sources() -> Vec<(String, [&'static str; 2])> {
        let mut sources = vec![
            ("builtin:cylinder".to_owned(), ["1", "2"]),
            ("builtin:box".to_owned(), ["1", "2"]),
        ];
        if let Some(assets) = shared_assets() {
            for (file, joints) in [
                ("gltf/three/RobotExpressive.glb", ["#10", "#20"]),
                ("fbx/ufbx/maya_dual_quaternion_7500_ascii.fbx", ["#1", "#2"]),
                (
                    "fbx/ufbx/maya_blend_shape_cube_7700_binary.fbx",
                    ["#0", "#0"],
                ),
            ] {
                sources.push((assets.join(file).display().to_string(), joints));
            }
        }
        sources
    }

    fn edits(joints: [&str; 2], keyframe: Option<(f64, InterpolatedValues)>) -> PoseEdits {
        let rotation = |joint: &str| JointRotation {
            joint: joint.to_owned(),
            degrees: [20.0, -35.0, 100.0],
        };
        PoseEdits {
            rotate: joints.map(rotation).into(),
            keyframe: keyframe.map(|(fraction, by)| Keyframe { fraction, by }),
            ..PoseEdits::default()
        }
    }

    fn skinned(character: &Character, pose: &CharacterPose, skinning: Skinning) -> Vec<Skinned> {
        let skin = |part| {
            let mut skinned = Skinned::default();
            skin_part(character, part, pose, skinning, &mut skinned);
            skinned
        };
        character.parts().iter().map(skin).collect()
    }

    /// Skins the last clip at a time.
    fn played(character: &Character, secs: f64, skinning: Skinning) -> Vec<Skinned> {
        let character = &prepare(character.clone(), skinning, &[]);
        let mut pose = CharacterPose::rest(character);
        pose.sample(character, character.clips().last().unwrap(), secs);
        skinned(character, &pose, skinning)
    }

    /// Asserts that positions and normals are those of `expected`.
    fn assert_same(found: &[Skinned], expected: &[Skinned], size_m: f64, what: &str) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            let farthest = |a: &[DVec3], b: &[DVec3]| {
                let distances = a.iter().zip(b).map(|(a, b)| a.distance(*b));
                distances.fold(0.0, f64::max)
            };
            // Keys and offsets are float32, with 24 bits.
            let error = farthest(&found.positions, &expected.positions) / size_m;
            assert!(error < 1e-6, "{what}: positions, {error}");
            // `blend-positions` blends two normals, and the target has one.
            if what.contains("blend-positions") {
                continue;
            }
            let error = farthest(&found.normals, &expected.normals);
            assert!(error < 1e-5, "{what}: normals, {error}");
        }
    }

    fn lerp(from: &[Skinned], to: &[Skinned], fraction: f64) -> Vec<Skinned> {
        let parts = from.iter().zip(to).map(|(from, to)| {
            let pairs = |a: &[DVec3], b: &[DVec3]| -> Vec<DVec3> {
                a.iter().zip(b).map(|(a, b)| a.lerp(*b, fraction)).collect()
            };
            let mut part = from.clone();
            part.positions = pairs(&from.positions, &to.positions);
            part.normals = pairs(&from.normals, &to.normals);
            for normal in &mut part.normals {
                *normal = normal.normalize();
            }
            part
        });
        parts.collect()
    }

    const METHODS: [&str; 5] = [
        "as-authored",
        "dqs",
        "dqs-direct",
        "blend-positions:0.5",
        "cor",
    ];

    #[test]
    fn clip_ends_at_the_edited_pose_by_rotations_and_by_positions() {
        for (source, joints) in sources() {
            let import = import(&source, &ImportOptions::default()).unwrap();
            let character = import.character;
            let size_m = rest_size(&character);
            let warnings = &mut Vec::new();
            let edited = edited_pose(&character, &edits(joints, None), warnings).unwrap();
            let rest = CharacterPose::rest(&character);
            for method in METHODS {
                let skinning: Skinning = method.parse().unwrap();
                let prepared = prepare(character.clone(), skinning, &[]);
                let first = skinned(&prepared, &rest, skinning);
                let last = skinned(&prepared, &edited.pose, skinning);
                let posed = |keyframe| {
                    let edits = edits(joints, keyframe);
                    let posed = add_pose_clip(character.clone(), &edits, skinning, &mut Vec::new());
                    posed.unwrap()
                };
                let what = format!("{source}, {method}");
                let rotations = posed(None);
                assert_same(&played(&rotations, 0.0, skinning), &first, size_m, &what);
                assert_same(&played(&rotations, 1.0, skinning), &last, size_m, &what);
                let positions = posed(Some((1.0, InterpolatedValues::Positions)));
                let clips = (character.clips().len(), positions.clips().len());
                assert_eq!(clips.0 + 1, clips.1);
                for secs in [0.0, 0.25, 0.5, 1.0] {
                    let expected = lerp(&first, &last, secs);
                    assert_same(
                        &played(&positions, secs, skinning),
                        &expected,
                        size_m,
                        &what,
                    );
                }
                let half = posed(Some((0.5, InterpolatedValues::Positions)));
                let expected = lerp(&first, &last, 0.5);
                assert_same(&played(&half, 1.0, skinning), &expected, size_m, &what);
                // By rotations, half of the clip is the pose at one half.
                let half = posed(Some((0.5, InterpolatedValues::Rotations)));
                let (a, b) = (
                    played(&half, 1.0, skinning),
                    played(&rotations, 0.5, skinning),
                );
                assert_same(&a, &b, size_m, &what);
            }
            // Other clips play as before.
            let half = Some((0.5, InterpolatedValues::Positions));
            let skinning = Skinning::AsAuthored;
            let posed = add_pose_clip(character.clone(), &edits(joints, half), skinning, warnings);
            let posed = posed.unwrap();
            for (clip, same) in character.clips().iter().zip(posed.clips()) {
                let middle = 0.5 * (clip.start_secs() + clip.end_secs());
                let [before, after] = [(&character, clip), (&posed, same)].map(|(of, clip)| {
                    let mut pose = CharacterPose::rest(of);
                    pose.sample(of, clip, middle);
                    skinned(of, &pose, skinning)
                });
                assert_same(&after, &before, size_m, &clip.name);
            }
        }
    }

    #[test]
    fn straight_lines_from_a_flattened_rest_pose_are_refused() {
        let import = import("builtin:cylinder", &ImportOptions::default()).unwrap();
        let mut parts = import.character.into_parts();
        let mut joints = parts.skeleton.joints().to_vec();
        joints[3].parent_from_joint.scale = DVec3::new(1.0, 0.0, 1.0);
        parts.skeleton = throng_rig::Skeleton::new(joints).unwrap();
        let flat = Character::new(parts).unwrap();
        let edits = edits(["1", "2"], Some((1.0, InterpolatedValues::Positions)));
        let error = add_pose_clip(flat, &edits, Skinning::AsAuthored, &mut Vec::new());
        let error = error.unwrap_err().to_string();
        assert!(
            error.contains("part 0 'cylinder': the rest pose flattens vertex"),
            "{error}"
        );
    }
}
