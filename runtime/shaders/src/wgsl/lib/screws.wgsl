// Screw-linear blending of dual quaternions by iteration. The logarithm of a motion is linear in its dual quaternion, but for
// two factors that depend on the cosine of the half angle alone: dual quaternions are summed before they are multiplied by
// the inverse of the blend. Needs quat and dual_quat.

const SCREW_STEPS: u32 = 12u;

// Squared length of a step, relative to the dual quaternion, below which it is rounding.
const SCREW_CONVERGED: f32 = 4e-13;

// `φ / sin φ` in powers of `x = 1 - cos φ` from 0 to 1, to 2e-8.
fn screw_stretch(x: f32) -> f32 {
    return ((((((((0.011162824 * x - 0.03259169) * x + 0.05097576) * x - 0.033552998) * x + 0.030059176) * x + 0.02016349) * x + 0.0579778) * x + 0.13326657) * x + 0.33333538) * x + 0.99999999;
}

// `(φ cos φ / sin φ - 1) / sin² φ` in powers of `x = 1 - cos φ` from 0 to 1, to 2e-7.
fn screw_curl(x: f32) -> f32 {
    return ((((((((-0.074927796 * x + 0.23056423) * x - 0.35182398) * x + 0.2593334) * x - 0.16444946) * x - 0.0201355) * x - 0.107598926) * x - 0.1709471) * x - 0.26668145) * x - 0.33333326;
}

// A unit dual quaternion: a real part of length one, and a dual part orthogonal to it.
fn dual_quat_unit(q: DualQuat, fallback: DualQuat) -> DualQuat {
    let unit = dual_quat_normalized(q, fallback);
    return DualQuat(unit.real, unit.dual - unit.real * dot(unit.real, unit.dual));
}

// Adds the weighted screw from a blend to a joint, still to be multiplied by the inverse of the blend.
fn screws_add(sum: DualQuat, blend: DualQuat, joint: DualQuat, weight: f32) -> DualQuat {
    let cosine = dot(blend.real, joint.real);
    // The joint in the hemisphere of the blend.
    let side = select(1.0, -1.0, cosine < 0.0);
    let x = clamp(1.0 - cosine * side, 0.0, 1.0);
    let along = (dot(blend.real, joint.dual) + dot(blend.dual, joint.real)) * side;
    let stretch = screw_stretch(x) * weight * side;
    let curl = screw_curl(x) * along * weight * side;
    return DualQuat(sum.real + joint.real * stretch, sum.dual + joint.dual * stretch + joint.real * curl);
}

// The screw of a sum of `screws_add`: half the axis times its angle, and half its moment.
fn screws_twist(blend: DualQuat, sum: DualQuat) -> DualQuat {
    let sign = vec4(-1.0, -1.0, -1.0, 1.0);
    let inverse = DualQuat(blend.real * sign, blend.dual * sign);
    let twist = dual_quat_mul(inverse, sum);
    return DualQuat(vec4(twist.real.xyz, 0.0), vec4(twist.dual.xyz, 0.0));
}

// The motion of a screw, for half angles up to 1.
fn screw_motion(twist: DualQuat) -> DualQuat {
    let square = dot(twist.real, twist.real);
    let sinc = 1.0 + square * (-1.0 / 6.0 + square * (1.0 / 120.0 - square / 5040.0));
    let cosine = 1.0 + square * (-0.5 + square * (1.0 / 24.0 + square * (-1.0 / 720.0 + square / 40320.0)));
    let curl = -1.0 / 3.0 + square * (1.0 / 30.0 + square * (-1.0 / 840.0 + square / 45360.0));
    let along = dot(twist.real, twist.dual);
    return DualQuat(
        vec4(twist.real.xyz * sinc, cosine),
        vec4(twist.dual.xyz * sinc + twist.real.xyz * (along * curl), -along * sinc),
    );
}
