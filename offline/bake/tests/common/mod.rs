//! Helpers of these tests.
#![allow(dead_code)]

use std::sync::Arc;

use glam::{DAffine3, DMat3, DQuat, DVec3, Quat, Vec3};
use throng_bake::{BakeError, BakeSettings, bake, drawing_order};
use throng_format::decode::{self, BonePose, VertexPose};
use throng_format::{Encoding, Layout, Precision, Source, Storage, TextureSet};
use throng_rig::{
    Character, CharacterParts, CharacterPose, Clip, Influences, Interpolation, Joint, JointKind,
    JointTracks, Mesh, MorphTarget, MorphTrack, Part, Skeleton, Skin, Track, Transform,
};
use throng_skin::reference::{Skinned, skin_part};

/// Encodings that store frames.
pub const FRAME_ENCODINGS: [Encoding; 6] = [
    Encoding::Vertex,
    Encoding::VertexRay,
    Encoding::BoneMatrix,
    Encoding::BoneDq,
    Encoding::BoneQt,
    Encoding::VirtualBones,
];

pub const PRECISIONS: [Precision; 4] = [
    Precision::Unorm8,
    Precision::Unorm16,
    Precision::F16,
    Precision::F32,
];

pub fn source() -> Source {
    Source::in_memory("builtin:test")
}

/// A built-in character in drawing order, so that its vertices have the indices of a set's.
pub fn builtin(name: &str) -> Character {
    drawing_order(&throng_import::builtin::builtin(name).unwrap())
}

pub fn try_baked(character: &Character, settings: &BakeSettings) -> Result<TextureSet, BakeError> {
    Ok(bake(character, settings, &source(), &())?.set)
}

pub fn baked(character: &Character, settings: &BakeSettings) -> TextureSet {
    try_baked(character, settings).unwrap_or_else(|error| panic!("{settings:?}: {error}"))
}

pub fn settings_of(encoding: Encoding, storage: impl Into<Storage>) -> BakeSettings {
    BakeSettings {
        encoding,
        storage: storage.into(),
        ..BakeSettings::default()
    }
}

/// Half the distance between two neighbouring levels, for numbers from -1 to 1.
pub fn half_step(precision: Precision) -> f64 {
    match precision {
        Precision::Unorm8 => 1.0 / 255.0,
        Precision::Unorm16 => 1.0 / 65535.0,
        Precision::F16 => 2f64.powi(-11),
        Precision::F32 => 2f64.powi(-24),
    }
}

/// Times of all frames of a clip of a set, from its start.
pub fn frame_times(set: &TextureSet, clip: usize) -> Vec<f64> {
    let entry = &set.manifest().clips[clip];
    let last = f64::from((entry.frames - 1).max(1));
    (0..entry.frames)
        .map(|frame| entry.duration_secs * f64::from(frame) / last)
        .collect()
}

/// Reference pose of the character at a time from the clip's start. `clip` is an index into the character's clips.
pub fn reference_pose(character: &Character, clip: usize, time_secs: f64) -> CharacterPose {
    let clip = &character.clips()[clip];
    let mut pose = CharacterPose::rest(character);
    pose.sample(character, clip, clip.start_secs() + time_secs);
    pose
}

pub fn decoded_bones(set: &TextureSet, clip: usize, time_secs: f64) -> BonePose {
    let mut pose = BonePose::rest(set.model());
    decode::bones(set, clip, time_secs, &mut pose);
    pose
}

/// Positions and normals of a decoded vertex set, one per unique position and unique normal.
pub fn decoded_vertices(set: &TextureSet, clip: usize, time_secs: f64) -> (Vec<DVec3>, Vec<DVec3>) {
    let mut pose = VertexPose::default();
    decode::vertices(set, clip, time_secs, &mut pose);
    let rest = set.rest();
    let positions = rest.positions.iter().zip(&pose.offsets);
    let positions = positions.map(|(rest, offset)| rest.as_dvec3() + *offset);
    (positions.collect(), pose.normals)
}

/// Reference of [`decoded_vertices`].
pub fn reference_vertices(
    character: &Character,
    settings: &BakeSettings,
    pose: &CharacterPose,
) -> (Vec<DVec3>, Vec<DVec3>) {
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    let mut skinned = Skinned::default();
    for part in character.parts() {
        skin_part(character, part, pose, settings.skinning, &mut skinned);
        let unique = character.mesh_of(part).unique();
        let of = |list: &[DVec3], firsts: &[u32]| -> Vec<DVec3> {
            firsts.iter().map(|&v| list[v as usize]).collect()
        };
        positions.extend(of(&skinned.positions, unique.first_of_position()));
        normals.extend(of(&skinned.normals, unique.first_of_normal()));
    }
    (positions, normals)
}

/// Returns by how much linear blend skinning amplifies rounding of each unique normal: 3 for a rigid vertex, and more where
/// opposite rotations cancel and the blended matrix is nearly flat.
pub fn normal_conditions(character: &Character, pose: &CharacterPose) -> Vec<f64> {
    let mut conditions = Vec::new();
    for part in character.parts() {
        let mesh = character.mesh_of(part);
        let palette = pose.palettes[part.skin].matrices();
        for &vertex in mesh.unique().first_of_normal() {
            let (joints, weights) = mesh.influences().run(vertex as usize);
            let influences = joints.iter().zip(weights);
            let blended = influences.fold(DMat3::ZERO, |sum, (&joint, &weight)| {
                sum + palette[joint as usize].matrix3 * f64::from(weight)
            });
            let [x, y, z] = [blended.x_axis, blended.y_axis, blended.z_axis];
            let cofactors = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
            let normal = mesh.normals()[vertex as usize].as_dvec3();
            let squares = x.length_squared() + y.length_squared() + z.length_squared();
            conditions.push(squares / (cofactors * normal).length());
        }
    }
    conditions
}

