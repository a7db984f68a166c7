//! Meshes that vertex caches move.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use glam::{DAffine3, DVec3, Vec3};
use throng_rig::{
    Character, CharacterError, CharacterParts, CharacterPose, Clip, Influences, Joint, JointKind,
    MemoryFrames, Mesh, MeshError, Method, MorphTarget, MorphTrack, Part, Skeleton, Skin,
    Transform, VertexCache, VertexFrames, VertexFramesError,
};
use throng_skin::reference::{Skinned, skin_part, skin_position};

/// Two triangles at a right angle, over four points; the edge between them is hard.
fn hinge() -> Mesh {
    let (a, b) = (Vec3::ZERO, Vec3::Z);
    let positions = vec![a, b, Vec3::X, b, a, Vec3::Y];
    let mut mesh = Mesh::new(positions, vec![[0, 1, 2], [3, 4, 5]], Influences::rigid(6)).unwrap();
    mesh.set_normals([[Vec3::Y; 3], [Vec3::X; 3]].concat())
        .unwrap();
    mesh
}

/// Points of the hinge, as its corners use them.
const POINTS: [u32; 6] = [0, 1, 2, 1, 0, 3];

fn points() -> Vec<Vec3> {
    vec![Vec3::ZERO, Vec3::Z, Vec3::X, Vec3::Y]
}

fn frames(times: &[f64], of_time: impl Fn(f64) -> Vec<Vec3>) -> Arc<dyn VertexFrames> {
    let positions = times.iter().map(|&t| of_time(t)).collect();
    Arc::new(MemoryFrames::new(times.into(), positions, vec![]).unwrap())
}

fn cached(mut mesh: Mesh, frames: Arc<dyn VertexFrames>) -> Character {
    let times: Arc<[f64]> = frames.times_secs().into();
    mesh.set_vertex_cache(VertexCache::new(frames, POINTS.to_vec(), vec![]))
        .unwrap();
    mesh.share_positions();
    character(mesh, times)
}

fn parts(mesh: Mesh, times: Arc<[f64]>) -> CharacterParts {
    let joint = Joint {
        name: "node".into(),
        parent: None,
        kind: JointKind::Node,
        parent_from_joint: Transform {
            translation: DVec3::new(0.0, 10.0, 0.0),
            ..Transform::IDENTITY
        },
    };
    let skeleton = Skeleton::new(vec![joint]).unwrap();
    let bind = vec![DAffine3::IDENTITY];
    let skin = Skin::new(String::new(), &skeleton, vec![0], bind).unwrap();
    let track = MorphTrack::of_frames(0, times).unwrap();
    let clip = Clip::new("cache".into(), vec![], vec![track]).unwrap();
    CharacterParts {
        skins: vec![skin],
        meshes: vec![mesh],
        parts: vec![Part {
            node: 0,
            node_name: "hinge".into(),
            primitive: 0,
            mesh: 0,
            skin: 0,
            morph_set: Some(0),
        }],
        morph_sets: vec![("hinge".into(), vec![-1.0])],
        ..CharacterParts::without_mesh("hinge".into(), skeleton, vec![clip])
    }
}

fn character(mesh: Mesh, times: Arc<[f64]>) -> Character {
    Character::new(parts(mesh, times)).unwrap()
}

fn skinned_at(character: &Character, time_secs: f64) -> Skinned {
    let mut pose = CharacterPose::rest(character);
    pose.sample(character, &character.clips()[0], time_secs);
    skinned(character, &pose)
}

fn skinned(character: &Character, pose: &CharacterPose) -> Skinned {
    let mut out = Skinned::default();
    let part = &character.parts()[0];
    skin_part(character, part, pose, Method::Lbs, &mut out);
    let weights = &pose.local.morph_weights[character.morph_range(part)];
    let (mesh, palette) = (character.mesh_of(part), &pose.palettes[0]);
    for (vertex, &expected) in out.positions.iter().enumerate() {
        let found = skin_position(Method::Dqs.into(), mesh, weights, palette, vertex, None);
        assert_eq!(found, expected);
    }
    out
}

const UP: DVec3 = DVec3::new(0.0, 10.0, 0.0);

#[test]
fn points_move_linearly_between_frames_of_any_spacing() {
    let times = [1.0, 1.5, 4.0];
    let speed = Vec3::new(0.5, -2.0, 8.0);
    let moved = |t: f64| points().iter().map(|&p| p + speed * t as f32).collect();
    let character = cached(hinge(), frames(&times, moved));
    let clip = &character.clips()[0];
    assert_eq!((clip.start_secs(), clip.end_secs()), (1.0, 4.0));
    for time in [0.0, 1.0, 1.1, 1.5, 2.0, 3.75, 4.0, 9.0] {
        let skinned = skinned_at(&character, time);
        for (vertex, &found) in skinned.positions.iter().enumerate() {
            let point = points()[POINTS[vertex] as usize].as_dvec3();
            let expected = UP + point + speed.as_dvec3() * time.clamp(1.0, 4.0);
            assert!(
                found.abs_diff_eq(expected, 1e-12),
                "{time}: {found} {expected}"
            );
        }
    }
}

