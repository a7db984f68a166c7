//! Shape of the body below the chin, as solids over the bones.
//!
//! Only the half with x ≥ 0 is described. Lengths are in metres.

use glam::DVec3;

use super::bones::{
    ARM, Bones, FINGERS, FOOT, FOREARM, HAND, PALM, SHIN, Side, THIGH, TOES, UPPER_ARM, finger,
};
use super::field::{Field, Solid, capsule, ellipsoid, flat_capsule, ground};
use super::head;
use super::paint::Paint;

/// Returns the field of the whole body.
pub(super) fn body(bones: &Bones) -> Field {
    let mut solids = torso();
    solids.extend(leg(bones));
    solids.extend(arm(bones));
    solids.extend(hand(bones));
    solids.extend(head::head());
    Field::new(solids)
}

fn torso() -> Vec<Solid> {
    use Paint::{Shirt, Skin, Trousers};
    let at = DVec3::new;
    vec![
        // Pelvis, waist, rib cage.
        ellipsoid(Trousers, [0.0, 0.985, -0.004], [0.158, 0.120, 0.102], 0.03),
        ellipsoid(Shirt, [0.0, 1.110, 0.000], [0.142, 0.160, 0.096], 0.06),
        ellipsoid(Shirt, [0.0, 1.285, -0.010], [0.152, 0.185, 0.108], 0.06),
        // Shoulder girdle, and the slope from the neck to the shoulders.
        capsule(
            Shirt,
            at(0.0, 1.405, -0.022),
            at(0.128, 1.420, -0.024),
            [0.086, 0.062],
            0.04,
        ),
        capsule(
            Shirt,
            at(0.012, 1.512, -0.038),
            at(0.146, 1.454, -0.026),
            [0.037, 0.034],
            0.05,
        ),
        // Chest and back.
        ellipsoid(Shirt, [0.066, 1.345, 0.048], [0.086, 0.066, 0.042], 0.06),
        capsule(
            Shirt,
            at(0.120, 1.370, -0.045),
            at(0.098, 1.200, -0.030),
            [0.048, 0.050],
            0.04,
        ),
        // Seat.
        ellipsoid(
            Trousers,
            [0.076, 0.940, -0.058],
            [0.084, 0.088, 0.072],
            0.03,
        ),
        // Neck.
        capsule(
            Skin,
            at(0.0, 1.460, -0.030),
            at(0.0, 1.620, -0.008),
            [0.055, 0.051],
            0.04,
        ),
    ]
}

fn leg(bones: &Bones) -> Vec<Solid> {
    use Paint::{Shoe, Trousers};
    let at = |joint: usize| bones.positions[Side::Left.joint(joint)];
    let (hip, knee, ankle, ball) = (at(THIGH), at(SHIN), at(FOOT), at(TOES));
    let off = DVec3::new;
    vec![
        // Thigh: a tapered capsule, and the muscle in front and outside.
        capsule(
            Trousers,
            hip + off(0.006, -0.030, 0.0),
            knee + off(0.0, 0.03, 0.0),
            [0.084, 0.058],
            0.05,
        ),
        ellipsoid(Trousers, [0.102, 0.760, 0.014], [0.068, 0.170, 0.074], 0.04),
        // Knee, shin and calf, down to the hem.
        capsule(
            Trousers,
            knee + off(0.0, 0.02, 0.002),
            ankle + off(0.0, 0.055, 0.004),
            [0.058, 0.050],
            0.04,
        ),
        ellipsoid(
            Trousers,
            [0.094, 0.375, -0.034],
            [0.050, 0.110, 0.048],
            0.04,
        ),
        // Shoe: ankle, heel, instep, ball and toe cap.
        capsule(
            Shoe,
            ankle + off(0.0, 0.030, 0.000),
            ankle + off(0.0, -0.03, 0.002),
            [0.040, 0.044],
            0.012,
        ),
        capsule(
            Shoe,
            off(0.088, 0.036, -0.048),
            off(0.090, 0.036, -0.010),
            [0.040, 0.042],
            0.02,
        ),
        flat_capsule(
            Shoe,
            ankle + off(0.0, -0.020, 0.020),
            ball + off(-0.002, 0.023, -0.01),
            [0.042, 0.046],
            (DVec3::Y, 0.85),
            0.03,
        ),
        flat_capsule(
            Shoe,
            ball + off(-0.002, 0.011, -0.010),
            ball + off(-0.002, 0.011, 0.050),
            [0.050, 0.043],
            (DVec3::Y, 0.70),
            0.03,
        ),
        ground(0.0, 0.008),
    ]
}

