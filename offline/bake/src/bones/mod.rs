//! Bones in model space: `bone-matrix`, `bone-dq`, `bone-qt` and `virtual-bones`.

mod code;
mod joint_scale;
mod morphs;
mod p0_palette;
mod refuse;
mod samples;
mod tolerance;
mod virtual_bones;

use glam::{DAffine3, DMat3, DQuat};
use throng_format::decode::BoneSample;
use throng_format::{
    BoneCode, BoneEntry, BoneLayout, Encoding, Metadata, MorphLayout, Precision, Range,
    TexelFormat, column, p0,
};
use throng_rig::Character;

use crate::atlas::{Atlas, Contents};
use crate::p0_pages::ItemPage;
use crate::plan::BakePlan;
use crate::range::RangeBuilder;
use crate::{BakeError, BakeSettings, Boxes, Preset};
pub(crate) use code::{sample, set_first_values};
pub(crate) use joint_scale::JointScale;
use p0_palette::InverseBinds;
use refuse::Refusals;
pub(crate) use samples::BoneFrames;
use tolerance::Tolerance;
pub(crate) use virtual_bones::{VirtualMesh, with_rest_meshes};

/// Textures of a bone set.
pub(crate) struct BakedBones {
    pub layout: BoneLayout,
    pub morphs: Option<MorphLayout>,
    pub atlases: Vec<Atlas>,
    /// Meshes and weights in P3's form.
    pub virtual_mesh: Option<VirtualMesh>,
    /// Length of a unit of the texels.
    pub metres_per_unit: f64,
    /// Inverse bind matrices of each skin as P0's dual quaternions; empty in other layouts.
    pub inverse_bind_duals: Vec<Vec<[f64; 8]>>,
}

/// Returns the form of the encoding's numbers.
pub(crate) fn code_of(settings: &BakeSettings) -> BoneCode {
    match (settings.preset, settings.encoding) {
        (Some(Preset::P0Matrix8), _) => BoneCode::MatrixColumns,
        (_, Encoding::BoneDq) => BoneCode::DualQuaternion,
        (_, Encoding::BoneQt) => BoneCode::RotationPosition,
        (Some(preset), _) if preset.is_p3() => BoneCode::AxisPlanes,
        (_, Encoding::VirtualBones) => BoneCode::Axes,
        _ => BoneCode::MatrixRows,
    }
}

