//! `bone-matrix`: twelve numbers, the linear part and the position.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::frame::Frame;
use crate::{FrameInterpolation, Range};

/// A matrix from its rows, each `r r r t`.
pub fn matrix_from_rows(frame: &Frame<'_>, first: u32, range: Option<&Range>) -> DAffine3 {
    let row = |row: u32| DVec3::from_array([0, 1, 2].map(|k| frame.unit(first + 4 * row + k)));
    DAffine3 {
        matrix3: DMat3::from_cols(row(0), row(1), row(2)).transpose(),
        translation: position(frame, first, range),
    }
}

/// A matrix from its columns, each with a number of the position after it.
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

/// Between two matrices: every number by itself, or, with [`FrameInterpolation::Slerp`], the rotation along the arc
/// and what is left of the linear part by itself.
pub fn mix_matrices(
    from: &DAffine3,
    to: &DAffine3,
    fraction: f64,
    interpolation: FrameInterpolation,
) -> DAffine3 {
    let translation = from.translation.lerp(to.translation, fraction);
    let lerp = |a: DMat3, b: DMat3| a * (1.0 - fraction) + b * fraction;
    let matrix3 = if interpolation == FrameInterpolation::Slerp {
        let (from_turn, to_turn) = (rotation_of(&from.matrix3), rotation_of(&to.matrix3));
        let rest = |turn: DQuat, matrix: DMat3| DMat3::from_quat(turn.conjugate()) * matrix;
        let turn = DMat3::from_quat(from_turn.slerp(to_turn, fraction));
        turn * lerp(rest(from_turn, from.matrix3), rest(to_turn, to.matrix3))
    } else {
        lerp(from.matrix3, to.matrix3)
    };
    DAffine3 {
        matrix3,
        translation,
    }
}

/// A rotation whose X axis is the matrix's and whose Y axis is as near to the matrix's as it can be.
pub fn rotation_of(matrix: &DMat3) -> DQuat {
    let x = matrix.x_axis.try_normalize().unwrap_or(DVec3::X);
    let across = matrix.y_axis - x * x.dot(matrix.y_axis);
    let y = across
        .try_normalize()
        .unwrap_or_else(|| x.any_orthonormal_vector());
    DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))).normalize()
}
