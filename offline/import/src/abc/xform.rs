//! Transforms: operations and their values over time.

use std::sync::Arc;

use glam::{DAffine3, DMat4, DQuat, DVec3};
use throng_rig::{Decomposition, Transform};

use super::archive::Archive;
use super::ogawa::{Read, ReadError};
use super::property::{Compound, Samples};
use crate::error::ErrorKind;

/// Largest number of operations of a transform: the extent of a property is a byte.
const MAX_OPS: u64 = 255;

/// Operation of a transform, without its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Op {
    Scale,
    Translate,
    /// About an axis, by degrees.
    Rotate,
    Matrix,
    RotateX,
    RotateY,
    RotateZ,
}

impl Op {
    /// Parses the code of an operation. The lower four bits are a hint about its purpose.
    fn from_code(code: u8) -> Read<Self> {
        Ok(match code >> 4 {
            0 => Self::Scale,
            1 => Self::Translate,
            2 => Self::Rotate,
            3 => Self::Matrix,
            4 => Self::RotateX,
            5 => Self::RotateY,
            6 => Self::RotateZ,
            other => {
                let problem = format!("unsupported transform operation {other}");
                return Err(ReadError::new(ErrorKind::Unsupported, problem));
            }
        })
    }

    /// Number of values.
    fn values(self) -> usize {
        match self {
            Self::RotateX | Self::RotateY | Self::RotateZ => 1,
            Self::Scale | Self::Translate => 3,
            Self::Rotate => 4,
            Self::Matrix => 16,
        }
    }

    /// Rotation by values in degrees; none for other operations, and about an axis of length zero.
    fn rotation(self, values: &[f64]) -> DQuat {
        let (axis, degrees) = match (self, values) {
            (Self::Rotate, &[x, y, z, degrees]) => (DVec3::new(x, y, z), degrees),
            (Self::RotateX, &[degrees]) => (DVec3::X, degrees),
            (Self::RotateY, &[degrees]) => (DVec3::Y, degrees),
            (Self::RotateZ, &[degrees]) => (DVec3::Z, degrees),
            _ => return DQuat::IDENTITY,
        };
        match axis.try_normalize() {
            Some(axis) => DQuat::from_axis_angle(axis, degrees.to_radians()),
            None => DQuat::IDENTITY,
        }
    }

    fn matrix(self, values: &[f64]) -> DAffine3 {
        match self {
            Self::Scale => DAffine3::from_scale(DVec3::from_slice(values)),
            Self::Translate => DAffine3::from_translation(DVec3::from_slice(values)),
            // Rows of matrices for row vectors are columns of matrices for column vectors.
            Self::Matrix => DAffine3::from_mat4(DMat4::from_cols_slice(values)),
            _ => DAffine3::from_quat(self.rotation(values)),
        }
    }
}

/// A transform over time.
#[derive(Debug)]
pub(super) struct Xform {
    /// Transforms of all samples; at least one.
    pub samples: Vec<Decomposition>,
    /// Times of the samples, in seconds; empty if the transform is constant.
    pub times: Arc<[f64]>,
    /// False if transforms above do not apply.
    pub inherits: bool,
}

impl Xform {
    /// Reads a transform from the properties of its schema.
    pub(super) fn read(archive: &Archive, properties: &Compound) -> Read<Self> {
        let mut xform = Self {
            samples: vec![Decomposition::Trs(Transform::IDENTITY)],
            times: Arc::default(),
            inherits: inherits(archive, properties)?,
        };
        let samples_of = |name| archive.samples(properties, name);
        let (Some(codes), Some(values)) = (samples_of(".ops")?, samples_of(".vals")?) else {
            return Ok(xform);
        };
        if codes.len() == 0 || values.len() == 0 {
            return Ok(xform);
        }
        let ops = read_ops(&codes)?;
        let samples = match values.is_constant() {
            true => 1,
            false => {
                xform.times = archive.times(values.property())?;
                xform.times.len()
            }
        };
        let bytes =
            size_of::<Decomposition>() + 8 * ops.iter().map(|op| op.values()).sum::<usize>();
        archive.charge(samples as u64, bytes as u64)?;
        xform.samples = Vec::with_capacity(samples);
        let mut last = None;
        for sample in 0..samples {
            let stored = values.stored_index(sample as u32);
            if last != Some(stored) || xform.samples.is_empty() {
                xform.samples.push(read_sample(&ops, &values, stored)?);
            } else {
                xform.samples.extend(xform.samples.last().copied());
            }
            last = Some(stored);
        }
        Ok(xform)
    }
}

fn read_ops(codes: &Samples) -> Read<Vec<Op>> {
    let count = codes
        .items(0)?
        .saturating_mul(codes.property().extent() as u64);
    if count > MAX_OPS {
        return Err(ReadError::data(format_args!(
            "its transform has {count} operations, expected at most {MAX_OPS}"
        )));
    }
    let mut ops = Vec::new();
    codes.numbers(0, |code| ops.push(Op::from_code(code as u8)))?;
    ops.into_iter().collect()
}

