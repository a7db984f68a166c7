//! Centres of rotation of the built-in cylinder against those of a public library.

use throng_import::builtin::builtin;
use throng_skin::rotation_centers;

/// Heights of rings of vertices around the first bent joint, at 0.5 m, and of their centres, in metres.
///
/// The centres were computed by [CoRCalculator](https://github.com/pmbittner/OptimisedCentresOfRotationSkinning) (Bittner and
/// others, 2019), without its approximate search, with a sigma of 0.1 and triangles divided until weights differ by less
/// than 0.1.
const RINGS: [[f32; 2]; 11] = [
    [0.29167, 0.33009],
    [0.33333, 0.34775],
    [0.37500, 0.37906],
    [0.41667, 0.41790],
    [0.45833, 0.45874],
    [0.50000, 0.50000],
    [0.54167, 0.54126],
    [0.58333, 0.58211],
    [0.62500, 0.62094],
    [0.66667, 0.65225],
    [0.70833, 0.66991],
];

/// Joints of the cylinder are this far apart, in metres; all are bent alike.
const BETWEEN_JOINTS: f32 = 0.5;

#[test]
fn centres_of_the_cylinder_are_those_of_a_public_library() {
    let cylinder = builtin("cylinder").unwrap();
    let mesh = &cylinder.meshes()[0];
    let centers = rotation_centers(&cylinder);
    let mut compared = 0;
    for (vertex, (position, center)) in mesh.positions().iter().zip(&centers[0]).enumerate() {
        let is_cap = position.x.hypot(position.z) < 1e-3;
        if mesh.influences().of(vertex).count() < 2 || is_cap {
            continue;
        }
        let joint = (position.y / BETWEEN_JOINTS).round() - 1.0;
        let [ring, expected] = RINGS
            .into_iter()
            .find(|[ring, _]| (position.y - joint * BETWEEN_JOINTS - ring).abs() < 1e-4)
            .unwrap_or_else(|| panic!("no ring at {position}"));
        let found = center.y - joint * BETWEEN_JOINTS;
        // Both divide triangles, in other pieces: half of a thousandth of the length.
        assert!((found - expected).abs() < 1e-3, "{ring}: {found}");
        assert!(center.x.hypot(center.z) < 1e-5, "{center}");
        compared += 1;
    }
    assert!(compared > 1000, "{compared}");
}
