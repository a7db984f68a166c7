//! Scale, shear and mirroring of joints.

use glam::{DAffine3, DMat3, DQuat, DVec3};
use throng_rig::Transform;

use super::tolerance::Tolerance;

/// Scale of a joint over all frames.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum JointScale {
    /// One uniform factor at all times; negative where it mirrors.
    Constant(f64),
    /// Factors that differ between the joint's axes or over time.
    Varying(Deformation),
    /// The axes are not at right angles.
    Sheared(Deformation),
}

/// A transform that not every encoding can represent.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Deformation {
    /// Verb phrase, such as "scales by 2 and then by 3".
    pub description: String,
    /// Index of the first such frame among the frames of all clips.
    pub frame: usize,
}

impl JointScale {
    /// Classifies the transforms of a joint at all frames. Only rounding counts as none.
    pub fn of<'a>(transforms: impl Iterator<Item = &'a DAffine3>) -> Self {
        Self::within(Tolerance::ROUNDING, transforms)
    }

    /// Classifies the transforms of a joint at all frames.
    pub fn within<'a>(
        tolerance: Tolerance,
        transforms: impl Iterator<Item = &'a DAffine3>,
    ) -> Self {
        let mut joint_scale = Self::Constant(1.0);
        let mut sum = 0.0;
        let mut first = 0.0;
        let mut count = 0.0;
        for (frame, transform) in transforms.enumerate() {
            let (unit, lengths) = axes_and_lengths(&transform.matrix3);
            let square = unit.transpose() * unit - DMat3::IDENTITY;
            let off = square
                .to_cols_array()
                .iter()
                .fold(0.0, |a: f64, x| a.max(x.abs()));
            if off > tolerance.shear {
                let description = format!("shears (its axes deviate {off:.1e} from right angles)");
                return Self::Sheared(Deformation { description, frame });
            }
            if matches!(joint_scale, Self::Varying(_)) {
                continue;
            }
            if frame == 0 {
                first = lengths.x;
            }
            let near = |a: f64, b: f64| (a - b).abs() <= tolerance.scale * a.abs().max(b.abs());
            let deformation = |description| Self::Varying(Deformation { description, frame });
            let [x, y, z] = lengths.to_array();
            if !near(x, y) || !near(y, z) || !near(x, z) {
                joint_scale =
                    deformation(format!("scales by {x:.4}, {y:.4}, {z:.4} along its axes"));
            } else if first * x < 0.0 {
                joint_scale = deformation("begins to mirror".into());
            } else if !near(first, x) {
                joint_scale = deformation(format!("scales by {first:.4} and then by {x:.4}"));
            }
            sum += (x + y + z) / 3.0;
            count += 1.0;
        }
        match joint_scale {
            Self::Constant(_) if count > 0.0 => Self::Constant(sum / count),
            other => other,
        }
    }
}

/// Decomposes a transform without shear. A mirroring one has negative scale on all axes. Where no axis has a length, the
/// rotation is `before`.
pub(crate) fn parts(transform: &DAffine3, before: DQuat) -> Transform {
    let (unit, scale) = axes_and_lengths(&transform.matrix3);
    let rotation = if scale == DVec3::ZERO {
        before
    } else {
        DQuat::from_mat3(&unit).normalize()
    };
    Transform {
        translation: transform.translation,
        rotation,
        scale,
    }
}

/// Returns the unit axes of a matrix and their lengths: all negative where it mirrors. An axis without length is made
/// orthogonal to the others.
fn axes_and_lengths(matrix: &DMat3) -> (DMat3, DVec3) {
    let axes = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    let lengths = DVec3::from_array(axes.map(DVec3::length));
    let floor = lengths.max_element() * 1e-9;
    let mut unit = [0, 1, 2].map(|k| (lengths[k] > floor).then(|| axes[k] / lengths[k]));
    // Replaces as few axes as possible, each orthogonal to those that have a length.
    for k in 0..3 {
        if unit[k].is_none() {
            let (next, last) = (unit[(k + 1) % 3], unit[(k + 2) % 3]);
            unit[k] = Some(match (next, last) {
                (Some(a), Some(b)) => a.cross(b).normalize_or(a.any_orthonormal_vector()),
                (Some(a), None) | (None, Some(a)) => a.any_orthonormal_vector(),
                (None, None) => [DVec3::X, DVec3::Y, DVec3::Z][k],
            });
        }
    }
    let unit = unit.map(|axis| axis.unwrap_or(DVec3::X));
    let unit = DMat3::from_cols(unit[0], unit[1], unit[2]);
    if unit.determinant() < 0.0 {
        (-unit, -lengths)
    } else {
        (unit, lengths)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn affine(scale: DVec3) -> DAffine3 {
        let rotation = DQuat::from_rotation_y(0.4) * DQuat::from_rotation_x(2.0);
        DAffine3::from_scale_rotation_translation(scale, rotation, DVec3::ONE)
    }

    fn joint_scale(scales: &[DVec3]) -> JointScale {
        let transforms: Vec<_> = scales.iter().map(|&s| affine(s)).collect();
        JointScale::of(transforms.iter())
    }

    #[test]
    fn constant_scales_are_distinguished_from_others() {
        let even = |s: JointScale| match s {
            JointScale::Constant(factor) => factor,
            other => panic!("{other:?}"),
        };
        assert!((even(joint_scale(&[DVec3::ONE])) - 1.0).abs() < 1e-12);
        assert!(
            (even(joint_scale(&[
                DVec3::splat(0.01),
                DVec3::splat(0.010_000_1)
            ])) - 0.01)
                .abs()
                < 1e-6
        );
        assert!((even(joint_scale(&[DVec3::new(2.0, -2.0, 2.0)])) + 2.0).abs() < 1e-12);
        assert_eq!(even(joint_scale(&[DVec3::ZERO])), 0.0);
        for scales in [
            &[DVec3::new(1.0, 1.1, 1.0)][..],
            &[DVec3::ONE, DVec3::splat(1.1)],
            &[DVec3::ONE, DVec3::NEG_ONE],
            &[DVec3::ZERO, DVec3::ONE],
            &[DVec3::new(1.0, 0.0, 1.0)],
        ] {
            assert!(
                matches!(joint_scale(scales), JointScale::Varying(_)),
                "{scales:?}"
            );
        }
        let shear = DAffine3 {
            matrix3: DMat3::from_cols(DVec3::X, DVec3::new(0.1, 1.0, 0.0), DVec3::Z),
            translation: DVec3::ZERO,
        };
        assert!(matches!(
            JointScale::of([shear].iter()),
            JointScale::Sheared(_)
        ));
    }

    #[test]
    fn parts_compose_to_the_transform() {
        for scale in [
            DVec3::ONE,
            DVec3::new(1.0, 2.0, 3.0),
            DVec3::new(-1.0, 2.0, 3.0),
            DVec3::new(0.0, 2.0, 3.0),
            DVec3::new(0.0, 0.0, -3.0),
            DVec3::ZERO,
        ] {
            let whole = affine(scale);
            let again = parts(&whole, DQuat::IDENTITY).to_affine();
            assert!(again.abs_diff_eq(whole, 1e-12), "{scale}: {again:?}");
        }
    }
}