/// Encodes every frame.
pub(crate) fn bake_bones(
    character: &Character,
    settings: &BakeSettings,
    plan: &BakePlan,
) -> Result<BakedBones, BakeError> {
    if let Some(preset) = settings.preset.filter(|preset| preset.is_p3()) {
        return virtual_bones::bake(character, settings, plan, preset);
    }
    let frames = BoneFrames::new(character, &plan.frame_times());
    let code = code_of(settings);
    let scales: Vec<JointScale> = Tolerance::of_joints(code, character, &frames.joints)
        .into_iter()
        .enumerate()
        .map(|(bone, tolerance)| JointScale::within(tolerance, frames.of_bone(bone)))
        .collect();
    let refusals = Refusals {
        character,
        settings,
        plan,
    };
    let rotations = joint_rotations(character, settings, &frames.joints);
    let bones = bone_entries(code, &frames, &scales, &rotations, |bone, joint_scale| {
        refusals.refusal(frames.joints[bone], joint_scale)
    })?;
    let mut samples = all_samples(code, character, &frames, &bones, plan);
    let inverse_binds = match settings.preset {
        Some(Preset::P0Dq8) => {
            let inverse_binds = InverseBinds::new(character, &bones);
            let inverse_binds = inverse_binds.map_err(|fault| refusals.inverse_bind(&fault))?;
            inverse_binds.align_signs(character, plan, &mut samples);
            Some(inverse_binds)
        }
        _ => None,
    };
    let is_float = matches!(settings.precision(), Precision::F16 | Precision::F32);
    let mut ranges = if is_float {
        Vec::new()
    } else {
        let boxes = settings.boxes.unwrap_or(Boxes::of(settings.precision()));
        ranges_of(&samples, bones.len(), boxes)
    };
    let mut metres_per_unit = 1.0;
    if settings.preset.is_some_and(Preset::is_p0) {
        (metres_per_unit, ranges) = refusals.p0_boxes(&ranges, &frames.joints, code)?;
        for sample in &mut samples {
            code::scale_lengths(sample, 1.0 / metres_per_unit);
        }
    }
    let has_scale = bones.iter().any(|bone| bone.has_scale);
    let scale_range = (has_scale && !is_float).then(|| scale_range(&samples, &bones));
    let morphs_move = morphs::weights_move(character, &frames, plan);
    refusals.check_morphs(morphs_move)?;
    let morph_range = (morphs_move && !is_float).then(|| morphs::range(&frames));

    let mut all_ranges = ranges.iter().chain(&scale_range).chain(&morph_range);
    let contents = Contents {
        name: "bones",
        format: format_of(settings.precision()),
        items: code::number_count(code, &bones).div_ceil(4) as u32,
        metadata_rows: match settings.metadata {
            Metadata::Manifest => 0,
            Metadata::Column => column::value_count(plan.clips.len(), &mut all_ranges),
            Metadata::P0Column => p0::metadata_rows(p0::BoxCode::of_bones(code), bones.len(), 4),
        },
    };
    let mut atlas = match settings.preset {
        Some(preset @ (Preset::P0Matrix8 | Preset::P0Dq8)) => {
            let page = ItemPage {
                first: 0,
                count: contents.items,
                description: format!("there are {} bones", bones.len()),
            };
            Atlas::columns(contents, &[page], plan, settings, preset)?
        }
        _ => Atlas::rows(contents, plan, settings)?,
    };
    let mut numbers = vec![0.0; contents.items as usize * 4];
    let write = |samples: &[BoneSample], numbers: &mut [f64]| {
        for (index, (sample, bone)) in samples.iter().zip(&bones).enumerate() {
            let range = match &ranges[..] {
                [all] => Some(all),
                each => each.get(index),
            };
            let ranges = [range, scale_range.as_ref()];
            code::write_numbers(code, sample, bone, ranges, numbers);
        }
    };
    for (frame, samples) in samples.chunks_exact(bones.len()).enumerate() {
        write(samples, &mut numbers);
        atlas.put_frame(frame as u32, &numbers);
    }
    if atlas.has_infinity() {
        let far = frames
            .transforms
            .iter()
            .map(|t| t.translation.abs().max_element());
        return Err(BakeError::PastHalf {
            what: "position",
            value: far.fold(0.0, f64::max),
        });
    }
    let layout = BoneLayout {
        code,
        grid: atlas.grid.clone(),
        positions: None,
        bones,
        ranges,
        scale_range,
        rest_row: false,
        color_bones: 0,
        weights: None,
    };
    let mut atlases = vec![atlas];
    let morphs = bake_morph_weights(character, &frames, plan, settings, &mut atlases)?;
    Ok(BakedBones {
        layout,
        morphs,
        atlases,
        virtual_mesh: None,
        metres_per_unit,
        inverse_bind_duals: inverse_binds.map_or_else(Vec::new, |inverse_binds| {
            inverse_binds.numbers(metres_per_unit)
        }),
    })
}

/// Encodes morph weights where clips move them, as a further texture.
fn bake_morph_weights(
    character: &Character,
    frames: &BoneFrames,
    plan: &BakePlan,
    settings: &BakeSettings,
    atlases: &mut Vec<Atlas>,
) -> Result<Option<MorphLayout>, BakeError> {
    if !morphs::weights_move(character, frames, plan) {
        return Ok(None);
    }
    let is_float = matches!(settings.precision(), Precision::F16 | Precision::F32);
    let range = (!is_float).then(|| morphs::range(frames));
    let (mut layout, mut atlas) = morphs::bake(frames, range, plan, settings)?;
    layout.grid.texture = atlases.len();
    atlas.grid.texture = atlases.len();
    atlases.push(atlas);
    Ok(Some(layout))
}

