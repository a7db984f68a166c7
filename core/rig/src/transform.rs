//! Translation, rotation and scale, and how a matrix becomes them.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use crate::svd::svd;

/// Scale first, then rotation, then translation, as glTF and FBX nodes have it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform {
    /// Where the origin goes.
    pub translation: DVec3,
    /// A unit quaternion.
    pub rotation: DQuat,
    /// Factor along each of the joint's own axes; may be negative or zero.
    pub scale: DVec3,
}

/// What a matrix is made of. See [`Transform::decompose`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Decomposition {
    /// The matrix has no shear: one transform says it all.
    Trs(Transform),
    /// The matrix shears. `outer * inner` equals it.
    Sheared {
        /// Holds the translation and the stretch.
        outer: Transform,
        /// A pure rotation, applied first.
        inner: Transform,
    },
}

/// How far from orthogonal the axes of a matrix may be and still count as free of shear: the noise of
/// float32 matrices that exporters multiplied together.
const SHEAR_TOLERANCE: f64 = 1e-6;

impl Transform {
    /// Moves nothing.
    pub const IDENTITY: Self = Self {
        translation: DVec3::ZERO,
        rotation: DQuat::IDENTITY,
        scale: DVec3::ONE,
    };

    /// A transform that only moves.
    pub fn from_translation(translation: DVec3) -> Self {
        Self {
            translation,
            ..Self::IDENTITY
        }
    }

    /// The same as a matrix.
    pub fn to_affine(self) -> DAffine3 {
        DAffine3::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// True when no component is infinite or NaN.
    pub fn is_finite(&self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }

    /// Takes any matrix apart, exactly: a sheared one becomes two transforms in a row, by its singular
    /// value decomposition, so that skeletons need to know nothing but translation, rotation and scale.
    pub fn decompose(matrix: &DAffine3) -> Decomposition {
        let axes = matrix.matrix3;
        let lengths = DVec3::new(
            axes.x_axis.length(),
            axes.y_axis.length(),
            axes.z_axis.length(),
        );
        if lengths.min_element() > lengths.max_element() * 1e-9 {
            // A mirrored matrix keeps its rotation proper and turns X around.
            let mirror = if axes.determinant() < 0.0 { -1.0 } else { 1.0 };
            let scale = lengths * DVec3::new(mirror, 1.0, 1.0);
            let unit = DMat3::from_cols(
                axes.x_axis / scale.x,
                axes.y_axis / scale.y,
                axes.z_axis / scale.z,
            );
            if is_orthonormal(&unit) {
                return Decomposition::Trs(Self {
                    translation: matrix.translation,
                    rotation: DQuat::from_mat3(&unit).normalize(),
                    scale,
                });
            }
        }
        let parts = svd(&axes);
        let outer = Self {
            translation: matrix.translation,
            rotation: DQuat::from_mat3(&parts.u).normalize(),
            scale: parts.sigma,
        };
        let inner = Self {
            rotation: DQuat::from_mat3(&parts.v.transpose()).normalize(),
            ..Self::IDENTITY
        };
        if inner.rotation.angle_between(DQuat::IDENTITY) < 1e-12 {
            return Decomposition::Trs(outer);
        }
        Decomposition::Sheared { outer, inner }
    }
}

fn is_orthonormal(matrix: &DMat3) -> bool {
    let product = matrix.transpose() * *matrix;
    (product - DMat3::IDENTITY)
        .to_cols_array()
        .iter()
        .all(|x| x.abs() < SHEAR_TOLERANCE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn recompose(parts: Decomposition) -> DAffine3 {
        match parts {
            Decomposition::Trs(t) => t.to_affine(),
            Decomposition::Sheared { outer, inner } => outer.to_affine() * inner.to_affine(),
        }
    }

    fn quat() -> impl Strategy<Value = DQuat> {
        prop::array::uniform4(-1.0..1.0f64)
            .prop_filter("not zero", |q| q.iter().map(|x| x * x).sum::<f64>() > 0.01)
            .prop_map(|q| DQuat::from_array(q).normalize())
    }

    proptest! {
        #[test]
        fn any_matrix_is_recomposed(m in prop::array::uniform9(-3.0..3.0f64), t in prop::array::uniform3(-9.0..9.0f64)) {
            let matrix = DAffine3 { matrix3: DMat3::from_cols_array(&m), translation: DVec3::from_array(t) };
            let back = recompose(Transform::decompose(&matrix));
            prop_assert!(back.abs_diff_eq(matrix, 1e-9), "{back:?} != {matrix:?}");
        }

        #[test]
        fn a_mirrored_trs_needs_no_second_transform(q in quat(), s in prop::array::uniform3(0.1..3.0f64), flips in 0..8u32) {
            let sign = |bit: u32| if flips & bit == 0 { 1.0 } else { -1.0 };
            let scale = DVec3::from_array(s) * DVec3::new(sign(1), sign(2), sign(4));
            let matrix = DAffine3::from_scale_rotation_translation(scale, q, DVec3::ONE);
            let parts = Transform::decompose(&matrix);
            prop_assert!(matches!(parts, Decomposition::Trs(_)));
            prop_assert!(recompose(parts).abs_diff_eq(matrix, 1e-9));
        }
    }

    #[test]
    fn flat_matrices_are_taken_apart_too() {
        for columns in [[0.0; 9], [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 2.0, 4.0, 6.0]] {
            let matrix = DAffine3 {
                matrix3: DMat3::from_cols_array(&columns),
                translation: DVec3::ONE,
            };
            let back = recompose(Transform::decompose(&matrix));
            assert!(back.abs_diff_eq(matrix, 1e-9), "{back:?} != {matrix:?}");
        }
    }
}
