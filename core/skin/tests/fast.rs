//! The fast kernels against the float64 reference: every method, every level that the machine has, any
//! number of influences, rigid, stretched, sheared and mirrored palettes, turns to either side of 180°.

use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use proptest::prelude::*;
use throng_rig::{DualQuat, Influences, Mesh, Method, Palette};
use throng_simd::Level;
use throng_skin::fast::{
    Cores, FastMesh, FastPalette, FastSkinned, Setup, Stores, skin, skin_in_pieces,
};
use throng_skin::reference::{self, Motion, Skinned};

/// Of the largest length in play (about the size of the model): 0.02 mm at 1.8 m. float32 itself rounds
/// at 6e-8, and a vertex goes through some 20 operations on numbers that may partly cancel.
const POSITION_TOLERANCE: f64 = 1e-5;

/// Of a unit vector, where nothing cancels.
const NORMAL_TOLERANCE: f64 = 1e-5;

/// Sums shorter than this part of what goes into them have too few digits left to compare.
const MIN_LEFT: f64 = 1e-2;

const JOINTS: usize = 14;

fn methods() -> [Method; 9] {
    [
        Method::Lbs,
        Method::Dqs,
        Method::DqsPlain,
        Method::DqsDirect,
        Method::DqsSum,
        Method::Blend(0.3),
        Method::Blend(1.0),
        Method::BlendPositions(0.6),
        Method::BlendPositions(0.0),
    ]
}

fn levels() -> impl Iterator<Item = Level> {
    Level::available()
}

/// What a vertex is made of: position, normal, which set of joints, weights.
type VertexSeed = ([f64; 3], [f64; 3], usize, [f64; 12]);

fn mesh() -> impl Strategy<Value = Mesh> {
    let sets = prop::collection::vec(
        prop::sample::subsequence((0..JOINTS as u32).collect::<Vec<_>>(), 1..=12),
        1..6,
    );
    let vector = || prop::array::uniform3(-1.0..1.0f64);
    let weights = prop::array::uniform12(prop_oneof![1 => Just(0.0), 6 => 0.01..1.0f64]);
    let vertices = prop::collection::vec((vector(), vector(), 0..5usize, weights), 0..120);
    (sets, vertices).prop_map(|(sets, vertices)| build(&sets, &vertices))
}

fn build(sets: &[Vec<u32>], vertices: &[VertexSeed]) -> Mesh {
    let influences = vertices.iter().map(|(_, _, set, weights)| {
        let set = &sets[set % sets.len()];
        let pairs = set.iter().copied().zip(weights.iter().copied());
        let mut pairs: Vec<(u32, f64)> = pairs.collect();
        pairs[0].1 += 0.1;
        pairs
    });
    let influences = Influences::new(influences).unwrap();
    let vec3 = |v: &[f64; 3]| DVec3::from_array(*v).as_vec3();
    let positions = vertices.iter().map(|v| vec3(&v.0)).collect();
    let normals = vertices.iter().map(|v| vec3(&v.1).normalize_or(Vec3::Y));
    let normals = normals.collect();
    let mut mesh = Mesh::new(positions, vec![], influences).unwrap();
    mesh.set_normals(normals).unwrap();
    mesh
}

/// Any turn, and one near half a turn about an axis that all joints share.
fn rotation() -> impl Strategy<Value = DQuat> {
    let any = prop::array::uniform4(-1.0..1.0f64)
        .prop_filter("not zero", |q| q.iter().map(|x| x * x).sum::<f64>() > 0.01)
        .prop_map(|q| DQuat::from_array(q).normalize());
    let half_turns = (-2..=2i32, -1e-3..1e-3f64).prop_map(|(halves, more)| {
        DQuat::from_rotation_y(f64::from(halves) * std::f64::consts::PI + more)
    });
    let small = (-1.0..1.0f64).prop_map(DQuat::from_rotation_x);
    prop_oneof![any, half_turns, small]
}