/// Bakes morph weights on their own, with 16 bits, where clips move them.
pub(crate) fn bake_morphs(
    character: &Character,
    settings: &BakeSettings,
    plan: &BakePlan,
) -> Result<Option<(MorphLayout, Atlas)>, BakeError> {
    if character.morph_sets().is_empty() {
        return Ok(None);
    }
    let frames = BoneFrames::new(character, &plan.frame_times());
    if !morphs::weights_move(character, &frames, plan) {
        return Ok(None);
    }
    let settings = BakeSettings {
        storage: Precision::Unorm16.into(),
        ..settings.clone()
    };
    let range = morphs::range(&frames);
    morphs::bake(&frames, Some(range), plan, &settings).map(Some)
}

/// Returns a lower bound of the GPU bytes of bones: their numbers without scale, strip and padding.
pub(crate) fn min_bone_bytes(settings: &BakeSettings, plan: &BakePlan, joints: usize) -> u64 {
    let numbers = joints * code::numbers_per_bone(code_of(settings), false);
    let texels = numbers.div_ceil(4) as u64 * u64::from(plan.frames());
    texels * format_of(settings.precision()).gpu_texel_bytes() as u64
}

/// Returns the texel format of a precision.
pub(crate) fn format_of(precision: Precision) -> TexelFormat {
    match precision {
        Precision::Unorm8 => TexelFormat::Rgba8Unorm,
        Precision::Unorm16 => TexelFormat::Rgba16Unorm,
        Precision::F16 => TexelFormat::Rgba16Float,
        Precision::F32 => TexelFormat::Rgba32Float,
    }
}

/// Returns, for each joint, the rotation that aligns its axes with the model's in the bind pose. The inverse bind matrix
/// is then only a translation, which makes shaders cheaper. Presets have no such rotation.
pub(crate) fn joint_rotations(
    character: &Character,
    settings: &BakeSettings,
    joints: &[usize],
) -> Vec<DQuat> {
    let mut rotations = vec![DQuat::IDENTITY; joints.len()];
    if settings.preset.is_some() {
        return rotations;
    }
    // Of several skins, the first decides.
    for skin in character.skins().iter().rev() {
        for (joint, joint_from_bind) in skin.joints().iter().zip(skin.joint_from_bind()) {
            if let Ok(bone) = joints.binary_search(joint)
                && let Some(rotation) = rotation_of(joint_from_bind.matrix3)
            {
                rotations[bone] = rotation.conjugate();
            }
        }
    }
    rotations
}

/// Returns the rotation of a matrix of only a rotation and a uniform scale.
fn rotation_of(matrix: DMat3) -> Option<DQuat> {
    let size = matrix.determinant().cbrt();
    let unit = matrix * (1.0 / size);
    let is_rotation =
        size.is_normal() && (unit.transpose() * unit).abs_diff_eq(DMat3::IDENTITY, 1e-6);
    // A negative size mirrors; it is the bone's scale.
    is_rotation.then(|| DQuat::from_mat3(&unit).normalize())
}

/// Returns a bone for each joint, or the error of `refuse` for a joint that the code cannot represent.
pub(crate) fn bone_entries<E>(
    code: BoneCode,
    frames: &BoneFrames,
    scales: &[JointScale],
    rotations: &[DQuat],
    refuse: impl Fn(usize, &JointScale) -> E,
) -> Result<Vec<BoneEntry>, E> {
    let mut bones = Vec::with_capacity(scales.len());
    for (bone, (joint_scale, &joint)) in scales.iter().zip(&frames.joints).enumerate() {
        let (scale, has_scale) = match (code, joint_scale) {
            (BoneCode::MatrixRows | BoneCode::MatrixColumns, JointScale::Constant(scale))
                if *scale != 0.0 =>
            {
                (*scale, false)
            }
            (BoneCode::MatrixRows | BoneCode::MatrixColumns, _) => {
                (largest_entry(frames.of_bone(bone)), false)
            }
            (_, JointScale::Constant(scale)) => (*scale, false),
            (BoneCode::RotationPosition, JointScale::Varying(_)) => (1.0, true),
            _ => return Err(refuse(bone, joint_scale)),
        };
        bones.push(BoneEntry {
            joint,
            first_value: 0,
            scale: f64::from(scale as f32),
            // Non-uniform scale is along the joint's own axes.
            rotation: match joint_scale {
                JointScale::Constant(_) => rotations[bone],
                _ => DQuat::IDENTITY,
            }
            .to_array(),
            has_scale,
        });
    }
    set_first_values(code, &mut bones);
    Ok(bones)
}

