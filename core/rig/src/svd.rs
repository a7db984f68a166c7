//! Singular value decomposition of a 3×3 matrix by one-sided Jacobi rotations, and the polar decomposition
//! made from it.
//!
//! One-sided: the columns are rotated until they are orthogonal. Small singular values stay accurate, and
//! singular matrices need no special case.

use glam::{DMat3, DQuat, DVec3};

/// Singular value decomposition `u * diag(sigma) * v^T`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Svd {
    /// Proper rotation.
    pub u: DMat3,
    /// Singular values, largest first. The last is negative if the matrix mirrors.
    pub sigma: DVec3,
    /// Proper rotation.
    pub v: DMat3,
}

/// Polar decomposition `rotation * stretch`. See [`polar`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Polar {
    /// Proper rotation; the nearest to the matrix if that does not mirror.
    pub rotation: DQuat,
    /// Scale, shear and reflection; symmetric if the matrix does not mirror.
    pub stretch: DMat3,
    /// Reflection in the stretch if the matrix mirrors; its own inverse.
    pub reflection: Option<DMat3>,
}

/// Maximum number of sweeps; four or five are usual.
const MAX_SWEEPS: usize = 32;

/// Decomposes any finite matrix, including singular and mirroring matrices.
pub fn svd(matrix: &DMat3) -> Svd {
    let mut columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    let mut v = [DVec3::X, DVec3::Y, DVec3::Z];
    for _ in 0..MAX_SWEEPS {
        let mut rotated = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let (a, b) = (columns[p], columns[q]);
            let dot = a.dot(b);
            if dot.abs() <= 1e-16 * a.length() * b.length() || dot == 0.0 {
                continue;
            }
            rotated = true;
            let zeta = (b.length_squared() - a.length_squared()) / (2.0 * dot);
            let tangent = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
            let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
            let sine = cosine * tangent;
            for set in [&mut columns, &mut v] {
                let (a, b) = (set[p], set[q]);
                set[p] = a * cosine - b * sine;
                set[q] = a * sine + b * cosine;
            }
        }
        if !rotated {
            break;
        }
    }

    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| columns[j].length().total_cmp(&columns[i].length()));
    let columns = order.map(|i| columns[i]);
    let mut v = order.map(|i| v[i]);
    if DMat3::from_cols(v[0], v[1], v[2]).determinant() < 0.0 {
        v[2] = -v[2];
    }
    let (u, sigma) = left_vectors(columns);
    // The sign of the last column of `v` may have changed; its singular value takes the sign.
    let v = DMat3::from_cols(v[0], v[1], v[2]);
    let last = (*matrix * v.z_axis).dot(u.z_axis);
    Svd {
        u,
        sigma: DVec3::new(sigma.x, sigma.y, last),
        v,
    }
}

/// Returns unit left vectors of orthogonal columns, largest first. Columns too short to have a direction are
/// replaced by orthogonal vectors.
fn left_vectors(columns: [DVec3; 3]) -> (DMat3, DVec3) {
    let lengths = DVec3::new(
        columns[0].length(),
        columns[1].length(),
        columns[2].length(),
    );
    let floor = lengths.x * 1e-14;
    let x = if lengths.x > 0.0 {
        columns[0] / lengths.x
    } else {
        DVec3::X
    };
    let y = if lengths.y > floor {
        // Orthogonal except for rounding.
        (columns[1] - x * x.dot(columns[1])).normalize()
    } else {
        x.any_orthonormal_vector()
    };
    (DMat3::from_cols(x, y, x.cross(y)), lengths)
}

/// Splits a matrix into a rotation and a stretch, `matrix = rotation * stretch`.
///
/// The rotation is always proper: a reflection is part of the stretch, through the plane or the point that
/// leaves the smaller rotation angle. The rotation of a singular matrix is one of several possible ones.
pub fn polar(matrix: &DMat3) -> Polar {
    polar_like(matrix, None)
}

