//! Metadata of a set for shaders: grids, ranges, clips and inverse bind matrices.
//!
//! The scale of the texel format, the range and the unit of length are folded into `offset + scale * raw`. A bone's
//! constant scale and rotation are folded into its inverse bind matrix.

use glam::{DAffine3, DMat3, DQuat};
use throng_format::decode::{self, BonePose};
use throng_format::{BoneCode, BoneLayout, DecodeParams, FrameOrder, Layout, Texture, TextureSet};
use throng_rig::{Character, DualQuat, MorphSet, Skin};
use throng_shaders::{BoneKind, Grid, JointCurves, SetInfo, TexelKind};

use crate::GpuError;
use crate::raw_mapping::RawMapping;
use crate::set_deform::{bone_kind, bone_texels};

/// Palette indices and bone offsets are 16 bits each.
const MAX_INDEX: u32 = 0xffff;

/// Tolerance for identity matrices: a thousandth of a millimetre at a metre.
const IDENTITY_TOLERANCE: f64 = 1e-6;

/// Metadata of a set in the layout of shaders.
#[derive(Debug)]
pub(crate) struct SetTables {
    pub info: SetInfo,
    /// Records of four words; the first is unused, so that index 0 means none.
    pub tables: Vec<[u32; 4]>,
    /// Palette index of the first joint of each skin, and at the end the number of palette indices.
    pub first_palette_indices: Vec<u32>,
    /// Offset of the bone of each palette index in the texture.
    pub bone_offsets: Vec<u32>,
    /// Scale of each skin's meshes: the scale that all joints have in common, so that the joints are rigid. 1 if matrices
    /// are blended.
    pub mesh_scales: Vec<f32>,
}

impl SetTables {
    fn push(&mut self, texel: [u32; 4]) -> u32 {
        self.tables.push(texel);
        self.tables.len() as u32 - 1
    }

    fn next(&self) -> u32 {
        self.tables.len() as u32
    }
}

fn floats(values: [f32; 4]) -> [u32; 4] {
    values.map(f32::to_bits)
}