#[derive(Debug, Clone, Copy)]
enum Stretches {
    None,
    Scale,
    Any,
}

fn palette() -> impl Strategy<Value = Palette> {
    let vector = || prop::array::uniform3(-1.0..1.0f64).prop_map(DVec3::from_array);
    let joint = (rotation(), vector(), vector(), vector(), vector());
    let joints = prop::collection::vec(joint, JOINTS);
    let stretches = prop_oneof![
        Just(Stretches::None),
        Just(Stretches::Scale),
        Just(Stretches::Any)
    ];
    (joints, stretches).prop_map(|(joints, stretches)| {
        let transform =
            |&(rotation, translation, _, a, b): &(DQuat, DVec3, DVec3, DVec3, DVec3)| {
                let stretch = match stretches {
                    Stretches::None => DMat3::IDENTITY,
                    // Half of the axes are mirrored.
                    Stretches::Scale => DMat3::from_diagonal(a + a.signum() * 0.3),
                    Stretches::Any => {
                        let shear = DMat3::from_cols(a, b, a - b);
                        DMat3::IDENTITY + DMat3::from_cols(shear.x_axis, b * 0.3, a.cross(b)) * 0.5
                    }
                };
                DAffine3 {
                    matrix3: DMat3::from_quat(rotation) * stretch,
                    translation,
                }
            };
        let transforms: Vec<DAffine3> = joints.iter().map(transform).collect();
        let centres: Vec<DVec3> = joints.iter().map(|joint| joint.2).collect();
        Palette::from_nodes(&transforms, &centres)
    })
}

/// How much is left, from 1 to 0, of the sum of dual quaternions where their signs may cancel each other.
fn left_of_sum(method: Method, palette: &Palette, mesh: &Mesh, vertex: usize) -> f64 {
    let list = match method {
        Method::DqsPlain => palette.rigid(),
        Method::DqsDirect => palette.aligned(),
        _ => return 1.0,
    };
    let terms = mesh.influences().of(vertex).map(|(j, w)| list[j] * w);
    terms.fold(DualQuat::ZERO, |a, b| a + b).real.length()
}

/// How long the turned normal is before it is made of unit length, as a part of what it could be.
fn left_of_normal(motion: &Motion, largest: f64, normal: DVec3) -> f64 {
    let of = |m: &DAffine3| (cofactors(&m.matrix3) * normal).length() / largest;
    match motion {
        Motion::Matrix(matrix) => of(matrix),
        Motion::StretchThenRigid(stretch, _) => of(stretch),
        Motion::Mix(a, b, f) => {
            let unit = |m: &DAffine3| (cofactors(&m.matrix3) * normal).normalize_or_zero();
            let mixed = unit(a).lerp(unit(b), *f).length();
            of(a).min(of(b)).min(mixed)
        }
    }
}

fn cofactors(m: &DMat3) -> DMat3 {
    let (x, y, z) = (m.x_axis, m.y_axis, m.z_axis);
    DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y))
}

fn square_norm(m: &DAffine3) -> f64 {
    m.matrix3.to_cols_array().iter().map(|x| x * x).sum()
}

/// The worst error of positions, as a part of the largest length in play, and of normals.
fn check(
    method: Method,
    mesh: &Mesh,
    palette: &Palette,
    expected: &Skinned,
    found: &(Vec<Vec3>, Vec<Vec3>),
) {
    let matrices = palette.matrices().iter().chain(palette.stretches());
    let largest = matrices.clone().map(square_norm).fold(1.0, f64::max);
    let lengths = matrices.map(|m| m.translation.length());
    let rigid = palette.rigid().iter().map(|q| q.translation().length());
    let size = lengths.chain(rigid).fold(largest.sqrt(), f64::max);
    for vertex in 0..mesh.vertex_count() {
        let influences = mesh.influences().of(vertex);
        let motion = reference::motion(method, palette, &influences);
        let left = left_of_sum(method, palette, mesh, vertex);
        if left < MIN_LEFT {
            continue;
        }
        let position = found.0[vertex].as_dvec3();
        let error = position.distance(expected.positions[vertex]);
        assert!(
            error <= POSITION_TOLERANCE * size / left,
            "{method}: vertex {vertex} is off by {error:.2e} of {size:.2}"
        );
        let normal = mesh.normals()[vertex].as_dvec3();
        let left = left * left_of_normal(&motion, largest, normal);
        if left < MIN_LEFT {
            continue;
        }
        let error = found.1[vertex]
            .as_dvec3()
            .distance(expected.normals[vertex]);
        assert!(
            error <= NORMAL_TOLERANCE / left,
            "{method}: the normal of vertex {vertex} is off by {error:.2e}, {left:.2e} is left"
        );
    }
}