#[test]
fn rest_pose_is_the_mesh_as_it_stands() {
    let character = cached(hinge(), frames(&[0.0], |_| vec![Vec3::splat(7.0); 4]));
    let rest = CharacterPose::rest(&character);
    let skinned = skinned(&character, &rest);
    for vertex in 0..6 {
        let mesh = &character.meshes()[0];
        let expected = UP + mesh.positions()[vertex].as_dvec3();
        assert_eq!(skinned.positions[vertex], expected);
        assert_eq!(skinned.normals[vertex], mesh.normals()[vertex].as_dvec3());
    }
    // Half-way to the first frame.
    let mut half = CharacterPose::rest(&character);
    half.local.morph_weights[0] = -0.5;
    half.resolve(&character);
    assert_eq!(
        self::skinned(&character, &half).positions[0],
        UP + DVec3::splat(3.5)
    );
}

/// The triangle with the hard edge turns by itself; its normals follow, and the other triangle's do not.
#[test]
fn normals_follow_faces_and_hard_edges_stay_hard() {
    let character = cached(
        hinge(),
        frames(&[0.0, 1.0], |t| {
            let mut points = points();
            points[3] += Vec3::new(-(t as f32), 0.0, 0.0);
            points
        }),
    );
    for time in [0.0, 0.25, 1.0] {
        let skinned = skinned_at(&character, time);
        let turned = DVec3::new(1.0, time, 0.0).normalize();
        let expected = [[DVec3::Y; 3], [turned; 3]].concat();
        for (found, expected) in skinned.normals.iter().zip(expected) {
            assert!(found.abs_diff_eq(expected, 1e-12), "{time}: {found}");
        }
    }
}

#[test]
fn normals_of_a_smooth_edge_are_weighted_by_area() {
    let mut mesh = hinge();
    let smooth = Vec3::new(1.0, 1.0, 0.0).normalize();
    mesh.set_normals(vec![smooth, smooth, Vec3::Y, smooth, smooth, Vec3::X])
        .unwrap();
    let character = cached(
        mesh,
        frames(&[0.0], |_| {
            let mut points = points();
            points[2] *= 3.0;
            points
        }),
    );
    let skinned = skinned_at(&character, 0.0);
    let expected = DVec3::new(1.0, 3.0, 0.0).normalize();
    for vertex in [0, 1, 3, 4] {
        assert!(skinned.normals[vertex].abs_diff_eq(expected, 1e-12));
    }
}

#[test]
fn stored_normals_are_interpolated_and_normalised() {
    let normals = vec![vec![Vec3::X * 2.0; 6], vec![Vec3::Y * 5.0; 6]];
    let positions = vec![points(), points()];
    let source = MemoryFrames::new([0.0, 1.0].into(), positions, normals).unwrap();
    let mut mesh = hinge();
    let cache = VertexCache::new(Arc::new(source), POINTS.to_vec(), (0..6).collect());
    mesh.set_vertex_cache(cache).unwrap();
    let make = |mesh: Mesh| character(mesh, [0.0, 1.0].into());
    let half = DVec3::new(1.0, 1.0, 0.0).normalize();
    let found = skinned_at(&make(mesh.clone()), 0.5).normals[2];
    assert!(found.abs_diff_eq(half, 1e-12), "{found}");
    mesh.reverse();
    let found = skinned_at(&make(mesh), 0.5).normals[2];
    assert!(found.abs_diff_eq(-half, 1e-12), "{found}");
}

#[test]
fn selected_reversed_and_scaled_vertices_keep_their_points() {
    let moved = |t: f64| points().iter().map(|&p| p * (1.0 + t as f32)).collect();
    let character_of = |mesh| character(mesh, [0.0, 1.0].into());
    let whole = cached(hinge(), frames(&[0.0, 1.0], moved));
    let mesh = &whole.meshes()[0];
    assert_eq!(mesh.unique().position_count(), 4);
    let all = skinned_at(&whole, 0.5);

    let order = [5, 2, 0];
    let few = skinned_at(&character_of(mesh.select_vertices(&order, vec![])), 0.5);
    for (found, vertex) in [0, 1, 2].into_iter().zip(order) {
        assert_eq!(few.positions[found], all.positions[vertex as usize]);
        assert_eq!(few.normals[found], all.normals[vertex as usize]);
    }

    let mut reversed = mesh.clone();
    reversed.reverse();
    let reversed = skinned_at(&character_of(reversed), 0.5);
    assert_eq!(reversed.positions, all.positions);
    assert!(
        reversed
            .normals
            .iter()
            .zip(&all.normals)
            .all(|(a, b)| *a == -*b)
    );

    let mut scaled = mesh.clone();
    scaled.scale_positions(4.0);
    let scaled = skinned_at(&character_of(scaled), 0.5);
    for (a, b) in scaled.positions.iter().zip(&all.positions) {
        assert!((*a - UP).abs_diff_eq(4.0 * (*b - UP), 1e-12));
    }

    let mut merged = mesh.clone();
    assert_eq!(merged.merge_normals(), 2);
    merged.check_unique().unwrap();
    let merged = skinned_at(&character_of(merged), 0.5);
    let edge = DVec3::new(1.0, 1.0, 0.0).normalize();
    assert!(merged.normals[0].abs_diff_eq(edge, 1e-12));
    assert!(merged.normals[3].abs_diff_eq(edge, 1e-12));
}

