//! Encodes bone transforms into numbers; `throng_format::decode` is the inverse.

use glam::{DAffine3, DMat3, DQuat, DVec3};
use throng_format::decode::BoneSample;
use throng_format::decode::virtual_bones::BoneAxes;
use throng_format::{BoneCode, BoneEntry, Range};
use throng_rig::{DualQuat, mrp_from_quat};

use super::joint_scale::parts;

/// Returns a bone in the form of its encoding, without its constant rotation and scale. `before` is its sample one frame
/// earlier.
pub(crate) fn sample(
    code: BoneCode,
    bone: &BoneEntry,
    model_from_joint: &DAffine3,
    before: Option<&BoneSample>,
) -> BoneSample {
    let mut model_from_bone = *model_from_joint;
    model_from_bone.matrix3 *= DMat3::from_quat(DQuat::from_array(bone.rotation).conjugate());
    let rigid = || {
        let rotation = match before {
            Some(BoneSample::Dual(dual)) => dual.real,
            Some(BoneSample::Parts(parts)) => parts.rotation,
            _ => DQuat::IDENTITY,
        };
        parts(&model_from_bone, rotation)
    };
    match code {
        BoneCode::MatrixRows | BoneCode::MatrixColumns => {
            let divisor = if bone.scale == 0.0 { 1.0 } else { bone.scale };
            BoneSample::Matrix(DAffine3 {
                matrix3: model_from_bone.matrix3 * (1.0 / divisor),
                translation: model_from_bone.translation,
            })
        }
        BoneCode::DualQuaternion => {
            let parts = rigid();
            let dual = DualQuat::from_rotation_translation(parts.rotation, parts.translation);
            BoneSample::Dual(match before {
                Some(BoneSample::Dual(before)) => dual.aligned_to(*before),
                _ => dual,
            })
        }
        BoneCode::RotationPosition => {
            let mut parts = rigid();
            if !bone.has_scale {
                parts.scale = DVec3::ONE;
            }
            BoneSample::Parts(parts)
        }
        BoneCode::Axes | BoneCode::AxisPlanes => {
            let rotation = DMat3::from_quat(rigid().rotation);
            BoneSample::Axes(BoneAxes {
                theta: rotation.x_axis,
                phi: rotation.y_axis,
                translation: model_from_bone.translation,
            })
        }
    }
}

/// Multiplies the lengths of a sample.
pub(crate) fn scale_lengths(sample: &mut BoneSample, factor: f64) {
    match sample {
        BoneSample::Matrix(matrix) => matrix.translation *= factor,
        BoneSample::Dual(dual) => dual.dual *= factor,
        BoneSample::Parts(parts) => parts.translation *= factor,
        BoneSample::Axes(axes) => axes.translation *= factor,
    }
}

/// Returns the numbers of a sample that have a range: its position or its dual part.
pub(crate) fn ranged(sample: &BoneSample) -> Vec<f64> {
    match sample {
        BoneSample::Matrix(matrix) => matrix.translation.to_array().into(),
        BoneSample::Dual(dual) => dual.dual.to_array().into(),
        BoneSample::Parts(parts) => parts.translation.to_array().into(),
        BoneSample::Axes(axes) => axes.translation.to_array().into(),
    }
}

/// Number of values per frame, as the code lays them out.
pub(crate) fn number_count(code: BoneCode, bones: &[BoneEntry]) -> usize {
    let each = |bone: &BoneEntry| numbers_per_bone(code, bone.has_scale);
    bones.iter().map(each).sum()
}

/// Number of values of a bone per frame.
pub(crate) fn numbers_per_bone(code: BoneCode, has_scale: bool) -> usize {
    match code {
        BoneCode::MatrixRows | BoneCode::MatrixColumns | BoneCode::Axes => 12,
        // By planes, in texels of three channels: `virtual_bones`.
        BoneCode::AxisPlanes => 9,
        BoneCode::DualQuaternion => 8,
        BoneCode::RotationPosition if has_scale => 9,
        BoneCode::RotationPosition => 6,
    }
}

/// Sets the index of the first number of each bone.
pub(crate) fn set_first_values(code: BoneCode, bones: &mut [BoneEntry]) {
    let mut first = 0;
    for bone in bones {
        bone.first_value = first;
        first += match code {
            BoneCode::AxisPlanes => 3,
            _ => number_count(code, std::slice::from_ref(bone)) as u32,
        };
    }
}

/// Writes a bone's numbers into those of a frame: from -1 to 1 for unorm texels, unchanged for floats.
pub(crate) fn write_numbers(
    code: BoneCode,
    sample: &BoneSample,
    bone: &BoneEntry,
    ranges: [Option<&Range>; 2],
    frame: &mut [f64],
) {
    let [range, scale_range] = ranges;
    let first = bone.first_value as usize;
    let scaled: Vec<f64> = ranged(sample)
        .into_iter()
        .enumerate()
        .map(|(component, x)| unit_in(x, range, component))
        .collect();
    match sample {
        BoneSample::Matrix(matrix) => {
            let lines = match code {
                BoneCode::MatrixColumns => matrix.matrix3,
                _ => matrix.matrix3.transpose(),
            };
            for (k, line) in frame[first..][..12].chunks_exact_mut(4).enumerate() {
                line[..3].copy_from_slice(&lines.col(k).to_array());
                line[3] = scaled[k];
            }
        }
        BoneSample::Dual(dual) => {
            frame[first..][..4].copy_from_slice(&dual.real.to_array());
            frame[first + 4..][..4].copy_from_slice(&scaled);
        }
        BoneSample::Parts(parts) => {
            let rotation = mrp_from_quat(parts.rotation);
            frame[first..][..3].copy_from_slice(&rotation.to_array());
            frame[first + 3..][..3].copy_from_slice(&scaled);
            if bone.has_scale {
                for axis in 0..3 {
                    frame[first + 6 + axis] = unit_in(parts.scale[axis], scale_range, axis);
                }
            }
        }
        BoneSample::Axes(axes) => {
            let blocks = [&axes.theta.to_array()[..], &axes.phi.to_array(), &scaled];
            for (block, numbers) in blocks.into_iter().enumerate() {
                let texel = &mut frame[first + 4 * block..][..4];
                texel[..3].copy_from_slice(numbers);
                texel[3] = 1.0;
            }
        }
    }
}

/// Returns a number as a part of its range, from -1 to 1; the number itself where there is no range.
pub(crate) fn unit_in(x: f64, range: Option<&Range>, component: usize) -> f64 {
    match range {
        None => x,
        Some(range) if range.half_extent[component] > 0.0 => {
            (x - range.center[component]) / range.half_extent[component]
        }
        Some(_) => 0.0,
    }
}
