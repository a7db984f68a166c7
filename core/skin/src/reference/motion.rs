//! The motion of one vertex.

use glam::{DAffine3, DMat3, DVec3};
use throng_rig::DualQuat;

/// Motion of one vertex from bind space to model space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Motion {
    /// A matrix; normals are transformed by its cofactors.
    Matrix(DAffine3),
    /// A matrix for the stretch, then a dual quaternion.
    StretchThenRigid(DAffine3, DualQuat),
    /// Two matrices whose results are blended: the first at 0, the second at 1.
    BlendResults(DAffine3, DAffine3, f64),
}

impl Motion {
    /// Transforms a point.
    pub fn position(&self, point: DVec3) -> DVec3 {
        match self {
            Self::Matrix(matrix) => matrix.transform_point3(point),
            Self::StretchThenRigid(stretch, rigid) => {
                rigid.transform_point(stretch.transform_point3(point))
            }
            Self::BlendResults(a, b, f) => a
                .transform_point3(point)
                .lerp(b.transform_point3(point), *f),
        }
    }

    /// Transforms a unit normal; the result has unit length. If the motion flattens the surface so that no normal
    /// is left, the normal does not change.
    ///
    /// Cofactors keep the normal on the side of the triangle's winding, mirrored or not.
    pub fn normal(&self, normal: DVec3) -> DVec3 {
        let by_cofactors = |matrix: &DAffine3| unit_or(cofactors(&matrix.matrix3) * normal, normal);
        match self {
            Self::Matrix(matrix) => by_cofactors(matrix),
            Self::StretchThenRigid(stretch, rigid) => rigid.transform_vector(by_cofactors(stretch)),
            Self::BlendResults(a, b, f) => {
                unit_or(by_cofactors(a).lerp(by_cofactors(b), *f), normal)
            }
        }
    }

    /// Transforms a tangent and makes it orthogonal to the transformed normal, with unit length.
    pub fn tangent(&self, tangent: DVec3, normal: DVec3) -> DVec3 {
        let transformed = match self {
            Self::Matrix(matrix) => matrix.transform_vector3(tangent),
            Self::StretchThenRigid(stretch, rigid) => {
                rigid.transform_vector(stretch.transform_vector3(tangent))
            }
            Self::BlendResults(a, b, f) => a
                .transform_vector3(tangent)
                .lerp(b.transform_vector3(tangent), *f),
        };
        let flat = transformed - normal * normal.dot(transformed);
        // The rest of a tangent along the normal is rounding, not a direction.
        if flat.length() <= 1e-6 * transformed.length() {
            return normal.any_orthonormal_vector();
        }
        unit_or(flat, normal.any_orthonormal_vector())
    }
}

/// Returns the cofactor matrix, which transforms normals: `det(M) · M⁻ᵀ`. It exists for every `M`.
pub fn cofactors(m: &DMat3) -> DMat3 {
    DMat3::from_cols(
        m.y_axis.cross(m.z_axis),
        m.z_axis.cross(m.x_axis),
        m.x_axis.cross(m.y_axis),
    )
}

/// `(1 − f)·a + f·b`, component by component.
pub(super) fn blend(a: &DAffine3, b: &DAffine3, f: f64) -> DAffine3 {
    DAffine3 {
        matrix3: a.matrix3 * (1.0 - f) + b.matrix3 * f,
        translation: a.translation.lerp(b.translation, f),
    }
}

fn unit_or(v: DVec3, fallback: DVec3) -> DVec3 {
    v.try_normalize().unwrap_or(fallback)
}
