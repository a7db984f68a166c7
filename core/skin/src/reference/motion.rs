//! What happens to one vertex.

use glam::{DAffine3, DMat3, DVec3};
use throng_rig::DualQuat;

/// How one vertex moves from bind space to model space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Motion {
    /// By a matrix; normals by its cofactors.
    Matrix(DAffine3),
    /// By a matrix for what is not rigid, then straight by a dual quaternion.
    StretchThenRigid(DAffine3, DualQuat),
    /// By two matrices apart, then mixed: the first at 0, the second at 1.
    Mix(DAffine3, DAffine3, f64),
}

impl Motion {
    /// Moves a point.
    pub fn position(&self, point: DVec3) -> DVec3 {
        match self {
            Self::Matrix(matrix) => matrix.transform_point3(point),
            Self::StretchThenRigid(stretch, rigid) => {
                rigid.transform_point(stretch.transform_point3(point))
            }
            Self::Mix(a, b, f) => a
                .transform_point3(point)
                .lerp(b.transform_point3(point), *f),
        }
    }

    /// Turns a unit normal; the result is of unit length. Where the motion flattens the surface so that
    /// no normal is left, the normal stays as it was.
    ///
    /// Cofactors keep the normal on the side that the triangle's winding says, mirrored or not.
    pub fn normal(&self, normal: DVec3) -> DVec3 {
        let by_cofactors = |matrix: &DAffine3| unit_or(cofactors(&matrix.matrix3) * normal, normal);
        match self {
            Self::Matrix(matrix) => by_cofactors(matrix),
            Self::StretchThenRigid(stretch, rigid) => rigid.transform_vector(by_cofactors(stretch)),
            Self::Mix(a, b, f) => unit_or(by_cofactors(a).lerp(by_cofactors(b), *f), normal),
        }
    }

    /// Turns a tangent along the surface and makes it orthogonal to the moved normal, of unit length.
    pub fn tangent(&self, tangent: DVec3, moved_normal: DVec3) -> DVec3 {
        let turned = match self {
            Self::Matrix(matrix) => matrix.transform_vector3(tangent),
            Self::StretchThenRigid(stretch, rigid) => {
                rigid.transform_vector(stretch.transform_vector3(tangent))
            }
            Self::Mix(a, b, f) => a
                .transform_vector3(tangent)
                .lerp(b.transform_vector3(tangent), *f),
        };
        let flat = turned - moved_normal * moved_normal.dot(turned);
        // What is left of a tangent along the normal is rounding, not a direction.
        if flat.length() <= 1e-6 * turned.length() {
            return moved_normal.any_orthonormal_vector();
        }
        unit_or(flat, moved_normal.any_orthonormal_vector())
    }
}

/// The matrix that turns normals: `det(M) · M⁻ᵀ`, which exists for every `M`.
pub fn cofactors(m: &DMat3) -> DMat3 {
    DMat3::from_cols(
        m.y_axis.cross(m.z_axis),
        m.z_axis.cross(m.x_axis),
        m.x_axis.cross(m.y_axis),
    )
}

/// `(1 − f)·a + f·b`, component by component.
pub(super) fn mix(a: &DAffine3, b: &DAffine3, f: f64) -> DAffine3 {
    DAffine3 {
        matrix3: a.matrix3 * (1.0 - f) + b.matrix3 * f,
        translation: a.translation.lerp(b.translation, f),
    }
}

fn unit_or(v: DVec3, fallback: DVec3) -> DVec3 {
    v.try_normalize().unwrap_or(fallback)
}
