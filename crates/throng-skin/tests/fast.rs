//! The fast kernels against the float64 reference: every method, every level that the machine has, any
//! number of influences, rigid, stretched, sheared and mirrored palettes, turns to either side of 180°.

use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use proptest::prelude::*;
use throng_rig::{DualQuat, Influences, Mesh, Palette};
use throng_skin::Method;
use throng_skin::fast::{Cores, FastMesh, FastPalette, FastSkinned, Level, Setup, Stores, skin};
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
    Level::ALL.into_iter().filter(|level| level.available())
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
    let setup = Setup {
        level,
        stores: Stores::Cached,
        cores,
    };
    skin(mesh, palette, setup, &mut out);
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
    #![proptest_config(ProptestConfig::with_cases(400))]

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
