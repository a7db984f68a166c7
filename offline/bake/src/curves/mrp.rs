//! Rotations as modified Rodrigues parameters: the axis, times the tangent of a quarter of the angle.

use glam::{DQuat, DVec3, DVec4};

/// The parameters of a rotation, of length one at most.
pub fn mrp_from_quat(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    q.xyz() / (1.0 + q.w)
}

/// The rotation of parameters.
pub fn quat_from_mrp(p: DVec3) -> DQuat {
    let square = p.length_squared();
    let v = p * (2.0 / (1.0 + square));
    DQuat::from_xyzw(v.x, v.y, v.z, (1.0 - square) / (1.0 + square))
}

/// The parameters of a rotation whose sign matters: longer than one where `w` is negative.
pub fn mrp_from_same_sign(q: DQuat) -> DVec3 {
    q.xyz() / (1.0 + q.w).max(1e-6)
}

/// Rotations as seen from a reference, without jumps of sign: the middle one in the reference's
/// hemisphere, and each of the others in that of the one next to it.
pub fn unwind(reference: DQuat, rotations: &[DQuat], out: &mut Vec<DVec4>) {
    let back = reference.inverse();
    out.clear();
    out.extend(rotations.iter().map(|q| DVec4::from(back * *q)));
    let start = out.len() / 2;
    out[start] = towards(out[start], DVec4::W);
    for i in start + 1..out.len() {
        out[i] = towards(out[i], out[i - 1]);
    }
    for i in (0..start).rev() {
        out[i] = towards(out[i], out[i + 1]);
    }
}

fn towards(q: DVec4, hemisphere: DVec4) -> DVec4 {
    if q.dot(hemisphere) < 0.0 { -q } else { q }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_turn_has_no_jump() {
        let turns: Vec<DQuat> = (0..33)
            .map(|i| DQuat::from_rotation_y(f64::from(i - 16) * 0.18))
            .collect();
        let mut p = Vec::new();
        unwind(turns[16], &turns, &mut p);
        for (i, q) in p.iter().enumerate() {
            let angle = (i as f64 - 16.0) * 0.18;
            let p = mrp_from_same_sign(DQuat::from_vec4(*q));
            assert!((p.y - (angle / 4.0).tan()).abs() < 1e-12, "{i}");
            assert!(quat_from_mrp(p).dot(DQuat::from_vec4(*q)) > 1.0 - 1e-12);
        }
    }
}
