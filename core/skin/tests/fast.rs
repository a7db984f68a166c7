//! Fast kernels against the float64 reference: all methods, all levels of the machine, any number of influences,
//! rigid, stretched, sheared and mirrored palettes, rotations to either side of 180°.

use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3, Vec3Swizzles};
use proptest::prelude::*;
use throng_rig::{
    AuthoredMethod, DualQuat, Influences, Joint, JointKind, Mat3x4, Mesh, Method, ModelPose,
    Palette, Skeleton, Skin, Skinning, Transform,
};
use throng_simd::Level;
use throng_skin::fast::{
    Cores, FastMesh, FastOptions, FastPalette, FastSkinned, StoreMode, skin, skin_in_pieces,
};
use throng_skin::reference::{self, Motion, Skinned};

/// Relative to the largest length (about the size of the model): 0.02 mm at 1.8 m. float32 rounds at 6e-8, and a
/// vertex passes through about 20 operations on numbers that may partly cancel.
const POSITION_TOLERANCE: f64 = 1e-5;

/// For a unit vector, where nothing cancels.
const NORMAL_TOLERANCE: f64 = 1e-5;

/// Sums shorter than this part of their terms have too few digits to compare.
const MIN_REMAINDER: f64 = 1e-2;

const JOINTS: usize = 14;

fn methods() -> [Method; 12] {
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
        Method::DqsBulgeFree,
        Method::Cor,
        Method::Sclerp,
    ]
}

fn levels() -> impl Iterator<Item = Level> {
    Level::available()
}

/// A random vertex: position, normal, index of a set of joints, weights.
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
    // A third of the meshes have no centres: their vertices are their own.
    if !vertices.len().is_multiple_of(3) {
        let centers = vertices.iter().map(|v| vec3(&v.1) * vec3(&v.0).yzx());
        mesh.set_rotation_centers(centers.collect()).unwrap();
    }
    mesh
}

/// Any rotation, and rotations near multiples of 180° about an axis that all joints share.
fn rotation() -> impl Strategy<Value = DQuat> {
    let any = prop::array::uniform4(-1.0..1.0f64)
        .prop_filter("not zero", |q| q.iter().map(|x| x * x).sum::<f64>() > 0.01)
        .prop_map(|q| DQuat::from_array(q).normalize());
    let near_pi = (-2..=2i32, -1e-3..1e-3f64).prop_map(|(multiple, offset)| {
        DQuat::from_rotation_y(f64::from(multiple) * std::f64::consts::PI + offset)
    });
    let small = (-1.0..1.0f64).prop_map(DQuat::from_rotation_x);
    prop_oneof![any, near_pi, small]
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
                    // Mirrors half of the axes.
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
        with_bones(&transforms, &centres)
    })
}

/// Joints within 57° of one rotation, to either side of where quaternions change their signs.
fn near_one_rotation() -> impl Strategy<Value = Palette> {
    let vector = || prop::array::uniform3(-1.0..1.0f64).prop_map(DVec3::from_array);
    let joints = prop::collection::vec((vector(), vector(), vector()), JOINTS);
    (rotation(), joints).prop_map(|(shared, joints)| {
        let transform = |&(turn, translation, _): &(DVec3, DVec3, DVec3)| {
            let turn = DQuat::from_scaled_axis(turn / 3f64.sqrt());
            DAffine3::from_rotation_translation(shared * turn, translation)
        };
        let transforms: Vec<DAffine3> = joints.iter().map(transform).collect();
        let centres: Vec<DVec3> = joints.iter().map(|joint| joint.2).collect();
        with_bones(&transforms, &centres)
    })
}

/// Makes a palette of joints bound at `centres`. Each second one has a bone to the centre of the next, the others have
/// points.
fn with_bones(transforms: &[DAffine3], centres: &[DVec3]) -> Palette {
    let joint = |index: usize, &centre: &DVec3| {
        let parent = (index % 2 == 1).then(|| index - 1);
        let offset = parent.map_or(centre, |parent| centre - centres[parent]);
        Joint {
            name: String::new(),
            parent,
            parent_from_joint: Transform::from_translation(offset),
            kind: JointKind::Bone,
        }
    };
    let joints = centres.iter().enumerate().map(|(i, c)| joint(i, c));
    let skeleton = Skeleton::new(joints.collect()).unwrap();
    let bind = centres.iter().map(|&c| DAffine3::from_translation(-c));
    let indices = (0..centres.len()).collect();
    let skin = Skin::new(String::new(), &skeleton, indices, bind.collect()).unwrap();
    let posed = transforms.iter().zip(centres);
    let posed = posed.map(|(&m, &c)| m * DAffine3::from_translation(c));
    let pose = ModelPose {
        model_from_joint: posed.collect(),
    };
    let mut palette = Palette::default();
    palette.update(&skin, &pose);
    palette
}