fn skin_fast(
    mesh: &FastMesh,
    palette: &FastPalette,
    level: Level,
    cores: Cores,
) -> (Vec<Vec3>, Vec<Vec3>) {
    let mut out = FastSkinned::default();
    skin(mesh, palette, setup(level, Stores::Cached, cores), &mut out);
    let mut positions = vec![Vec3::NAN; mesh.vertex_count()];
    let mut normals = vec![Vec3::NAN; mesh.vertex_count()];
    out.copy_in_mesh_order(mesh, &mut positions, &mut normals);
    (positions, normals)
}

fn check_all(mesh: &Mesh, palette: &Palette) {
    let fast_mesh = FastMesh::new(mesh);
    let mut expected = Skinned::default();
    for method in methods() {
        reference::skin(method, mesh, &[], palette, &mut expected);
        let fast_palette = FastPalette::new(method, palette);
        for level in levels() {
            let found = skin_fast(&fast_mesh, &fast_palette, level, Cores::One);
            check(method, mesh, palette, &expected, &found);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(throng_testkit::cases(400)))]

    #[test]
    fn every_kernel_matches_the_reference(mesh in mesh(), palette in palette()) {
        check_all(&mesh, &palette);
    }

    #[test]
    fn the_maps_are_inverse(mesh in mesh()) {
        let fast = FastMesh::new(&mesh);
        prop_assert_eq!(fast.slot_of().len(), mesh.vertex_count());
        let mut speaks = vec![false; fast.source_of().len()];
        for (vertex, &slot) in fast.slot_of().iter().enumerate() {
            prop_assert_eq!(fast.source_of()[slot as usize] as usize, vertex);
            prop_assert!(!std::mem::replace(&mut speaks[slot as usize], true));
        }
    }
}

fn setup(level: Level, stores: Stores, cores: Cores) -> Setup {
    Setup {
        level,
        stores,
        cores,
    }
}

/// A column of `vertices` along Y from 0 to 1.8 m, held by joints every 0.2 m, up to `most` of them each.
fn column(vertices: usize, most: usize) -> Mesh {
    let height = |vertex: usize| 1.8 * vertex as f64 / vertices as f64;
    let influences = (0..vertices).map(|vertex| {
        let first = (height(vertex) / 0.2) as usize;
        let count = 1 + vertex % most;
        (0..count).map(move |i| {
            let joint = (first + i) % 9;
            let distance = (height(vertex) - 0.2 * joint as f64).abs();
            (joint as u32, 1.0 / (0.1 + distance))
        })
    });
    let influences = Influences::new(influences).unwrap();
    let around = |vertex: usize| {
        let (sin, cos) = (vertex as f32 * 2.4).sin_cos();
        Vec3::new(cos, 0.0, sin)
    };
    let position = |v: usize| around(v) * 0.2 + Vec3::Y * height(v) as f32;
    let positions = (0..vertices).map(position).collect();
    let mut mesh = Mesh::new(positions, vec![], influences).unwrap();
    mesh.set_normals((0..vertices).map(around).collect())
        .unwrap();
    mesh
}

