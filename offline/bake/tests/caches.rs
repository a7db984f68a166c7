//! Sets of meshes that vertex caches move.

mod common;

use std::sync::Arc;

use common::{decoded_vertices, settings_of, source, try_baked};
use glam::{DAffine3, DVec3, Vec3};
use throng_bake::accuracy::{verify, verify_densely};
use throng_bake::search::{Goal, SearchError, SearchSpace, search};
use throng_bake::{BakeError, BakeSettings, bake};
use throng_format::{Encoding, Precision, Storage};
use throng_rig::{
    Character, CharacterParts, Clip, Influences, Joint, JointKind, MemoryFrames, Mesh, MorphTrack,
    Part, Skeleton, Skin, Transform, VertexCache, VertexFrames, VertexFramesError,
};

const SIDE: usize = 7;
const POINTS: usize = SIDE * SIDE;
const FRAMES: usize = 10;
const HZ: f64 = 20.0;

/// Position of a point in a frame, in the space of the mesh.
fn position(point: usize, frame: usize) -> Vec3 {
    let [x, y] = [point % SIDE, point / SIDE].map(|at| at as f32 / SIDE as f32);
    Vec3::new(x, y, 0.2 * x * (6.0 * x + y - 0.7 * frame as f32).sin())
}

/// The node of the mesh.
const HEIGHT: f64 = 3.0;

fn frames() -> MemoryFrames {
    let times: Vec<f64> = (0..FRAMES).map(|frame| frame as f64 / HZ).collect();
    let positions = (0..FRAMES).map(|frame| (0..POINTS).map(|p| position(p, frame)).collect());
    MemoryFrames::new(times.into(), positions.collect(), Vec::new()).unwrap()
}

/// A grid that a cache moves.
fn flag(frames: Arc<dyn VertexFrames>) -> Character {
    let corners = (0..SIDE - 1).flat_map(|y| (0..SIDE - 1).map(move |x| (y * SIDE + x) as u32));
    let side = SIDE as u32;
    let triangles = corners.flat_map(|a| [[a, a + 1, a + side], [a + 1, a + side + 1, a + side]]);
    let rest = (0..POINTS).map(|point| position(point, 0).with_z(0.0));
    let influences = Influences::rigid(POINTS);
    let mut mesh = Mesh::new(rest.collect(), triangles.collect(), influences).unwrap();
    let times: Arc<[f64]> = frames.times_secs().into();
    let points = (0..POINTS as u32).collect();
    mesh.set_vertex_cache(VertexCache::new(frames, points, Vec::new()))
        .unwrap();
    mesh.share_positions();
    let joint = Joint {
        name: "node".into(),
        parent: None,
        kind: JointKind::Node,
        parent_from_joint: Transform {
            translation: DVec3::Y * HEIGHT,
            ..Transform::IDENTITY
        },
    };
    let skeleton = Skeleton::new(vec![joint]).unwrap();
    let bind = vec![DAffine3::IDENTITY];
    let skin = Skin::new(String::new(), &skeleton, vec![0], bind).unwrap();
    let track = MorphTrack::of_frames(0, times).unwrap();
    Character::new(CharacterParts {
        name: "flag".into(),
        skeleton,
        skins: vec![skin],
        meshes: vec![mesh],
        parts: vec![Part {
            node: 0,
            node_name: "Flag".into(),
            primitive: 0,
            mesh: 0,
            skin: 0,
            morph_set: Some(0),
        }],
        morph_sets: vec![("Flag".into(), vec![-1.0])],
        clips: vec![Clip::new("wave".into(), vec![], vec![track]).unwrap()],
        materials: vec![],
        images: vec![],
    })
    .unwrap()
}

/// Settings of all storages of vertices.
fn vertex_settings() -> Vec<BakeSettings> {
    let mut out = Vec::new();
    for encoding in [Encoding::Vertex, Encoding::VertexRay] {
        for precision in common::PRECISIONS {
            out.push(settings_of(encoding, precision));
        }
    }
    out.push(settings_of(Encoding::Vertex, Storage::Compressed));
    out
}

/// Distance of each decoded vertex from the nearest point of the cache, at a position in frames.
fn largest_distance(set: &throng_format::TextureSet, at: f64) -> f64 {
    let (before, fraction) = (at.floor() as usize, at.fract());
    let points: Vec<DVec3> = (0..POINTS)
        .map(|point| {
            let [a, b] = [before, (before + 1).min(FRAMES - 1)]
                .map(|frame| position(point, frame).as_dvec3());
            a.lerp(b, fraction) + DVec3::Y * HEIGHT
        })
        .collect();
    // Sets are in drawing order: the rest pose, which the cache does not have, tells the point of a vertex.
    let (decoded, _) = decoded_vertices(set, 0, at / HZ);
    assert_eq!(decoded.len(), POINTS);
    let rest = set.rest().positions.iter();
    let distance = |(rest, found): (&Vec3, &DVec3)| {
        let cell = |x: f64| (x * SIDE as f64).round() as usize;
        let point = cell(f64::from(rest.y) - HEIGHT) * SIDE + cell(rest.x.into());
        found.distance(points[point])
    };
    rest.zip(&decoded).map(distance).fold(0.0, f64::max)
}