/// Makes the metadata of a set; `is_dual` adds dual quaternions of the inverse bind matrices.
pub(crate) fn set_tables(set: &TextureSet, is_dual: bool) -> Result<SetTables, GpuError> {
    let manifest = set.manifest();
    let model = set.model();
    let mut out = SetTables {
        info: SetInfo::default(),
        tables: vec![[0; 4]],
        first_palette_indices: first_palette_indices(model),
        bone_offsets: Vec::new(),
        mesh_scales: vec![1.0; model.skins().len()],
    };
    let params = DecodeParams::of(set);
    out.info.clip_table = out.next();
    let page_frames = page_frames(&params);
    let has_pages = has_pages(&manifest.layout);
    for (index, clip) in params.clips.iter().enumerate() {
        let rate = (clip.rate_hz as f32).to_bits();
        let duration = (clip.duration_secs as f32).to_bits();
        let wraps = u32::from(clip.looping == throng_rig::LoopPolicy::Wrap);
        let first_frame = match has_pages {
            true => index as u32 * page_frames,
            false => clip.first_frame,
        };
        out.push([first_frame, clip.frames | wraps << 31, rate, duration]);
    }
    let metres = manifest.axes.metres_per_unit;
    let joint_count = model.skeleton().joints().len();
    let mut bone_from_joint = vec![DMat3::IDENTITY; joint_count];
    let mut offset_of_joint = vec![None; joint_count];
    match &manifest.layout {
        Layout::Bones(layout) => {
            let texture = set.texture_of(&layout.grid);
            out.info.grid = grid(&layout.grid, texture, page_frames);
            if bone_texels(set, layout) == TexelKind::Pairs {
                out.info.grid.first_column /= 2;
                out.info.grid.columns = out.info.grid.columns.div_ceil(2);
            }
            bone_codec(&mut out, layout, &params, texture, metres);
            if layout.code == BoneCode::AxisPlanes {
                virtual_bones(&mut out, set, layout);
                morph_table(&mut out, set, &params);
                return Ok(out);
            }
            for (index, bone) in layout.bones.iter().enumerate() {
                bone_from_joint[bone.joint] = bone.bone_from_joint();
                offset_of_joint[bone.joint] = Some(bone_offset(layout, index)?);
            }
        }
        Layout::JointCurves(layout) => {
            out.info.joint_curves = JointCurves {
                clip_table: layout.clip_table,
                joint_table: layout.joint_table,
                record_words: layout.record_words,
                curves: layout.curves,
                joints: layout.bones.len() as u32,
                padding: [0; 3],
            };
            for (record, &joint) in layout.bones.iter().enumerate() {
                offset_of_joint[joint] = Some(record as u32);
            }
        }
        Layout::Vertices(layout) => {
            let texture = set.texture_of(&layout.positions);
            let normals = set.texture_of(&layout.normals);
            out.info.grid = grid(&layout.positions, texture, page_frames);
            out.info.normals = grid(&layout.normals, normals, page_frames);
            let raw = RawMapping::of(texture.format());
            let codec = &mut out.info.codec;
            raw.write(codec);
            let range = params.range(0);
            let is_ray = manifest.encoding == throng_format::Encoding::VertexRay;
            // Direction and length of a ray are combined before the range is applied.
            let raw = if is_ray { RawMapping::NONE } else { raw };
            (codec.offset, codec.scale) = raw.ranged(range, metres);
            let normals = RawMapping::of(normals.format());
            codec.normal_offset = normals.offset as f32;
            codec.normal_scale = normals.scale as f32;
        }
        Layout::VertexCurves(layout) => {
            out.info.joint_curves = JointCurves {
                clip_table: layout.clip_table,
                curves: layout.positions + layout.normals,
                ..JointCurves::default()
            };
            let [x, y, z] = layout.center;
            out.info.vertex_curve_range = [x, y, z, layout.scale];
            out.info.position_curves = layout.positions;
        }
    }
    if matches!(manifest.layout, Layout::Bones(_) | Layout::JointCurves(_)) {
        let used = model.used_palette_indices();
        inverse_binds(
            &mut out,
            set,
            &bone_from_joint,
            &offset_of_joint,
            &used,
            is_dual,
        )?;
    }
    morph_table(&mut out, set, &params);
    Ok(out)
}

/// Adds the grid of positions. Palette indices are bones, and no inverse bind matrices are
/// needed.
fn virtual_bones(out: &mut SetTables, set: &TextureSet, layout: &BoneLayout) {
    if let Some(positions) = &layout.positions {
        out.info.normals = grid(positions, set.texture_of(positions), 0);
    }
    let bones = layout.bones.len() as u32;
    out.info.palette_len = bones;
    out.info.palette_stride = 3 * bones;
    out.bone_offsets = (0..bones).collect();
    push_bone_offsets(out);
}

/// Appends the bone offsets, four per record.
fn push_bone_offsets(out: &mut SetTables) {
    out.info.bone_offset_table = out.next();
    let offsets = out.bone_offsets.chunks(4).map(|four| {
        let mut texel = [0; 4];
        texel[..four.len()].copy_from_slice(four);
        texel
    });
    out.tables.extend(offsets.collect::<Vec<_>>());
}

/// Palette index of the first joint of each skin, and at the end the number of palette indices.
pub(crate) fn first_palette_indices(model: &Character) -> Vec<u32> {
    let mut next = 0;
    let mut first = vec![0];
    for skin in model.skins() {
        next += skin.len() as u32;
        first.push(next);
    }
    first
}

