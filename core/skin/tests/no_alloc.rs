//! Only the first frame allocates: later frames reuse its buffers.
#![allow(unsafe_code)] // A global allocator is an unsafe trait.

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

use common::{METHODS, Noise, chain, joint, rotated};
use glam::{DAffine3, Quat, Vec3, Vec4};
use throng_rig::{
    Character, CharacterParts, CharacterPose, Clip, Influences, Interpolation, JointTracks, Mesh,
    MorphTarget, MorphTrack, Part, Skeleton, Skin, Track, Transform,
};
use throng_skin::reference::{Skinned, skin_part};

thread_local! {
    /// Allocations of this thread; the test harness allocates in other threads.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: passes every call on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|n| n.set(n.get() + 1));
        // SAFETY: the caller keeps the contract for `layout`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: `pointer` came from `System` by `alloc` above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

/// Twenty joints, a mesh of 300 vertices with shared positions, tangents and a morph target, and three clips.
fn character() -> Character {
    let mut noise = Noise(1);
    let joints = chain(20).into_iter().map(|parent| {
        let transform = Transform {
            translation: noise.vec3(),
            ..rotated(noise.rotation())
        };
        joint(parent, transform)
    });
    let skeleton = Skeleton::new(joints.collect()).unwrap();
    let bind =
        |noise: &mut Noise| DAffine3::from_rotation_translation(noise.rotation(), noise.vec3());
    let skins = (0..2).map(|_| {
        let joint_from_bind = (0..20).map(|_| bind(&mut noise)).collect();
        Skin::new(
            String::new(),
            &skeleton,
            (0..20).rev().collect(),
            joint_from_bind,
        )
        .unwrap()
    });
    let skins = skins.collect();
    let influences = (0..300u32).map(|v| (0..=v / 2 % 6).map(move |i| ((v / 2 + i) % 20, 1.0)));
    let mut mesh = Mesh::new(
        (0..300u16).map(|v| Vec3::splat(f32::from(v / 2))).collect(),
        vec![],
        Influences::new(influences).unwrap(),
    )
    .unwrap();
    mesh.set_tangents(vec![Vec4::X; 300]).unwrap();
    mesh.add_morph_target(MorphTarget {
        name: String::new(),
        positions: vec![Vec3::Y; 300],
        normals: vec![Vec3::Z; 300],
        tangents: vec![Vec3::Y; 300],
    })
    .unwrap();
    mesh.share_positions();
    let times: Arc<[f64]> = [0.0, 0.5, 1.0].into();
    let mut clip = |interpolation: Interpolation| {
        let count = 3 * interpolation.values_per_key();
        let tracks = (0..20).map(|index| {
            let vectors: Vec<_> = (0..count).map(|_| noise.vec3().as_vec3()).collect();
            let rotations: Vec<Quat> = (0..count).map(|_| noise.rotation().as_quat()).collect();
            JointTracks {
                translation: Some(
                    Track::new(times.clone(), vectors.clone(), interpolation).unwrap(),
                ),
                rotation: Some(Track::new(times.clone(), rotations, interpolation).unwrap()),
                scale: Some(Track::new(times.clone(), vectors, interpolation).unwrap()),
                ..JointTracks::new(index)
            }
        });
        let tracks = tracks.collect();
        let morphs = MorphTrack::new(0, times.clone(), vec![0.5; count], 1, interpolation);
        Clip::new(String::new(), tracks, vec![morphs.unwrap()]).unwrap()
    };
    let clips = vec![
        clip(Interpolation::Linear),
        clip(Interpolation::CubicSpline),
        clip(Interpolation::Step),
    ];
    let part = |skin| Part {
        node: 0,
        node_name: String::new(),
        primitive: 0,
        mesh: 0,
        skin,
        morph_set: Some(0),
    };
    Character::new(CharacterParts {
        name: String::new(),
        skeleton,
        skins,
        meshes: vec![mesh],
        parts: vec![part(0), part(1)],
        morph_sets: vec![(String::new(), vec![0.0])],
        clips,
        materials: vec![],
        images: vec![],
    })
    .unwrap()
}

#[test]
fn second_frame_does_not_allocate() {
    let character = character();
    let mut pose = CharacterPose::rest(&character);
    let mut skinned = vec![Skinned::default(); character.parts().len()];
    let mut frame = |clip: &Clip, time_secs: f64| {
        pose.sample(&character, clip, time_secs);
        for method in METHODS {
            for (part, out) in character.parts().iter().zip(&mut skinned) {
                skin_part(&character, part, &pose, method, out);
            }
        }
    };
    let first = allocations(|| frame(&character.clips()[0], 0.1));
    assert!(first > 0, "the allocator does not count");
    let rest = allocations(|| {
        for clip in character.clips() {
            for time_secs in [0.0, 0.3, 0.7, 2.0] {
                frame(clip, time_secs);
            }
        }
    });
    assert_eq!(rest, 0);
}