/// Each joint of a [`column`] turned about its place by as much more than the one below.
fn turned(step: DQuat) -> Palette {
    let mut transforms = vec![DAffine3::IDENTITY];
    let centres: Vec<DVec3> = (0..9)
        .map(|joint| DVec3::Y * 0.2 * f64::from(joint))
        .collect();
    for joint in 1..9 {
        let about = DAffine3::from_translation(centres[joint])
            * DAffine3::from_quat(step)
            * DAffine3::from_translation(-centres[joint]);
        transforms.push(transforms[joint - 1] * about);
    }
    Palette::from_nodes(&transforms, &[DVec3::ZERO; 9])
}

fn worst_of_size(method: Method, mesh: &Mesh, palette: &Palette, level: Level) -> f64 {
    let mut expected = Skinned::default();
    reference::skin(method, mesh, &[], palette, &mut expected);
    let fast_palette = FastPalette::new(method, palette);
    let (found, _) = skin_fast(&FastMesh::new(mesh), &fast_palette, level, Cores::One);
    let pairs = found.iter().zip(&expected.positions);
    let worst = pairs.map(|(found, expected)| {
        assert!(found.is_finite(), "{method} on {level}: {found}");
        found.as_dvec3().distance(*expected)
    });
    worst.fold(0.0, f64::max) / 1.8
}

#[test]
fn an_ordinary_pose_is_within_a_millionth_or_two_of_size() {
    let mesh = column(5_000, 6);
    let palette = turned(DQuat::from_rotation_z(0.15) * DQuat::from_rotation_y(0.2));
    for method in methods() {
        for level in levels() {
            let worst = worst_of_size(method, &mesh, &palette, level);
            assert!(worst < 2e-6, "{method} on {level}: {worst:.1e} of size");
        }
    }
}

#[test]
fn twists_at_half_a_turn_choose_the_same_side() {
    // Exactly half a turn between neighbours or between every other one, and a hair to both sides, where
    // float32 cannot tell the sides apart.
    let mesh = column(3_000, 5);
    for part in [1.0, 0.5, 0.25] {
        for more in [0.0, 1e-9, -1e-9, 1e-4, -1e-4] {
            let angle = std::f64::consts::PI * part + more;
            let palette = turned(DQuat::from_rotation_y(angle));
            for method in [Method::Lbs, Method::Dqs, Method::Blend(0.5)] {
                for level in levels() {
                    let worst = worst_of_size(method, &mesh, &palette, level);
                    assert!(worst < 1e-5, "{method} at {angle}: {worst:.1e} of size");
                }
            }
        }
    }
}

#[test]
fn the_heaviest_stands_in_for_a_sum_that_cancels_out() {
    // Half a turn about the same axis to within 1e-13, from matrices that fall to either side of where
    // the sign of their quaternion changes: equal weights leave nothing.
    let half_turn = |more: f64| {
        let axis = DVec3::new(1.0 + more, -1.0, 0.0).normalize();
        DAffine3::from_axis_angle(axis, std::f64::consts::PI)
    };
    let pair = [half_turn(1e-13), half_turn(-1e-13)];
    let palette = Palette::from_nodes(&pair, &[DVec3::ZERO; 2]);
    assert!(palette.rigid()[0].dot_real(palette.rigid()[1]) < -0.999);

    let influences = (0..11).map(|vertex| [(0, 1.0), (1, if vertex < 9 { 1.0 } else { 2.0 })]);
    let influences = Influences::new(influences).unwrap();
    let positions = (0..11).map(|v| Vec3::new(1.0, v as f32, 0.5)).collect();
    let mesh = Mesh::new(positions, vec![], influences).unwrap();
    for method in [Method::DqsPlain, Method::DqsDirect] {
        for level in levels() {
            let worst = worst_of_size(method, &mesh, &palette, level);
            assert!(worst < 1e-5, "{method} on {level}: {worst:.1e} of size");
        }
    }
}