/// Returns the length of the sum of dual quaternions where signs may cancel: 1 if nothing cancels, 0 if all does.
fn remainder_of_sum(method: Method, palette: &Palette, mesh: &Mesh, vertex: usize) -> f64 {
    let list = match method {
        Method::DqsPlain => palette.rigid(),
        Method::DqsDirect => palette.aligned(),
        Method::Sclerp => return condition_of_screws(palette, mesh, vertex),
        _ => return 1.0,
    };
    let terms = mesh.influences().of(vertex).map(|(j, w)| list[j] * w);
    terms.fold(DualQuat::ZERO, |a, b| a + b).real.length()
}

/// Returns how well screws determine their blend: 1 where each joint is within 120° of it, 0 elsewhere. Towards 180° a joint has
/// two screws of the same length, and which of them is the shorter decides the result.
fn condition_of_screws(palette: &Palette, mesh: &Mesh, vertex: usize) -> f64 {
    let bound = reference::BoundVertex::of(mesh, &[], vertex);
    let Motion::Matrix(matrix) = reference::motion(Method::Sclerp, palette, &bound) else {
        unreachable!("one matrix");
    };
    let stretch = mesh.influences().of(vertex);
    let stretch = stretch.fold(DMat3::ZERO, |sum, (joint, weight)| {
        sum + palette.stretches()[joint].matrix3 * weight
    });
    if stretch.determinant().abs() < 1e-3 {
        return 0.0;
    }
    let blend = DQuat::from_mat3(&(matrix.matrix3 * stretch.inverse()));
    let joints = mesh.influences().of(vertex).filter(|&(_, w)| w > 0.0);
    let dots = joints.map(|(joint, _)| palette.rigid()[joint].real.dot(blend).abs());
    f64::from(u8::from(dots.fold(1.0, f64::min) > 0.5))
}

