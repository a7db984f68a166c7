//! Shape of the head, as solids.

use glam::{DMat3, DVec3};

use super::field::{Solid, capsule, ellipsoid, rotated_ellipsoid};
use super::paint::Paint;

/// Position of the left eye, in metres.
pub(super) const EYE: DVec3 = DVec3::new(0.0315, 1.683, 0.0680);
/// Radius of the eyeball, in metres.
const EYE_RADIUS: f64 = 0.0155;

/// Returns the solids of skull, face and hair of the half with x ≥ 0.
pub(super) fn head() -> Vec<Solid> {
    use Paint::{Hair, Skin};
    let at = DVec3::new;
    let eye = EYE.to_array();
    let ear_rotation = DMat3::from_rotation_x(-0.25) * DMat3::from_rotation_y(-0.45);
    vec![
        // Skull and face.
        ellipsoid(Skin, [0.0, 1.698, -0.012], [0.074, 0.094, 0.094], 0.02),
        ellipsoid(Skin, [0.0, 1.640, 0.026], [0.057, 0.078, 0.062], 0.03),
        // Jaw and chin.
        capsule(
            Skin,
            at(0.040, 1.622, 0.010),
            at(0.014, 1.582, 0.060),
            [0.021, 0.015],
            0.025,
        ),
        ellipsoid(Skin, [0.0, 1.579, 0.068], [0.021, 0.016, 0.017], 0.015),
        // Cheeks and brow.
        ellipsoid(Skin, [0.036, 1.650, 0.056], [0.024, 0.022, 0.024], 0.02),
        capsule(
            Skin,
            at(0.0, 1.706, 0.074),
            at(0.044, 1.704, 0.058),
            [0.0115, 0.0100],
            0.018,
        ),
        // Eyes, in their sockets.
        ellipsoid(Skin, [0.033, 1.682, 0.099], [0.022, 0.014, 0.017], 0.014).subtracted(),
        ellipsoid(Skin, eye, [EYE_RADIUS; 3], 0.004),
        // Nose.
        capsule(
            Skin,
            at(0.0, 1.692, 0.080),
            at(0.0, 1.652, 0.103),
            [0.0085, 0.0110],
            0.010,
        ),
        ellipsoid(Skin, [0.010, 1.650, 0.095], [0.0085, 0.0075, 0.010], 0.006),
        // Lips.
        ellipsoid(Skin, [0.0, 1.6165, 0.079], [0.024, 0.0050, 0.0115], 0.005),
        ellipsoid(Skin, [0.0, 1.6085, 0.078], [0.021, 0.0056, 0.0120], 0.005),
        // Ears.
        rotated_ellipsoid(
            Skin,
            [0.077, 1.668, -0.012],
            [0.0085, 0.031, 0.019],
            ear_rotation,
            0.008,
        ),
        // Hair: a cap, and a tuft over the forehead.
        ellipsoid(Hair, [0.0, 1.704, -0.030], [0.0845, 0.096, 0.092], 0.006),
        capsule(
            Hair,
            at(0.0, 1.768, 0.044),
            at(0.044, 1.760, 0.022),
            [0.026, 0.022],
            0.020,
        ),
    ]
}
