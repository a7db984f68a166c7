//! Skinning in plain loops over plain numbers. Shares no code with the implementation under test.

use glam::{DAffine3, DQuat, DVec3};

/// A quaternion: w, x, y, z.
pub type Quat = [f64; 4];

/// A dual quaternion, `real + ε·dual`.
#[derive(Debug, Clone, Copy)]
pub struct Dual {
    pub real: Quat,
    pub dual: Quat,
}

pub fn quat(q: DQuat) -> Quat {
    [q.w, q.x, q.y, q.z]
}

pub fn mul(a: Quat, b: Quat) -> Quat {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

fn conjugate(q: Quat) -> Quat {
    [q[0], -q[1], -q[2], -q[3]]
}

fn add(a: Quat, b: Quat) -> Quat {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]]
}

fn scaled(q: Quat, s: f64) -> Quat {
    q.map(|x| x * s)
}

fn dot(a: Quat, b: Quat) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

/// Rotates by `q`, then translates by `t`.
pub fn dual(q: DQuat, t: DVec3) -> Dual {
    let real = quat(q);
    Dual {
        real,
        dual: scaled(mul([0.0, t.x, t.y, t.z], real), 0.5),
    }
}

/// First `b`, then `a`.
pub fn dual_mul(a: Dual, b: Dual) -> Dual {
    Dual {
        real: mul(a.real, b.real),
        dual: add(mul(a.real, b.dual), mul(a.dual, b.real)),
    }
}

/// Rotates about a centre and translates: `T(c) · (q, t) · T(−c)`.
pub fn about(centre: DVec3, q: DQuat, t: DVec3) -> Dual {
    let there = dual(DQuat::IDENTITY, centre);
    let back = dual(DQuat::IDENTITY, -centre);
    dual_mul(there, dual_mul(dual(q, t), back))
}

/// Returns the dual part of the sandwich product `q̂ (1 + ε p) q̂*`: the transformed point.
pub fn apply(q: Dual, p: DVec3) -> DVec3 {
    let point = Dual {
        real: [1.0, 0.0, 0.0, 0.0],
        dual: [0.0, p.x, p.y, p.z],
    };
    let star = Dual {
        real: conjugate(q.real),
        dual: scaled(conjugate(q.dual), -1.0),
    };
    let moved = dual_mul(dual_mul(q, point), star).dual;
    DVec3::new(moved[1], moved[2], moved[3])
}

/// Returns the normalised weighted sum, each term in the hemisphere of the heaviest.
pub fn dqs(duals: &[Dual], influences: impl Iterator<Item = (usize, f64)> + Clone) -> Dual {
    let (pivot, _) = influences
        .clone()
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .unwrap();
    let mut real = [0.0; 4];
    let mut dual = [0.0; 4];
    for (joint, weight) in influences {
        let sign = dot(duals[joint].real, duals[pivot].real).signum();
        real = add(real, scaled(duals[joint].real, sign * weight));
        dual = add(dual, scaled(duals[joint].dual, sign * weight));
    }
    let length = dot(real, real).sqrt();
    Dual {
        real: scaled(real, 1.0 / length),
        dual: scaled(dual, 1.0 / length),
    }
}

/// Returns the weighted mean of the point transformed by each matrix.
pub fn lbs(
    matrices: &[DAffine3],
    influences: impl Iterator<Item = (usize, f64)>,
    p: DVec3,
) -> DVec3 {
    let mut sum = [0.0; 3];
    for (joint, weight) in influences {
        let m = matrices[joint].to_cols_array_2d();
        for (i, sum) in sum.iter_mut().enumerate() {
            *sum += weight * (m[0][i] * p.x + m[1][i] * p.y + m[2][i] * p.z + m[3][i]);
        }
    }
    DVec3::from_array(sum)
}