pub fn bone_joints(set: &TextureSet) -> Vec<usize> {
    match &set.manifest().layout {
        Layout::Bones(layout) => layout.bones.iter().map(|bone| bone.joint).collect(),
        _ => panic!("no bones"),
    }
}

/// Largest difference of any component of two matrices.
pub fn linear_difference(a: &DAffine3, b: &DAffine3) -> f64 {
    let difference = a.matrix3 - b.matrix3;
    difference
        .to_cols_array()
        .iter()
        .fold(0.0, |most: f64, x| most.max(x.abs()))
}

/// Keys of a joint: translation, rotation, scale.
pub type Keys = Vec<(DVec3, DQuat, DVec3)>;

/// A chain of joints with keys at whole seconds, a mesh of one triangle per joint, and a clip for each list of keys.
pub fn chain(clips: &[Vec<Keys>]) -> Character {
    let joints = clips[0].len();
    let skeleton = Skeleton::new(
        (0..joints)
            .map(|joint| Joint {
                name: format!("joint{joint}"),
                parent: joint.checked_sub(1),
                parent_from_joint: Transform::from_translation(DVec3::Y * 0.5),
                kind: JointKind::Bone,
            })
            .collect(),
    )
    .unwrap();
    // Each joint is rotated in the bind pose.
    let inverse_binds = (0..joints).map(|j| {
        let rotation =
            DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 0.7 * j as f64);
        DAffine3::from_quat(rotation)
            * DAffine3::from_translation(DVec3::Y * (-0.5 * (j as f64 + 1.0)))
    });
    let skin = Skin::new(
        "skin".into(),
        &skeleton,
        (0..joints).collect(),
        inverse_binds.collect(),
    )
    .unwrap();
    let (mut positions, mut weights, mut triangles) = (vec![], vec![], vec![]);
    for joint in 0..joints as u32 {
        let y = 0.5 * (joint as f32 + 1.0);
        positions.extend([
            Vec3::new(0.1, y, 0.0),
            Vec3::new(-0.1, y + 0.2, 0.1),
            Vec3::new(0.0, y + 0.1, -0.2),
        ]);
        let next = (joint + 1) % joints as u32;
        weights.extend([
            vec![(joint, 1.0)],
            vec![(joint, 0.75), (next, 0.25)],
            vec![(joint, 0.5), (next, 0.5)],
        ]);
        triangles.push([3 * joint, 3 * joint + 1, 3 * joint + 2]);
    }
    let mut mesh = Mesh::new(positions, triangles, Influences::new(weights).unwrap()).unwrap();
    mesh.share_positions();
    let clips = clips.iter().enumerate().map(|(index, joints)| {
        let tracks = joints
            .iter()
            .enumerate()
            .filter(|(_, keys)| !keys.is_empty());
        let tracks = tracks.map(|(joint, keys)| {
            let times: Arc<[f64]> = (0..keys.len()).map(|k| 2.0 + k as f64).collect();
            let linear = Interpolation::Linear;
            let translations = keys.iter().map(|k| k.0.as_vec3()).collect();
            let rotations = keys
                .iter()
                .map(|k| Quat::from_array(k.1.to_array().map(|x| x as f32)));
            let scales = keys.iter().map(|k| k.2.as_vec3()).collect();
            JointTracks {
                joint,
                translation: Some(Track::new(times.clone(), translations, linear).unwrap()),
                rotation: Some(Track::new(times.clone(), rotations.collect(), linear).unwrap()),
                scale: Some(Track::new(times, scales, linear).unwrap()),
            }
        });
        Clip::new(format!("clip{index}"), tracks.collect(), vec![]).unwrap()
    });
    let part = Part {
        node: 0,
        node_name: "chain".into(),
        primitive: 0,
        mesh: 0,
        skin: 0,
        morph_set: None,
    };
    Character::new(CharacterParts {
        name: "chain".into(),
        skeleton,
        skins: vec![skin],
        meshes: vec![mesh],
        parts: vec![part],
        morph_sets: vec![],
        clips: clips.collect(),
        materials: vec![],
        images: vec![],
    })
    .unwrap()
}

/// A chain whose mesh has two morph targets, the second of which a clip moves from 0 to 2.
pub fn morphing() -> Character {
    let keys: Keys = [0.0, 0.5]
        .map(|rotation| (DVec3::Y * 0.5, DQuat::from_rotation_x(rotation), DVec3::ONE))
        .into();
    let mut parts = chain(&[vec![keys; 2]]).into_parts();
    let mesh = &mut parts.meshes[0];
    for axis in [Vec3::X, Vec3::Z] {
        mesh.add_morph_target(MorphTarget {
            name: String::new(),
            positions: vec![axis * 0.3; mesh.vertex_count()],
            normals: vec![],
            tangents: vec![],
        })
        .unwrap();
    }
    mesh.share_positions();
    parts.morph_sets = vec![("face".into(), vec![0.25, 0.0])];
    parts.parts[0].morph_set = Some(0);
    let clip = &parts.clips[0];
    let weights = vec![0.25, 0.0, 0.25, 2.0];
    let track = MorphTrack::new(0, [2.0, 3.0].into(), weights, 2, Interpolation::Linear).unwrap();
    parts.clips = vec![Clip::new("talk".into(), clip.joints().to_vec(), vec![track]).unwrap()];
    Character::new(parts).unwrap()
}