/// Returns the length of the transformed normal before normalisation, relative to the largest possible.
fn remainder_of_normal(motion: &Motion, largest: f64, normal: DVec3) -> f64 {
    let of = |m: &DAffine3| (cofactors(&m.matrix3) * normal).length() / largest;
    match motion {
        Motion::Matrix(matrix) => of(matrix),
        Motion::StretchThenRigid(stretch, _) => of(stretch),
        Motion::BlendResults(a, b, f) => {
            let unit = |m: &DAffine3| (cofactors(&m.matrix3) * normal).normalize_or_zero();
            let blended = unit(a).lerp(unit(b), *f).length();
            of(a).min(of(b)).min(blended)
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

/// Asserts that positions (relative to the largest length) and normals are within tolerance.
fn check(
    skinning: impl Into<Skinning>,
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
    let skinning = skinning.into();
    for vertex in 0..mesh.vertex_count() {
        let method = skinning.method_of(mesh, vertex);
        let bound = reference::BoundVertex::of(mesh, &[], vertex);
        let motion = reference::motion(method, palette, &bound);
        let remainder = remainder_of_sum(method, palette, mesh, vertex);
        if remainder < MIN_REMAINDER {
            continue;
        }
        let position = found.0[vertex].as_dvec3();
        let error = position.distance(expected.positions[vertex]);
        assert!(
            error <= POSITION_TOLERANCE * size / remainder,
            "{method}: vertex {vertex} is off by {error:.2e} of {size:.2}"
        );
        let normal = mesh.normals()[vertex].as_dvec3();
        let remainder = remainder * remainder_of_normal(&motion, largest, normal);
        if remainder < MIN_REMAINDER {
            continue;
        }
        let error = found.1[vertex]
            .as_dvec3()
            .distance(expected.normals[vertex]);
        assert!(
            error <= NORMAL_TOLERANCE / remainder,
            "{method}: the normal of vertex {vertex} is off by {error:.2e}, remainder {remainder:.2e}"
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
    skin(
        mesh,
        palette,
        options(level, StoreMode::Cached, cores),
        &mut out,
    );
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
    fn every_kernel_matches_the_reference_near_one_rotation(mesh in mesh(), palette in near_one_rotation()) {
        for vertex in 0..mesh.vertex_count() {
            prop_assert_eq!(condition_of_screws(&palette, &mesh, vertex), 1.0);
        }
        check_all(&mesh, &palette);
    }

    #[test]
    fn blend_by_vertex_matches_the_reference(mesh in mesh(), palette in palette(), factor in 0.0..1.0f32) {
        let mut mesh = mesh;
        mesh.authored_method = AuthoredMethod::Blended;
        let factors = (0..mesh.vertex_count()).map(|vertex| (vertex * 7 % 11) as f32 / 10.0);
        let factors: Vec<f32> = factors.collect();
        mesh.set_blend_factors(factors.clone()).unwrap();
        let fast_mesh = FastMesh::new(&mesh);
        mesh.set_blend_factors(factors.iter().map(|f| f * factor).collect()).unwrap();
        let mut expected = Skinned::default();
        reference::skin(Skinning::AsAuthored, &mesh, &[], &palette, &mut expected);
        let mut fast_palette = FastPalette::default();
        fast_palette.update_blended_by_vertex(f64::from(factor), &palette);
        for level in levels() {
            let found = skin_fast(&fast_mesh, &fast_palette, level, Cores::One);
            check(Skinning::AsAuthored, &mesh, &palette, &expected, &found);
        }
    }

    #[test]
    fn matrices_of_a_crowd_are_skinned_as_a_palette(mesh in mesh(), palette in palette()) {
        let row = |m: &DAffine3, axis: usize| m.matrix3.row(axis).extend(m.translation[axis]);
        let rows = |m: &DAffine3| [0, 1, 2].map(|axis| row(m, axis).as_vec4().to_array());
        let matrices: Vec<Mat3x4> = palette.matrices().iter().map(rows).collect();
        let mut linear = FastPalette::new(Method::Dqs, &palette);
        linear.update_linear(&matrices);
        let mesh = FastMesh::new(&mesh);
        let skinned = |palette| skin_fast(&mesh, palette, Level::detect(), Cores::One);
        prop_assert_eq!(skinned(&linear), skinned(&FastPalette::new(Method::Lbs, &palette)));
    }

    #[test]
    fn slot_and_source_maps_are_inverse(mesh in mesh()) {
        let fast = FastMesh::new(&mesh);
        prop_assert_eq!(fast.slot_of().len(), mesh.vertex_count());
        let mut used = vec![false; fast.source_of().len()];
        for (vertex, &slot) in fast.slot_of().iter().enumerate() {
            prop_assert_eq!(fast.source_of()[slot as usize] as usize, vertex);
            prop_assert!(!std::mem::replace(&mut used[slot as usize], true));
        }
    }
}

fn options(level: Level, store_mode: StoreMode, cores: Cores) -> FastOptions {
    FastOptions {
        level,
        store_mode,
        cores,
    }
}

/// A column of `vertices` along Y from 0 to 1.8 m, with joints every 0.2 m and up to `max_influences` per vertex.
fn column(vertices: usize, max_influences: usize) -> Mesh {
    let height = |vertex: usize| 1.8 * vertex as f64 / vertices as f64;
    let influences = (0..vertices).map(|vertex| {
        let first = (height(vertex) / 0.2) as usize;
        let count = 1 + vertex % max_influences;
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

/// Each joint of a [`column`] is rotated about its position by `step` relative to the joint below.
fn rotated(step: DQuat) -> Palette {
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

fn worst_relative_error(method: Method, mesh: &Mesh, palette: &Palette, level: Level) -> f64 {
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
fn ordinary_pose_is_within_2e_6_of_size() {
    let mesh = column(5_000, 6);
    let palette = rotated(DQuat::from_rotation_z(0.15) * DQuat::from_rotation_y(0.2));
    for method in methods() {
        for level in levels() {
            let worst = worst_relative_error(method, &mesh, &palette, level);
            assert!(worst < 2e-6, "{method} on {level}: {worst:.1e} of size");
        }
    }
}

#[test]
fn twists_near_180_degrees_choose_the_sign_of_the_reference() {
    // Exactly 180° between neighbours or between every other joint, and slightly to both sides, where float32
    // cannot distinguish the sides.
    let mesh = column(3_000, 5);
    for part in [1.0, 0.5, 0.25] {
        for offset in [0.0, 1e-9, -1e-9, 1e-4, -1e-4] {
            let angle = std::f64::consts::PI * part + offset;
            let palette = rotated(DQuat::from_rotation_y(angle));
            for method in [
                Method::Lbs,
                Method::Dqs,
                Method::Blend(0.5),
                Method::DqsBulgeFree,
                Method::Cor,
            ] {
                for level in levels() {
                    let worst = worst_relative_error(method, &mesh, &palette, level);
                    assert!(worst < 1e-5, "{method} at {angle}: {worst:.1e} of size");
                }
            }
        }
    }
}

#[test]
fn heaviest_influence_replaces_a_sum_that_cancels() {
    // Rotations by 180° about the same axis to within 1e-13, from matrices to either side of where the sign of
    // their quaternion changes: with equal weights the sum cancels.
    let half_turn = |offset: f64| {
        let axis = DVec3::new(1.0 + offset, -1.0, 0.0).normalize();
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
            let worst = worst_relative_error(method, &mesh, &palette, level);
            assert!(worst < 1e-5, "{method} on {level}: {worst:.1e} of size");
        }
    }
}

#[test]
fn result_does_not_depend_on_cores_and_store_mode() {
    let mesh = FastMesh::new(&column(60_001, 7));
    let palette = rotated(DQuat::from_rotation_x(0.4));
    for method in methods() {
        let palette = FastPalette::new(method, &palette);
        for level in levels() {
            let mut expected = FastSkinned::default();
            skin(
                &mesh,
                &palette,
                options(level, StoreMode::Cached, Cores::One),
                &mut expected,
            );
            for store_mode in [StoreMode::Cached, StoreMode::Streaming, StoreMode::BySize] {
                for cores in [Cores::One, Cores::All] {
                    let mut found = FastSkinned::default();
                    skin(
                        &mesh,
                        &palette,
                        options(level, store_mode, cores),
                        &mut found,
                    );
                    assert!(found.batches() == expected.batches(), "{method} on {level}");
                }
            }
        }
    }
}

#[test]
fn pieces_together_equal_the_whole_mesh() {
    let palette = rotated(DQuat::from_rotation_x(0.4));
    for vertices in [0, 1, 30_001] {
        let mesh = FastMesh::new(&column(vertices, 7));
        for method in methods() {
            let palette = FastPalette::new(method, &palette);
            for level in levels() {
                let mut expected = FastSkinned::default();
                let one = options(level, StoreMode::Cached, Cores::One);
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
fn skins_meshes_of_no_vertex_and_of_one() {
    for vertices in [0, 1] {
        check_all(&column(vertices, 1), &rotated(DQuat::from_rotation_x(0.4)));
    }
}

#[test]
fn zero_scale_keeps_the_normal() {
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
fn update_rest_changes_positions_and_normals() {
    let (before, after) = (column(100, 4), column(100, 4));
    let mut morphed = FastMesh::new(&before);
    let raised: Vec<Vec3> = after.positions().iter().map(|p| *p + Vec3::X).collect();
    morphed.update_rest(&raised, after.normals());
    let mut fresh = Mesh::new(raised, vec![], after.influences().clone()).unwrap();
    fresh.set_normals(after.normals().to_vec()).unwrap();
    let palette = rotated(DQuat::from_rotation_x(0.4));
    let palette = FastPalette::new(Method::Dqs, &palette);
    let skinned = |mesh: &FastMesh| skin_fast(mesh, &palette, Level::detect(), Cores::One);
    assert_eq!(skinned(&morphed), skinned(&FastMesh::new(&fresh)));
}

#[test]
#[should_panic(expected = "the mesh uses palette index 8, but the palette has 2 joints")]
fn rejects_a_palette_with_too_few_joints() {
    let palette = Palette::from_nodes(&[DAffine3::IDENTITY; 2], &[DVec3::ZERO; 2]);
    let palette = FastPalette::new(Method::Lbs, &palette);
    let mesh = FastMesh::new(&column(100, 4));
    skin(
        &mesh,
        &palette,
        FastOptions::default(),
        &mut FastSkinned::default(),
    );
}