/// Appends the inverse bind matrices and bone offsets of all palette indices.
fn inverse_binds(
    out: &mut SetTables,
    set: &TextureSet,
    bone_from_joint: &[DMat3],
    offset_of_joint: &[Option<u32>],
    used: &[Vec<bool>],
    is_dual: bool,
) -> Result<(), GpuError> {
    let model = set.model();
    let palette_len = out.first_palette_indices[model.skins().len()] as usize;
    if palette_len > MAX_INDEX as usize {
        return Err(GpuError::TooManyPaletteIndices(palette_len));
    }
    let mut bone_from_bind = Vec::with_capacity(palette_len);
    for (index, (skin, used)) in model.skins().iter().zip(used).enumerate() {
        let scale = match is_dual {
            true => common_scale(set, skin, used).ok_or(GpuError::NotRigid)?,
            false => 1.0,
        };
        out.mesh_scales[index] = scale as f32;
        let joints = skin.joints().iter().zip(skin.joint_from_bind());
        for ((&joint, joint_from_bind), &used) in joints.zip(used) {
            let offset = match offset_of_joint[joint] {
                Some(offset) => offset,
                None if used => {
                    return Err(GpuError::NoBone {
                        joint: model.skeleton().joints()[joint].name.clone(),
                    });
                }
                None => 0,
            };
            if offset > MAX_INDEX {
                return Err(GpuError::TooManyPaletteIndices(offset as usize));
            }
            out.bone_offsets.push(offset);
            let bone_from_joint = bone_from_joint[joint];
            bone_from_bind.push(DAffine3 {
                matrix3: bone_from_joint * joint_from_bind.matrix3 * (1.0 / scale),
                translation: bone_from_joint * joint_from_bind.translation,
            });
        }
    }
    out.info.inverse_bind_table = out.next();
    // Joints that influence no vertex do not matter.
    let has_matrix = |(affine, &used): (&DAffine3, &bool)| {
        used && !affine
            .matrix3
            .abs_diff_eq(DMat3::IDENTITY, IDENTITY_TOLERANCE)
    };
    let is_bones = matches!(set.manifest().layout, Layout::Bones(_));
    let are_translations = is_bones
        && !bone_from_bind
            .iter()
            .zip(used.iter().flatten())
            .any(has_matrix);
    out.info.inverse_binds_are_matrices = u32::from(!are_translations);
    for affine in &bone_from_bind {
        if are_translations {
            out.push(floats(affine.translation.as_vec3().extend(0.0).to_array()));
        } else {
            let rows = crate::instance::rows(&affine.as_affine3a());
            out.tables.extend(rows.map(floats));
        }
    }
    if is_dual && !are_translations {
        out.info.dual_inverse_bind_table = out.next();
        for affine in &bone_from_bind {
            let rotation = DQuat::from_mat3(&affine.matrix3).normalize();
            let dual = DualQuat::from_rotation_translation(rotation, affine.translation);
            out.push(floats(dual.real.as_quat().to_array()));
            out.push(floats(dual.dual.as_quat().to_array()));
        }
    }
    out.info.palette_len = bone_from_bind.len() as u32;
    out.info.palette_stride = 3 * bone_from_bind.len() as u32;
    push_bone_offsets(out);
    Ok(())
}

/// Returns the scale that the palette matrices of all used joints have in common, or `None` if they are not rigid apart
/// from it. Encodings that dual quaternions are read from cannot change scale or shape, so one time is enough.
fn common_scale(set: &TextureSet, skin: &Skin, used: &[bool]) -> Option<f64> {
    let mut pose = BonePose::rest(set.model());
    if !set.manifest().clips.is_empty() {
        decode::bones(set, 0, 0.0, &mut pose);
    }
    let joints = skin.joints().iter().zip(skin.joint_from_bind()).zip(used);
    let mut common = None;
    for ((&joint, joint_from_bind), _) in joints.filter(|(_, used)| **used) {
        let matrix = pose.model_from_joint[joint].matrix3 * joint_from_bind.matrix3;
        let scale = *common.get_or_insert(matrix.determinant().cbrt());
        let rotation = matrix * (1.0 / scale);
        let is_rigid =
            scale > 0.0 && (rotation.transpose() * rotation).abs_diff_eq(DMat3::IDENTITY, 2e-4);
        if !is_rigid {
            return None;
        }
    }
    common.or(Some(1.0))
}

