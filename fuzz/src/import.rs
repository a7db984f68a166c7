//! Import of glTF, FBX, OBJ, Alembic, BVH and vertex caches.

use glam::DAffine3;
use throng_import::{ImportOptions, PointCache, import_bytes, import_motion_bytes};
use throng_rig::{Character, CharacterPose, Method, VertexFrames};
use throng_skin::reference::{Skinned, skin_part};

use crate::memory::within_memory;

/// Largest number of vertices that are skinned; more would make the fuzzer slow and find nothing else.
const MAX_SKINNED: usize = 500;

/// Imports glTF JSON, with buffers in data URIs.
pub fn gltf(data: &[u8]) {
    import("fuzz.gltf", data);
}

/// Imports a GLB.
pub fn glb(data: &[u8]) {
    // Bytes that do not begin so are read as glTF, which has its own target.
    if data.starts_with(b"glTF") {
        import("fuzz.glb", data);
    }
}

/// Imports an FBX file, binary or ASCII.
pub fn fbx(data: &[u8]) {
    import("fuzz.fbx", data);
}

/// Imports an Alembic file.
pub fn abc(data: &[u8]) {
    import("fuzz.abc", data);
}

/// Imports a BVH file.
pub fn bvh(data: &[u8]) {
    within_memory(|| {
        if let Ok(import) = import_motion_bytes("fuzz.bvh", data, None, &ImportOptions::default()) {
            check_poses(&import.character);
        }
    });
}

/// Imports an OBJ file.
pub fn obj(data: &[u8]) {
    within_memory(|| {
        if let Ok(import) = import_bytes("fuzz.obj", data, None, &ImportOptions::default()) {
            check_poses(&import.character);
        }
    });
}

/// Reads the frames of a vertex cache: PC2 by its first bytes, otherwise MDD.
pub fn cache(data: &[u8]) {
    within_memory(|| {
        let cache = PointCache::from_bytes("fuzz", data.to_vec(), 24.0, &mut Vec::new());
        let Ok(cache) = cache else { return };
        let times = cache.times_secs();
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "times");
        let mut frame = Vec::new();
        for index in [0, times.len() / 2, times.len() - 1] {
            if cache.read_positions(index, &mut frame).is_ok() {
                assert_eq!(frame.len(), cache.point_count());
                assert!(frame.iter().all(|point| point.is_finite()), "position");
            }
        }
    });
}

/// Imports a character, and its motion alone.
fn import(name: &str, data: &[u8]) {
    within_memory(|| {
        if let Ok(import) = import_bytes(name, data, None, &ImportOptions::default()) {
            check_poses(&import.character);
        }
    });
    within_memory(|| {
        if let Ok(import) = import_motion_bytes(name, data, None, &ImportOptions::default()) {
            check_poses(&import.character);
        }
    });
}

/// Asserts that the rest pose and poses of the first clips are finite, and vertices skinned by them.
fn check_poses(character: &Character) {
    let parts = character.parts().iter();
    let vertices: usize = parts
        .map(|part| character.mesh_of(part).vertex_count())
        .sum();
    let mut skinned = Skinned::default();
    let mut check = |pose: &CharacterPose| {
        let joints = &pose.model.model_from_joint;
        assert!(joints.iter().all(DAffine3::is_finite), "joint");
        let weights = &pose.local.morph_weights;
        assert!(weights.iter().all(|weight| weight.is_finite()), "weight");
        if vertices > MAX_SKINNED {
            return;
        }
        for part in character.parts() {
            for method in [Method::Lbs, Method::Dqs] {
                skin_part(character, part, pose, method, &mut skinned);
                assert!(skinned.positions.iter().all(|p| p.is_finite()), "{method}");
                assert!(skinned.normals.iter().all(|n| n.is_finite()), "{method}");
            }
        }
    };
    let mut pose = CharacterPose::rest(character);
    check(&pose);
    for clip in character.clips().iter().take(2) {
        for fraction in [0.0, 0.5, 1.0] {
            let time_secs = clip.start_secs() + fraction * clip.duration_secs();
            pose.sample(character, clip, time_secs);
            check(&pose);
        }
    }
}