/// [`polar`] with the reflection of a neighbour, if the matrix mirrors and the neighbour has one: only equal
/// reflections can be blended.
pub fn polar_like(matrix: &DMat3, neighbour: Option<DMat3>) -> Polar {
    if is_rotation(matrix) {
        return Polar {
            rotation: DQuat::from_mat3(matrix).normalize(),
            stretch: DMat3::IDENTITY,
            reflection: None,
        };
    }
    let Svd { u, sigma, v } = svd(matrix);
    let size = v * DMat3::from_diagonal(sigma.abs()) * v.transpose();
    if sigma.z >= 0.0 {
        return Polar {
            rotation: DQuat::from_mat3(&(u * v.transpose())).normalize(),
            stretch: size,
            reflection: None,
        };
    }
    let mirroring = u * DMat3::from_diagonal(DVec3::new(1.0, 1.0, -1.0)) * v.transpose();
    let reflection = neighbour.unwrap_or_else(|| nearest_reflection(&mirroring));
    Polar {
        rotation: DQuat::from_mat3(&(mirroring * reflection)).normalize(),
        stretch: reflection * size,
        reflection: Some(reflection),
    }
}

/// Returns the reflection that leaves the smaller rotation angle of a mirroring orthogonal matrix.
fn nearest_reflection(mirroring: &DMat3) -> DMat3 {
    let through_point = DQuat::from_mat3(&-*mirroring).normalize();
    let axis = DVec3::new(through_point.x, through_point.y, through_point.z);
    if axis.length_squared() <= 0.5 {
        return -DMat3::IDENTITY;
    }
    // More than 90°: a reflection through the plane orthogonal to the axis leaves a smaller angle.
    let axis = axis.normalize();
    DMat3::IDENTITY - DMat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z) * 2.0
}

fn is_rotation(matrix: &DMat3) -> bool {
    (matrix.transpose() * *matrix).abs_diff_eq(DMat3::IDENTITY, 1e-13) && matrix.determinant() > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(matrix: DMat3) {
        let Svd { u, sigma, v } = svd(&matrix);
        let scale = sigma.x.abs().max(1e-300);
        assert!(
            (u * DMat3::from_diagonal(sigma) * v.transpose()).abs_diff_eq(matrix, 1e-12 * scale)
        );
        for rotation in [u, v] {
            assert!((rotation.transpose() * rotation).abs_diff_eq(DMat3::IDENTITY, 1e-12));
            assert!(rotation.determinant() > 0.0);
        }
        assert!(sigma.x >= sigma.y && sigma.y >= sigma.z.abs() - 1e-12 * scale);

        let Polar {
            rotation, stretch, ..
        } = polar(&matrix);
        assert!((DMat3::from_quat(rotation) * stretch).abs_diff_eq(matrix, 1e-11 * scale.max(1.0)));
        if sigma.z >= 0.0 {
            assert!(stretch.abs_diff_eq(stretch.transpose(), 1e-11 * scale.max(1.0)));
        }
        assert!(rotation.is_normalized());
    }

    proptest! {
        #[test]
        fn decomposes_any_matrix(m in prop::array::uniform9(-3.0..3.0f64)) {
            check(DMat3::from_cols_array(&m));
        }

        #[test]
        fn decomposes_singular_matrices(a in prop::array::uniform3(-3.0..3.0f64), b in prop::array::uniform3(-3.0..3.0f64), s in -2.0..2.0f64, t in -2.0..2.0f64) {
            let (a, b) = (DVec3::from_array(a), DVec3::from_array(b));
            check(DMat3::from_cols(a, b, a * s + b * t));
            check(DMat3::from_cols(a, a * s, a * t));
        }
    }

    #[test]
    fn decomposes_special_matrices() {
        check(DMat3::ZERO);
        check(DMat3::IDENTITY);
        check(-DMat3::IDENTITY);
        check(DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0)));
        check(DMat3::from_diagonal(DVec3::new(1e-9, 1.0, 1e9)));
        check(DMat3::from_rotation_z(3.0) * 2.0);
    }

    #[test]
    fn reflection_is_part_of_the_stretch() {
        let flips = [
            DVec3::NEG_ONE,
            DVec3::new(-1.0, 1.0, 1.0),
            DVec3::new(1.0, -2.0, 1.0),
            DVec3::new(1.0, 1.0, -0.5),
        ];
        for angle in [0.0, 0.3, -0.7] {
            for flip in flips {
                let rotated = DMat3::from_rotation_y(angle);
                let mirror = DMat3::from_diagonal(flip);
                let Polar {
                    rotation, stretch, ..
                } = polar(&(rotated * mirror));
                let angle = 2.0 * rotation.w.abs().min(1.0).acos();
                assert!(angle < 0.8, "{flip}: rotated by {angle}");
                assert!(stretch.determinant() < 0.0);
            }
        }
    }
}
