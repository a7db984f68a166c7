//! What a joint does beside turning and moving.

use glam::{DAffine3, DMat3, DQuat, DVec3};
use throng_rig::Transform;

/// How far scales may be apart, and axes from square, for it to be rounding: files hold float32, and
/// chains of joints multiply it. Less than a fifth of the error that is allowed by default.
const TOLERANCE: f64 = 5e-5;

/// What a joint does to lengths, over all frames.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum JointScale {
    /// One factor in all directions at all times; negative where it mirrors.
    Constant(f64),
    /// Factors along its own axes.
    Varying(Deformation),
    /// Its axes are not square to each other.
    Sheared(Deformation),
}

/// What a joint does, and at which frame.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Deformation {
    /// Said of the joint.
    pub what: String,
    /// Counted through all clips.
    pub frame: usize,
}

impl JointScale {
    /// Looks at a joint's transforms.
    pub fn of<'a>(transforms: impl Iterator<Item = &'a DAffine3>) -> Self {
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
            if off > TOLERANCE {
                let what = format!("shears ({off:.1e} off square)");
                return Self::Sheared(Deformation { what, frame });
            }
            if matches!(joint_scale, Self::Varying(_)) {
                continue;
            }
            if frame == 0 {
                first = lengths.x;
            }
            let near = |a: f64, b: f64| (a - b).abs() <= TOLERANCE * a.abs().max(b.abs());
            let deformation = |what| Self::Varying(Deformation { what, frame });
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

/// Translation, rotation and scale of a transform without shear. A mirroring one scales by negative
/// factors on all axes. Where no axis has a length, `before` is its rotation.
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

/// The axes of a matrix at unit length, and their lengths: all negative where it mirrors. An axis of no
/// length is put across the others.
fn axes_and_lengths(matrix: &DMat3) -> (DMat3, DVec3) {
    let axes = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    let lengths = DVec3::from_array(axes.map(DVec3::length));
    let floor = lengths.max_element() * 1e-9;
    let mut unit = [0, 1, 2].map(|k| (lengths[k] > floor).then(|| axes[k] / lengths[k]));
    // The fewest that must be made up, each square to those that are there.
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
        let turn = DQuat::from_rotation_y(0.4) * DQuat::from_rotation_x(2.0);
        DAffine3::from_scale_rotation_translation(scale, turn, DVec3::ONE)
    }

    fn joint_scale(scales: &[DVec3]) -> JointScale {
        let transforms: Vec<_> = scales.iter().map(|&s| affine(s)).collect();
        JointScale::of(transforms.iter())
    }

    #[test]
    fn even_scales_are_told_from_others() {
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
    fn parts_are_the_whole() {
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