#[test]
fn decoded_vertices_are_those_of_the_cache_within_the_proven_error() {
    let character = flag(Arc::new(frames()));
    for settings in vertex_settings() {
        let baked = bake(&character, &settings, &source(), &());
        let baked = baked.unwrap_or_else(|error| panic!("{settings:?}: {error}"));
        let set = &baked.set;
        let report = verify(set, &character, &()).unwrap();
        let proven_m = report.error.errors.overall.max_error_mm / 1e3;
        let limit = match settings.storage {
            Storage::Frames(Precision::Unorm8) => 1e-2,
            Storage::Frames(Precision::F32) => 1e-6,
            _ => 3e-4,
        };
        assert!(proven_m < limit, "{settings:?}: {proven_m}");
        let mut largest = 0.0_f64;
        for step in 0..=8 * (FRAMES - 1) {
            largest = largest.max(largest_distance(set, step as f64 / 8.0));
        }
        assert!(
            largest <= proven_m * 1.0001 + 1e-9,
            "{settings:?}: {largest}, {proven_m}"
        );
        assert!(
            largest > 0.2 * proven_m,
            "{settings:?}: {largest}, {proven_m}"
        );
        let dense = verify_densely(set, &character, 16, &()).unwrap();
        assert!(dense.max_error_mm <= 1.01 * 1e3 * proven_m, "{settings:?}");
    }
}

#[test]
fn a_lower_rate_has_the_error_that_is_proven() {
    let character = flag(Arc::new(frames()));
    let settings = BakeSettings {
        rate: throng_bake::Rate::Hz(8.0),
        ..settings_of(Encoding::Vertex, Precision::F32)
    };
    let set = try_baked(&character, &settings).unwrap();
    let report = verify(&set, &character, &()).unwrap();
    let proven_m = report.error.errors.overall.max_error_mm / 1e3;
    assert!(proven_m > 5e-3, "{proven_m}");
    let steps = 0..=40 * (FRAMES - 1);
    let largest = steps.map(|step| largest_distance(&set, step as f64 / 40.0));
    let largest = largest.fold(0.0, f64::max);
    assert!(
        (largest / proven_m - 1.0).abs() < 1e-3,
        "{largest}, {proven_m}"
    );
}

#[test]
fn bone_encodings_are_refused() {
    let character = flag(Arc::new(frames()));
    for &encoding in Encoding::ALL
        .iter()
        .filter(|encoding| !encoding.is_vertex())
    {
        let storage = match encoding {
            Encoding::BoneLocal => Storage::Compressed,
            _ => Precision::Unorm16.into(),
        };
        let error = try_baked(&character, &settings_of(encoding, storage)).unwrap_err();
        assert!(matches!(error, BakeError::VertexCache { .. }), "{error}");
        assert!(error.to_string().contains("--encoding vertex"), "{error}");
        let space = SearchSpace {
            encodings: Some(vec![encoding]),
            ..SearchSpace::default()
        };
        let goal = Goal::MaxError { of_size: 1e-2 };
        let base = BakeSettings::default();
        let error = search(&character, &base, &space, goal, source(), &()).unwrap_err();
        assert!(
            matches!(error, SearchError::Bake(BakeError::VertexCache { .. })),
            "{error}"
        );
    }
}

#[test]
fn searches_find_vertex_encodings() {
    let character = flag(Arc::new(frames()));
    for goal in [
        Goal::MaxError { of_size: 1e-3 },
        Goal::MaxBytes { gpu_bytes: 1 << 16 },
    ] {
        let base = BakeSettings::default();
        let space = SearchSpace::default();
        let found = search(&character, &base, &space, goal, source(), &()).unwrap();
        assert!(found.set.manifest().encoding.is_vertex());
        let verified = verify(&found.set, &character, &()).unwrap();
        let [a, b] = [&found.report, &verified].map(|r| r.error.errors.overall.max_error_of_size);
        assert_eq!(a, b);
        assert!(a <= 1e-3, "{a}");
    }
}

/// Frames of which one cannot be read.
#[derive(Debug)]
struct Damaged(MemoryFrames);

impl VertexFrames for Damaged {
    fn point_count(&self) -> usize {
        self.0.point_count()
    }

    fn times_secs(&self) -> &[f64] {
        self.0.times_secs()
    }

    fn read_positions(&self, frame: usize, out: &mut Vec<Vec3>) -> Result<(), VertexFramesError> {
        match frame {
            4 => Err(VertexFramesError {
                frame,
                reason: "cannot be read: lost".into(),
            }),
            _ => self.0.read_positions(frame, out),
        }
    }
}

#[test]
fn a_frame_that_cannot_be_read_fails_the_bake_and_the_proof() {
    let damaged = flag(Arc::new(Damaged(frames())));
    let settings = settings_of(Encoding::Vertex, Precision::Unorm16);
    let error = try_baked(&damaged, &settings).unwrap_err().to_string();
    for word in ["'Flag'", "frame 4", "lost"] {
        assert!(error.contains(word), "{error}");
    }
    let set = try_baked(&flag(Arc::new(frames())), &settings).unwrap();
    let error = verify(&set, &damaged, &()).unwrap_err().to_string();
    assert!(error.contains("frame 4"), "{error}");
}
