//! Translation, rotation and scale, and the decomposition of a matrix into them.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use crate::svd::svd;

/// A transform that scales, then rotates, then translates, as nodes of glTF and FBX do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform {
    /// Translation.
    pub translation: DVec3,
    /// Unit quaternion.
    pub rotation: DQuat,
    /// Factor along each axis of the joint; may be negative or zero.
    pub scale: DVec3,
}

/// Decomposition of a matrix. See [`Transform::decompose`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Decomposition {
    /// The matrix has no shear: one transform equals it.
    Trs(Transform),
    /// The matrix shears. `outer * inner` equals it.
    Sheared {
        /// Translation and stretch.
        outer: Transform,
        /// Pure rotation, applied first.
        inner: Transform,
    },
}

/// Largest dot product of unit axes that counts as no shear: the rounding of float32 matrices that exporters
/// multiplied.
const SHEAR_TOLERANCE: f64 = 1e-6;

impl Transform {
    /// The transform that changes nothing.
    pub const IDENTITY: Self = Self {
        translation: DVec3::ZERO,
        rotation: DQuat::IDENTITY,
        scale: DVec3::ONE,
    };

    /// Makes a pure translation.
    pub fn from_translation(translation: DVec3) -> Self {
        Self {
            translation,
            ..Self::IDENTITY
        }
    }

    /// Returns the transform as a matrix.
    pub fn to_affine(self) -> DAffine3 {
        DAffine3::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// Returns true if no component is infinite or NaN.
    pub fn is_finite(&self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }

    /// Decomposes any matrix exactly. A sheared matrix becomes two transforms by its singular value
    /// decomposition, so that joints need only translation, rotation and scale.
    pub fn decompose(matrix: &DAffine3) -> Decomposition {
        let axes = matrix.matrix3;
        let lengths = DVec3::new(
            axes.x_axis.length(),
            axes.y_axis.length(),
            axes.z_axis.length(),
        );
        if lengths.min_element() > lengths.max_element() * 1e-9 {
            // The rotation of a mirroring matrix stays proper; the scale along X is negative.
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
        fn parts_of_any_matrix_multiply_to_it(m in prop::array::uniform9(-3.0..3.0f64), t in prop::array::uniform3(-9.0..9.0f64)) {
            let matrix = DAffine3 { matrix3: DMat3::from_cols_array(&m), translation: DVec3::from_array(t) };
            let back = recompose(Transform::decompose(&matrix));
            prop_assert!(back.abs_diff_eq(matrix, 1e-9), "{back:?} != {matrix:?}");
        }

        #[test]
        fn mirrored_trs_is_one_transform(q in quat(), s in prop::array::uniform3(0.1..3.0f64), flips in 0..8u32) {
            let sign = |bit: u32| if flips & bit == 0 { 1.0 } else { -1.0 };
            let scale = DVec3::from_array(s) * DVec3::new(sign(1), sign(2), sign(4));
            let matrix = DAffine3::from_scale_rotation_translation(scale, q, DVec3::ONE);
            let parts = Transform::decompose(&matrix);
            prop_assert!(matches!(parts, Decomposition::Trs(_)));
            prop_assert!(recompose(parts).abs_diff_eq(matrix, 1e-9));
        }
    }

    #[test]
    fn decomposes_singular_matrices() {
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
