//! Singular values of a 3×3 matrix by one-sided Jacobi rotations, and the polar form made from them.
//!
//! One-sided means that the columns themselves are turned until they are orthogonal, which keeps small
//! singular values accurate and needs no care for singular matrices.

use glam::{DMat3, DQuat, DVec3};

/// `u * diag(sigma) * v^T`, with `u` and `v` proper rotations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Svd {
    /// A proper rotation.
    pub u: DMat3,
    /// Largest first; only the last may be negative, and is for a mirroring matrix.
    pub sigma: DVec3,
    /// A proper rotation.
    pub v: DMat3,
}

/// `rotation * stretch`. See [`polar`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Polar {
    /// A proper rotation, the nearest to the matrix where it does not mirror.
    pub rotation: DQuat,
    /// Holds the scale, the shear and any reflection; symmetric where the matrix does not mirror.
    pub stretch: DMat3,
    /// The reflection in the stretch, where the matrix mirrors; its own inverse.
    pub reflection: Option<DMat3>,
}

/// Sweeps after which the columns are orthogonal for any input; four or five are usual.
const MAX_SWEEPS: usize = 32;

/// Decomposes any finite matrix, singular and mirroring ones too.
pub fn svd(matrix: &DMat3) -> Svd {
    let mut columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    let mut v = [DVec3::X, DVec3::Y, DVec3::Z];
    for _ in 0..MAX_SWEEPS {
        let mut turned = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let (a, b) = (columns[p], columns[q]);
            let dot = a.dot(b);
            if dot.abs() <= 1e-16 * a.length() * b.length() || dot == 0.0 {
                continue;
            }
            turned = true;
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
        if !turned {
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
    // The last column of `v` may have been turned around; its singular value takes the sign.
    let v = DMat3::from_cols(v[0], v[1], v[2]);
    let last = (*matrix * v.z_axis).dot(u.z_axis);
    Svd {
        u,
        sigma: DVec3::new(sigma.x, sigma.y, last),
        v,
    }
}

/// Unit left vectors of orthogonal columns, largest first, filled up where a column is too short to
/// have a direction.
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
        // Orthogonal already but for rounding.
        (columns[1] - x * x.dot(columns[1])).normalize()
    } else {
        x.any_orthonormal_vector()
    };
    (DMat3::from_cols(x, y, x.cross(y)), lengths)
}

/// Splits a matrix into a rotation and a stretch, `matrix = rotation * stretch`.
///
/// The rotation is always proper: a reflection goes into the stretch, through the plane or the point
/// that leaves the smaller turn. A singular matrix has a rotation too, chosen among those that fit.
pub fn polar(matrix: &DMat3) -> Polar {
    polar_like(matrix, None)
}

/// [`polar`], but a matrix that mirrors does so by the reflection of its neighbour, where that has one:
/// reflections can be blended only if they are the same.
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

/// The reflection that leaves the smaller turn of an orthogonal matrix that mirrors.
fn nearest_reflection(mirroring: &DMat3) -> DMat3 {
    let through_point = DQuat::from_mat3(&-*mirroring).normalize();
    let axis = DVec3::new(through_point.x, through_point.y, through_point.z);
    if axis.length_squared() <= 0.5 {
        return -DMat3::IDENTITY;
    }
    // More than a quarter turn: reflecting through the plane across the axis needs less.
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
        fn any_matrix(m in prop::array::uniform9(-3.0..3.0f64)) {
            check(DMat3::from_cols_array(&m));
        }

        #[test]
        fn singular_matrices(a in prop::array::uniform3(-3.0..3.0f64), b in prop::array::uniform3(-3.0..3.0f64), s in -2.0..2.0f64, t in -2.0..2.0f64) {
            let (a, b) = (DVec3::from_array(a), DVec3::from_array(b));
            check(DMat3::from_cols(a, b, a * s + b * t));
            check(DMat3::from_cols(a, a * s, a * t));
        }
    }

    #[test]
    fn special_matrices() {
        check(DMat3::ZERO);
        check(DMat3::IDENTITY);
        check(-DMat3::IDENTITY);
        check(DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0)));
        check(DMat3::from_diagonal(DVec3::new(1e-9, 1.0, 1e9)));
        check(DMat3::from_rotation_z(3.0) * 2.0);
    }

    #[test]
    fn a_mirroring_is_all_in_the_stretch() {
        let flips = [
            DVec3::NEG_ONE,
            DVec3::new(-1.0, 1.0, 1.0),
            DVec3::new(1.0, -2.0, 1.0),
            DVec3::new(1.0, 1.0, -0.5),
        ];
        for turn in [0.0, 0.3, -0.7] {
            for flip in flips {
                let turn = DMat3::from_rotation_y(turn);
                let mirror = DMat3::from_diagonal(flip);
                let Polar {
                    rotation, stretch, ..
                } = polar(&(turn * mirror));
                let turned = 2.0 * rotation.w.abs().min(1.0).acos();
                assert!(turned < 0.8, "{flip}: turned by {turned}");
                assert!(stretch.determinant() < 0.0);
            }
        }
    }
}