/// Returns the largest absolute value of the linear parts; one where all are zero.
fn largest_entry<'a>(transforms: impl Iterator<Item = &'a DAffine3>) -> f64 {
    let largest = transforms
        .flat_map(|transform| transform.matrix3.to_cols_array())
        .fold(0.0, |a: f64, x| a.max(x.abs()));
    // Rounded up to the next float32, so that no quotient exceeds one.
    let rounded = f64::from((largest as f32).next_up());
    if largest > 0.0 { rounded } else { 1.0 }
}

/// Returns every bone at every frame. Signs of dual quaternions continue from frame to frame; at a clip's first frame each
/// bone's sign agrees with that of its nearest ancestor.
fn all_samples(
    code: BoneCode,
    character: &Character,
    frames: &BoneFrames,
    bones: &[BoneEntry],
    plan: &BakePlan,
) -> Vec<BoneSample> {
    let ancestors = ancestors(character, &frames.joints);
    let count = bones.len();
    let mut samples: Vec<BoneSample> = Vec::with_capacity(frames.transforms.len());
    for entry in &plan.clips {
        for frame in 0..entry.frames as usize {
            let first = samples.len();
            for (index, bone) in bones.iter().enumerate() {
                let transform = &frames.transforms[first + index];
                let before = (frame > 0).then(|| samples[first + index - count]);
                let mut sampled = sample(code, bone, transform, before.as_ref());
                if frame == 0
                    && let (BoneSample::Dual(dual), Some(ancestor)) =
                        (&mut sampled, ancestors[index])
                    && let BoneSample::Dual(above) = samples[first + ancestor]
                {
                    *dual = dual.aligned_to(above);
                }
                samples.push(sampled);
            }
        }
    }
    samples
}

/// Returns the nearest ancestor of each bone that is a bone, too.
fn ancestors(character: &Character, joints: &[usize]) -> Vec<Option<usize>> {
    let skeleton = character.skeleton().joints();
    // For each joint: its own bone, or that of its nearest ancestor.
    let mut nearest: Vec<Option<usize>> = Vec::with_capacity(skeleton.len());
    let mut out = vec![None; joints.len()];
    for (joint, node) in skeleton.iter().enumerate() {
        let above = node.parent.and_then(|parent| nearest[parent]);
        nearest.push(match joints.binary_search(&joint) {
            Ok(bone) => {
                out[bone] = above;
                Some(bone)
            }
            Err(_) => above,
        });
    }
    out
}

/// Returns the ranges of positions or dual parts.
fn ranges_of(samples: &[BoneSample], bones: usize, boxes: Boxes) -> Vec<Range> {
    let components = samples
        .first()
        .map_or(3, |sample| code::ranged(sample).len());
    let count = match boxes {
        Boxes::PerBone => bones,
        Boxes::Whole => 1,
    };
    let mut builders = vec![RangeBuilder::new(components); count];
    for (index, sample) in samples.iter().enumerate() {
        builders[index % bones % count].add(&code::ranged(sample));
    }
    builders.iter().map(RangeBuilder::build).collect()
}

fn scale_range(samples: &[BoneSample], bones: &[BoneEntry]) -> Range {
    let mut builder = RangeBuilder::new(3);
    for (sample, bone) in samples.iter().zip(bones.iter().cycle()) {
        if let (BoneSample::Parts(parts), true) = (sample, bone.has_scale) {
            builder.add(&parts.scale.to_array());
        }
    }
    builder.build()
}
