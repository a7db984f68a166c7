//! A decoded bone of one frame, before interpolation.

use glam::DAffine3;
use throng_rig::{DualQuat, Transform};

use super::bone_dq::{dual_quaternion, mix_dual_quaternions};
use super::bone_matrix::{matrix_from_columns, matrix_from_rows, mix_matrices};
use super::bone_qt::{mix_transforms, rotation_position};
use super::frame::BoneFrame;
use super::virtual_bones::{BoneAxes, axes, mix_axes};
use crate::{BoneCode, BoneLayout, DecodeParams, FrameInterpolation};

/// A bone at a frame, in the form in which its encoding interpolates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BoneSample {
    /// Any affine transform.
    Matrix(DAffine3),
    /// A rigid transform.
    Dual(DualQuat),
    /// Rotation, position and scale.
    Parts(Transform),
    /// Two axes and a position.
    Axes(BoneAxes),
}

impl BoneSample {
    /// Reads the values of a bone.
    pub fn read(
        frame: &BoneFrame<'_>,
        layout: &BoneLayout,
        params: &DecodeParams<'_>,
        index: usize,
    ) -> Self {
        let bone = &layout.bones[index];
        let (first, range) = (bone.first_value, params.range(index));
        let BoneFrame { frame, positions } = frame;
        match layout.code {
            BoneCode::MatrixRows => Self::Matrix(matrix_from_rows(frame, first, range)),
            BoneCode::MatrixColumns => Self::Matrix(matrix_from_columns(frame, first, range)),
            BoneCode::DualQuaternion => Self::Dual(dual_quaternion(frame, first, range)),
            BoneCode::RotationPosition => {
                let scale = bone.has_scale.then_some(params.scale_range.as_deref());
                Self::Parts(rotation_position(frame, first, range, scale))
            }
            BoneCode::Axes => {
                let texels = [0, 1, 2].map(|k| (frame, first / 4 + k));
                Self::Axes(axes(texels, range))
            }
            BoneCode::AxisPlanes => {
                let (bone, bones) = (index as u32, layout.bones.len() as u32);
                let position = match positions {
                    Some(positions) => (positions, bone),
                    None => (frame, 2 * bones + bone),
                };
                Self::Axes(axes(
                    [(frame, bone), (frame, bones + bone), position],
                    range,
                ))
            }
        }
    }

    /// Transform between this sample and the next one of the same bone.
    pub fn between(
        &self,
        next: &Self,
        fraction: f64,
        interpolation: FrameInterpolation,
    ) -> DAffine3 {
        self.mix(next, fraction, interpolation).to_affine()
    }

    /// Interpolates towards the next sample of the same bone.
    pub fn mix(&self, next: &Self, fraction: f64, interpolation: FrameInterpolation) -> Self {
        match (self, next) {
            (Self::Matrix(a), Self::Matrix(b)) => {
                Self::Matrix(mix_matrices(a, b, fraction, interpolation))
            }
            (Self::Dual(a), Self::Dual(b)) => Self::Dual(mix_dual_quaternions(*a, *b, fraction)),
            (Self::Parts(a), Self::Parts(b)) => {
                Self::Parts(mix_transforms(a, b, fraction, interpolation))
            }
            (Self::Axes(a), Self::Axes(b)) => Self::Axes(mix_axes(a, b, fraction, interpolation)),
            _ => *self,
        }
    }

    /// Cross-fades to the same bone in another clip: [`Self::mix`], but the signs of dual quaternions are aligned first,
    /// since two clips may store the same rotation with opposite signs.
    pub fn fade(&self, other: &Self, weight: f64, interpolation: FrameInterpolation) -> Self {
        match (self, other) {
            (Self::Dual(a), Self::Dual(b)) => {
                Self::Dual(mix_dual_quaternions(*a, b.aligned_to(*a), weight))
            }
            _ => self.mix(other, weight, interpolation),
        }
    }

    /// Affine transform of the sample.
    pub fn to_affine(&self) -> DAffine3 {
        match self {
            Self::Matrix(matrix) => *matrix,
            Self::Dual(dual) => {
                let unit = dual.normalized();
                unit.map_or(DAffine3::IDENTITY, DualQuat::to_affine)
            }
            Self::Parts(parts) => parts.to_affine(),
            Self::Axes(axes) => axes.to_affine(),
        }
    }
}
