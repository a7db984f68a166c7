//! Signs of quaternions along a curve.

use glam::{DQuat, DVec4};

/// Writes rotations relative to a reference to `out`, without jumps of sign: the middle one in the hemisphere of the
/// identity, each other one in the hemisphere of its neighbour towards the middle.
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
    use throng_rig::{mrp_from_signed_quat, quat_from_mrp};

    use super::*;

    #[test]
    fn full_revolution_has_no_jump_of_sign() {
        let rotations: Vec<DQuat> = (0..33)
            .map(|i| DQuat::from_rotation_y(f64::from(i - 16) * 0.18))
            .collect();
        let mut unwound = Vec::new();
        unwind(rotations[16], &rotations, &mut unwound);
        for (i, q) in unwound.iter().enumerate() {
            let angle = (i as f64 - 16.0) * 0.18;
            let p = mrp_from_signed_quat(DQuat::from_vec4(*q));
            assert!((p.y - (angle / 4.0).tan()).abs() < 1e-12, "{i}");
            assert!(quat_from_mrp(p).dot(DQuat::from_vec4(*q)) > 1.0 - 1e-12);
        }
    }
}