/// Appends the ranges of morph weights, or the rest weights if the set does not animate them.
fn morph_table(out: &mut SetTables, set: &TextureSet, params: &DecodeParams<'_>) {
    let model = set.model();
    let weights: usize = model.morph_sets().iter().map(|set| set.range().len()).sum();
    if weights == 0 {
        return;
    }
    match &set.manifest().morphs {
        Some(layout) => {
            let texture = set.texture_of(&layout.grid);
            out.info.morphs = grid(&layout.grid, texture, page_frames(params));
            let raw = RawMapping::of(texture.format());
            out.info.morph_table = out.next();
            for weight in 0..layout.weights as usize {
                let (center, half_extent) =
                    params.morph_range.as_deref().map_or((0.0, 1.0), |range| {
                        (range.center[weight], range.half_extent[weight])
                    });
                let offset = (center + half_extent * raw.offset) as f32;
                let scale = (half_extent * raw.scale) as f32;
                out.push(floats([offset, scale, 0.0, 0.0]));
            }
        }
        None => {
            out.info.morph_table = out.next();
            for weight in model.morph_sets().iter().flat_map(MorphSet::rest_weights) {
                out.push(floats([*weight, 0.0, 0.0, 0.0]));
            }
        }
    }
}

/// Distance between the first frames of two clips that have pages of their own.
fn page_frames(params: &DecodeParams<'_>) -> u32 {
    let frames = params.clips.iter().map(|clip| clip.frames);
    frames.max().unwrap_or(1)
}

/// True if clips have pages of their own.
fn has_pages(layout: &Layout) -> bool {
    match layout {
        Layout::Bones(layout) => layout.grid.pages.is_some(),
        Layout::Vertices(layout) => layout.positions.pages.is_some(),
        Layout::JointCurves(_) | Layout::VertexCurves(_) => false,
    }
}

fn grid(grid: &throng_format::Grid, texture: &Texture, page_frames: u32) -> Grid {
    let [_, height, layers] = texture.size();
    let (columns, rows_per_frame) = match &grid.pages {
        Some(pages) => (page_frames, pages.rows_per_clip()),
        None => (grid.columns, grid.rows_per_frame),
    };
    Grid {
        first_column: grid.first_column,
        first_row: grid.first_row,
        columns,
        rows_per_frame,
        by_columns: u32::from(grid.order == FrameOrder::Columns),
        height,
        layers,
        padding: 0,
    }
}

fn bone_codec(
    out: &mut SetTables,
    layout: &BoneLayout,
    params: &DecodeParams<'_>,
    texture: &Texture,
    metres: f64,
) {
    let raw = RawMapping::of(texture.format());
    raw.write(&mut out.info.codec);
    // Positions in a texture of their own are floats.
    let raw = match layout.positions {
        Some(_) => RawMapping::NONE,
        None => raw,
    };
    (out.info.codec.offset, out.info.codec.scale) = raw.ranged(params.range(0), metres);
    (out.info.codec.size_offset, out.info.codec.size_scale) =
        raw.ranged(params.scale_range.as_deref(), 1.0);
    out.info.codec.axis_items = layout.bones.len() as u32;
    if params.ranges.len() > 1 {
        out.info.codec.range_table = out.next();
        for bone in 0..layout.bones.len() {
            let (offset, scale) = raw.ranged(params.range(bone), metres);
            out.push(floats(offset));
            out.push(floats(scale));
        }
    }
    if bone_kind(layout) == BoneKind::Scaled {
        out.info.codec.bone_table = out.next();
        for bone in &layout.bones {
            out.push([bone.first_value, u32::from(bone.has_scale), 0, 0]);
        }
    }
}

/// Returns the offset at which shaders read a bone. Ranges per bone are found from it, so bones must be contiguous.
fn bone_offset(layout: &BoneLayout, index: usize) -> Result<u32, GpuError> {
    let first = layout.bones[index].first_value;
    let (values, offset) = match bone_kind(layout) {
        BoneKind::Rows | BoneKind::Columns => (12, first / 4),
        BoneKind::Dual => (8, first / 4),
        BoneKind::Rotation => (6, first / 2),
        BoneKind::Axes => (12, index as u32),
        BoneKind::Scaled | BoneKind::Planes | BoneKind::SplitPlanes => return Ok(index as u32),
    };
    if u64::from(first) != values * index as u64 {
        return Err(GpuError::ScatteredBones);
    }
    Ok(offset)
}