/// Reads the values of a sample, and multiplies the operations.
fn read_sample(ops: &[Op], samples: &Samples, stored: u64) -> Read<Decomposition> {
    let sample = samples.sample_of_stored(stored);
    let expected: usize = ops.iter().map(|op| op.values()).sum();
    let extent = samples.property().extent() as u64;
    let found = samples.items(stored)?.saturating_mul(extent);
    if found != expected as u64 {
        return Err(ReadError::data(format_args!(
            "sample {sample} of its transform has {found} values, expected {expected}"
        )));
    }
    let mut values = Vec::with_capacity(expected);
    samples.numbers(stored, |value| values.push(value))?;
    multiply(ops, &values).ok_or_else(|| {
        ReadError::data(format_args!(
            "sample {sample} of its transform is not finite"
        ))
    })
}

/// Multiplies operations; the first is applied last. `None` if the product is not finite.
///
/// Rotations before scales keep both apart, so that scales of zero and below are the file's own.
fn multiply(ops: &[Op], values: &[f64]) -> Option<Decomposition> {
    let mut rest = values;
    let mut matrix = DAffine3::IDENTITY;
    let (mut rotation, mut scale, mut is_trs) = (DQuat::IDENTITY, DVec3::ONE, true);
    for op in ops {
        let of_op;
        (of_op, rest) = rest.split_at_checked(op.values())?;
        match *op {
            Op::Scale => scale *= DVec3::from_slice(of_op),
            Op::Translate => {}
            Op::Matrix => is_trs = false,
            _ => {
                is_trs &= scale == DVec3::splat(scale.x);
                rotation *= op.rotation(of_op);
            }
        }
        matrix *= op.matrix(of_op);
    }
    let transform = Transform {
        translation: matrix.translation,
        rotation: rotation.normalize(),
        scale,
    };
    match (matrix.is_finite(), is_trs && transform.is_finite()) {
        (true, true) => Some(Decomposition::Trs(transform)),
        (true, false) => Some(Transform::decompose(&matrix)),
        (false, _) => None,
    }
}

/// Returns true if the transforms above apply.
fn inherits(archive: &Archive, properties: &Compound) -> Read<bool> {
    let samples = archive.samples(properties, ".inherits")?;
    let Some(samples) = samples.filter(|samples| samples.len() > 0) else {
        return Ok(true);
    };
    if let Some(sample) = samples.first_difference()? {
        let problem = format!(
            "inherits the transforms above in some samples only; sample {sample} differs from the first"
        );
        return Err(ReadError::new(ErrorKind::Unsupported, problem)
            .remedy("re-export the file with this transform in world space"));
    }
    let mut inherits = true;
    samples.numbers(0, |value| inherits = value != 0.0)?;
    Ok(inherits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn affine(decomposition: Decomposition) -> DAffine3 {
        match decomposition {
            Decomposition::Trs(transform) => transform.to_affine(),
            Decomposition::Sheared { outer, inner } => outer.to_affine() * inner.to_affine(),
        }
    }

    #[test]
    fn first_operation_is_applied_last() {
        let ops = [Op::Translate, Op::RotateZ, Op::Scale];
        let found = multiply(&ops, &[1.0, 2.0, 3.0, 90.0, 2.0, 0.0, -1.0]).unwrap();
        let Decomposition::Trs(transform) = found else {
            panic!("{found:?}");
        };
        assert_eq!(transform.scale, DVec3::new(2.0, 0.0, -1.0));
        let moved = affine(found).transform_point3(DVec3::new(1.0, 5.0, 1.0));
        assert!(
            moved.abs_diff_eq(DVec3::new(1.0, 4.0, 2.0), 1e-12),
            "{moved}"
        );
    }

    #[test]
    fn rotation_after_a_scale_shears() {
        let ops = [Op::Scale, Op::Rotate, Op::Translate];
        let values = [1.0, 3.0, 1.0, 0.0, 0.0, 2.0, 45.0, 1.0, 0.0, 0.0];
        let found = multiply(&ops, &values).unwrap();
        assert!(matches!(found, Decomposition::Sheared { .. }));
        let half = 0.5f64.sqrt();
        let moved = affine(found).transform_point3(DVec3::X);
        let expected = DVec3::new(2.0 * half, 6.0 * half, 0.0);
        assert!(moved.abs_diff_eq(expected, 1e-12), "{moved}");
    }

    #[test]
    fn matrices_are_rows_of_row_vectors() {
        let mut values = [0.0; 16];
        (values[1], values[4], values[10], values[15]) = (1.0, -1.0, 1.0, 1.0);
        values[12..15].copy_from_slice(&[7.0, 8.0, 9.0]);
        let moved = affine(multiply(&[Op::Matrix], &values).unwrap()).transform_point3(DVec3::X);
        assert!(
            moved.abs_diff_eq(DVec3::new(7.0, 9.0, 9.0), 1e-12),
            "{moved}"
        );
    }

    #[test]
    fn rotation_about_no_axis_is_none() {
        let found = multiply(&[Op::Rotate], &[0.0, 0.0, 0.0, 90.0]).unwrap();
        assert_eq!(found, Decomposition::Trs(Transform::IDENTITY));
    }
}