#[test]
fn cores_and_stores_change_nothing() {
    let mesh = FastMesh::new(&column(60_001, 7));
    let palette = turned(DQuat::from_rotation_x(0.4));
    for method in methods() {
        let palette = FastPalette::new(method, &palette);
        for level in levels() {
            let mut expected = FastSkinned::default();
            skin(
                &mesh,
                &palette,
                setup(level, Stores::Cached, Cores::One),
                &mut expected,
            );
            for stores in [Stores::Cached, Stores::Streaming, Stores::BySize] {
                for cores in [Cores::One, Cores::All] {
                    let mut found = FastSkinned::default();
                    skin(&mesh, &palette, setup(level, stores, cores), &mut found);
                    assert!(found.batches() == expected.batches(), "{method} on {level}");
                }
            }
        }
    }
}

#[test]
fn pieces_in_a_row_are_the_whole() {
    let palette = turned(DQuat::from_rotation_x(0.4));
    for vertices in [0, 1, 30_001] {
        let mesh = FastMesh::new(&column(vertices, 7));
        for method in methods() {
            let palette = FastPalette::new(method, &palette);
            for level in levels() {
                let mut expected = FastSkinned::default();
                let one = setup(level, Stores::Cached, Cores::One);
                skin(&mesh, &palette, one, &mut expected);
                let (mut found, mut memory) = (Vec::new(), FastSkinned::default());
                skin_in_pieces(&mesh, &palette, level, &mut memory, |first, piece| {
                    assert_eq!(first, found.len());
                    assert!((1..=128).contains(&piece.len()));
                    found.extend_from_slice(piece);
                });
                assert!(found == expected.batches(), "{method} on {level}");
            }
        }
    }
}

#[test]
fn no_vertex_and_one() {
    for vertices in [0, 1] {
        check_all(&column(vertices, 1), &turned(DQuat::from_rotation_x(0.4)));
    }
}

#[test]
fn a_scale_of_nothing_keeps_the_normal() {
    let mesh = column(20, 1);
    let flat = DAffine3::from_scale(DVec3::ZERO);
    let palette = Palette::from_nodes(&[flat; 9], &[DVec3::Y; 9]);
    check_all(&mesh, &palette);
    for method in methods() {
        let fast_palette = FastPalette::new(method, &palette);
        for level in levels() {
            let (_, normals) = skin_fast(&FastMesh::new(&mesh), &fast_palette, level, Cores::One);
            for (normal, rest) in normals.iter().zip(mesh.normals()) {
                assert!(normal.distance(*rest) < 1e-6, "{method} on {level}");
            }
        }
    }
}

#[test]
fn a_new_rest_shape_is_skinned() {
    let (before, after) = (column(100, 4), column(100, 4));
    let mut morphed = FastMesh::new(&before);
    let raised: Vec<Vec3> = after.positions().iter().map(|p| *p + Vec3::X).collect();
    morphed.update_rest(&raised, after.normals());
    let mut fresh = Mesh::new(raised, vec![], after.influences().clone()).unwrap();
    fresh.set_normals(after.normals().to_vec()).unwrap();
    let palette = turned(DQuat::from_rotation_x(0.4));
    let palette = FastPalette::new(Method::Dqs, &palette);
    let skinned = |mesh: &FastMesh| skin_fast(mesh, &palette, Level::detect(), Cores::One);
    assert_eq!(skinned(&morphed), skinned(&FastMesh::new(&fresh)));
}

#[test]
#[should_panic(expected = "the mesh uses joint 8, the palette has 2")]
fn a_palette_that_is_too_short_is_refused() {
    let palette = Palette::from_nodes(&[DAffine3::IDENTITY; 2], &[DVec3::ZERO; 2]);
    let palette = FastPalette::new(Method::Lbs, &palette);
    let mesh = FastMesh::new(&column(100, 4));
    skin(
        &mesh,
        &palette,
        Setup::default(),
        &mut FastSkinned::default(),
    );
}
