//! `bone-matrix`: twelve values, the linear part and the position.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::frame::Frame;
use crate::{FrameInterpolation, Range};

/// Reads a matrix from its rows, each `r r r t`.
pub fn matrix_from_rows(frame: &Frame<'_>, first: u32, range: Option<&Range>) -> DAffine3 {
    let row = |row: u32| DVec3::from_array([0, 1, 2].map(|k| frame.unit(first + 4 * row + k)));
    DAffine3 {
        matrix3: DMat3::from_cols(row(0), row(1), row(2)).transpose(),
        translation: position(frame, first, range),
    }
}

/// Reads a matrix from the columns of its linear part, each followed by a component of the position.
pub fn matrix_from_columns(frame: &Frame<'_>, first: u32, range: Option<&Range>) -> DAffine3 {
    let column =
        |column: u32| DVec3::from_array([0, 1, 2].map(|k| frame.unit(first + 4 * column + k)));
    DAffine3 {
        matrix3: DMat3::from_cols(column(0), column(1), column(2)),
        translation: position(frame, first, range),
    }
}

fn position(frame: &Frame<'_>, first: u32, range: Option<&Range>) -> DVec3 {
    let axis = |axis: usize| frame.ranged(first + 4 * axis as u32 + 3, range, axis);
    DVec3::new(axis(0), axis(1), axis(2))
}

/// Interpolates two matrices linearly. With [`FrameInterpolation::Slerp`], rotations are interpolated spherically and
/// the remaining linear part linearly.
pub fn mix_matrices(
    from: &DAffine3,
    to: &DAffine3,
    fraction: f64,
    interpolation: FrameInterpolation,
) -> DAffine3 {
    let translation = from.translation.lerp(to.translation, fraction);
    let lerp = |a: DMat3, b: DMat3| a * (1.0 - fraction) + b * fraction;
    let matrix3 = if interpolation == FrameInterpolation::Slerp {
        let rotations = (rotation_of(&from.matrix3), rotation_of(&to.matrix3));
        let remainder =
            |rotation: DQuat, matrix: DMat3| DMat3::from_quat(rotation.conjugate()) * matrix;
        let rotation = DMat3::from_quat(rotations.0.slerp(rotations.1, fraction));
        rotation
            * lerp(
                remainder(rotations.0, from.matrix3),
                remainder(rotations.1, to.matrix3),
            )
    } else {
        lerp(from.matrix3, to.matrix3)
    };
    DAffine3 {
        matrix3,
        translation,
    }
}

/// Rotation whose X axis is that of the matrix and whose Y axis is as close to that of the matrix as possible.
pub fn rotation_of(matrix: &DMat3) -> DQuat {
    let x = matrix.x_axis.try_normalize().unwrap_or(DVec3::X);
    let across = matrix.y_axis - x * x.dot(matrix.y_axis);
    let y = across
        .try_normalize()
        .unwrap_or_else(|| x.any_orthonormal_vector());
    DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))).normalize()
}