/// Frames that count reads and fail from one on.
#[derive(Debug)]
struct Counted {
    times: Vec<f64>,
    reads: AtomicUsize,
    fails_at: usize,
}

impl VertexFrames for Counted {
    fn point_count(&self) -> usize {
        4
    }
    fn times_secs(&self) -> &[f64] {
        &self.times
    }
    fn read_positions(&self, frame: usize, out: &mut Vec<Vec3>) -> Result<(), VertexFramesError> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        out.clear();
        out.resize(4, Vec3::splat(frame as f32));
        if frame >= self.fails_at {
            let reason = "file was truncated".into();
            return Err(VertexFramesError { frame, reason });
        }
        Ok(())
    }
}

fn counted(fails_at: usize) -> (Arc<Counted>, Character) {
    let source = Arc::new(Counted {
        times: (0..10).map(f64::from).collect(),
        reads: AtomicUsize::new(0),
        fails_at,
    });
    let character = cached(hinge(), source.clone());
    (source, character)
}

#[test]
fn frames_are_read_once_while_time_advances() {
    let (source, character) = counted(usize::MAX);
    let mut pose = CharacterPose::rest(&character);
    let mut out = Skinned::default();
    for step in 0..=90 {
        pose.sample(&character, &character.clips()[0], f64::from(step) / 10.0);
        skin_part(
            &character,
            &character.parts()[0],
            &pose,
            Method::Lbs,
            &mut out,
        );
        let expected = UP + DVec3::splat(f64::from(step) / 10.0);
        assert!(out.positions[0].abs_diff_eq(expected, 1e-12));
    }
    assert_eq!(source.reads.load(Ordering::Relaxed), 10);
    assert_eq!(character.cache_failure(), None);
}

#[test]
fn failure_is_kept_and_vertices_rest() {
    let (_, character) = counted(5);
    let clone = character.clone();
    let skinned = skinned_at(&clone, 4.5);
    assert_eq!(skinned.positions[2], UP + DVec3::X);
    skinned_at(&clone, 8.0);
    let (part, failure) = character.cache_failure().unwrap();
    assert_eq!((part.node_name.as_str(), failure.frame), ("hinge", 5));
    assert_eq!(failure.to_string(), "frame 5: file was truncated");
}

#[test]
fn rejects_caches_that_do_not_fit_the_mesh() {
    let source = || frames(&[0.0], |_| points());
    let set = |mesh: &mut Mesh, points: Vec<u32>, normals: Vec<u32>| {
        mesh.set_vertex_cache(VertexCache::new(source(), points, normals))
    };
    let mut mesh = hinge();
    assert!(matches!(
        set(&mut mesh, vec![0; 5], vec![]),
        Err(MeshError::CountMismatch { actual: 5, .. })
    ));
    assert_eq!(
        set(&mut mesh, vec![4; 6], vec![]),
        Err(MeshError::CacheOutOfRange {
            what: "point",
            index: 4,
            len: 4
        })
    );
    assert_eq!(
        set(&mut mesh, vec![0; 6], vec![0; 6]),
        Err(MeshError::CacheOutOfRange {
            what: "normal",
            index: 0,
            len: 0
        })
    );
    let two_joints = Influences::new([[(0, 0.5), (1, 0.5)]; 6]).unwrap();
    let mut skinned = Mesh::new(hinge().positions().to_vec(), vec![], two_joints.clone()).unwrap();
    assert_eq!(
        set(&mut skinned, POINTS.to_vec(), vec![]),
        Err(MeshError::CacheNotRigid)
    );
    set(&mut mesh, POINTS.to_vec(), vec![]).unwrap();
    let target = MorphTarget {
        name: String::new(),
        positions: vec![Vec3::ZERO; 6],
        normals: vec![],
        tangents: vec![],
    };
    assert_eq!(mesh.add_morph_target(target), Err(MeshError::CacheNotRigid));
    assert_eq!(
        mesh.set_influences(two_joints),
        Err(MeshError::CacheNotRigid)
    );
    let mut pieces = parts(mesh, [0.0].into());
    pieces.parts[0].morph_set = None;
    assert!(matches!(
        Character::new(pieces),
        Err(CharacterError::CacheMismatch { weights: 0, .. })
    ));
}

#[test]
fn points_with_equal_positions_are_not_shared() {
    let mut mesh = hinge();
    let cache = VertexCache::new(
        frames(&[0.0], |_| vec![Vec3::ZERO; 6]),
        (0..6).collect(),
        vec![],
    );
    mesh.set_vertex_cache(cache).unwrap();
    mesh.share_positions();
    assert_eq!(mesh.unique().position_count(), 6);
}