fn arm(bones: &Bones) -> Vec<Solid> {
    use Paint::{Shirt, Skin};
    let at = |joint: usize| bones.positions[Side::Left.joint(joint)];
    let (shoulder, elbow, wrist) = (at(UPPER_ARM), at(FOREARM), at(HAND));
    let down = |from: DVec3, to: DVec3, t: f64| from.lerp(to, t);
    let upper = |t: f64| down(shoulder, elbow, t);
    let lower = |t: f64| down(elbow, wrist, t);
    vec![
        // Deltoid, under the sleeve.
        capsule(
            Shirt,
            shoulder + DVec3::new(-0.014, 0.000, 0.0),
            upper(0.30),
            [0.056, 0.052],
            0.045,
        ),
        // Upper arm and forearm.
        capsule(Skin, upper(0.2), upper(1.0), [0.044, 0.038], 0.01),
        capsule(
            Skin,
            upper(0.55) + DVec3::Z * 0.008,
            upper(0.75) + DVec3::Z * 0.008,
            [0.040, 0.036],
            0.02,
        ),
        flat_capsule(
            Skin,
            lower(0.0),
            lower(1.0),
            [0.038, 0.026],
            (PALM, 0.92),
            0.02,
        ),
        capsule(Skin, lower(0.12), lower(0.42), [0.037, 0.034], 0.03),
        // Sleeve.
        capsule(Shirt, upper(0.1), upper(0.46), [0.056, 0.054], 0.012),
    ]
}

fn hand(bones: &Bones) -> Vec<Solid> {
    use Paint::Skin;
    let at = |joint: usize| bones.positions[Side::Left.joint(joint)];
    let wrist = at(HAND);
    let mut solids = Vec::new();
    for f in 1..FINGERS {
        // The palm is made of one capsule per finger, from the wrist to the knuckle.
        let knuckle = at(finger(f, 0));
        let towards = (knuckle - wrist).dot(DVec3::Z) * 0.45;
        let start = wrist + ARM * 0.012 + DVec3::Z * towards;
        solids.push(flat_capsule(
            Skin,
            start,
            knuckle - ARM * 0.008,
            [0.0190, 0.0145],
            (PALM, 0.82),
            0.012,
        ));
    }
    // Balls of the thumb and of the little finger.
    solids.push(capsule(
        Skin,
        wrist + ARM * 0.022 + DVec3::Z * 0.016 + PALM * 0.008,
        at(finger(0, 1)),
        [0.018, 0.0135],
        0.014,
    ));
    solids.push(capsule(
        Skin,
        wrist + ARM * 0.022 - DVec3::Z * 0.018 + PALM * 0.008,
        wrist + ARM * 0.058 - DVec3::Z * 0.024 + PALM * 0.008,
        [0.014, 0.012],
        0.014,
    ));
    for (f, radii) in FINGER_RADII.into_iter().enumerate() {
        let joints = [0, 1, 2, 3].map(|k| at(finger(f, k)));
        // The last capsule ends one radius before the leaf joint.
        let tip = joints[3] + (joints[2] - joints[3]).normalize() * radii[3];
        let ends = [joints[0], joints[1], joints[2], tip];
        let first = usize::from(f == 0);
        for k in first..3 {
            let blend = if k == 0 { 0.005 } else { 0.003 };
            solids.push(capsule(
                Skin,
                ends[k],
                ends[k + 1],
                [radii[k], radii[k + 1]],
                blend,
            ));
        }
    }
    solids
}

/// Radii at the three joints and the tip of each finger.
const FINGER_RADII: [[f64; 4]; FINGERS] = [
    [0.0155, 0.0130, 0.0115, 0.0092],
    [0.0102, 0.0094, 0.0086, 0.0074],
    [0.0104, 0.0096, 0.0088, 0.0075],
    [0.0100, 0.0092, 0.0084, 0.0072],
    [0.0090, 0.0082, 0.0076, 0.0065],
];
