//! What shaders must know of a set beside its texels: grids, ranges, clips and links.
//!
//! Everything that turns a raw number into a length is folded into `offset + scale * raw`: the texel's
//! scale, the range, centimetres. A bone's constant scale is folded into its link.

use glam::{DAffine3, DMat3, DQuat};
use throng_format::decode::{self, BonePose};
use throng_format::{
    BoneCode, BoneLayout, DecodeParams, FrameOrder, Layout, NormalCode, Range, TexelFormat,
    Texture, TextureSet,
};
use throng_rig::{Character, DualQuat, MorphSet, Skin};
use throng_shaders::{
    BoneKind, Bones, Codec, Deform, Grid, InterpolationKind, JointCurves, Joints, Morphs,
    PaletteSource, SetInfo, SkinMethod, TexelKind,
};

use crate::texture::texel_kind;
use crate::{DecodePlace, GpuError};

/// Entries and places are halves of a word.
const MAX_PLACE: u32 = 0xffff;

/// What is less of a turn than this is none: a thousandth of a millimetre at a metre.
const MAX_TURN: f64 = 1e-6;

/// A set, ready for shaders.
#[derive(Debug)]
pub(crate) struct SetTables {
    pub info: SetInfo,
    /// Records, four words each; the first is none, so that 0 stands for nothing.
    pub tables: Vec<[u32; 4]>,
    /// For each skin, the number of its first entry.
    pub first_entries: Vec<u32>,
    /// For each entry, the place of its bone.
    pub places: Vec<u32>,
    /// For each skin, what lengths of its meshes are multiplied by, so that its joints are rigid: a size that all
    /// have in common. 1 where matrices are blended.
    pub units: Vec<f32>,
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

/// Everything but the texels.
pub(crate) fn set_tables(set: &TextureSet, is_dual: bool) -> Result<SetTables, GpuError> {
    let manifest = set.manifest();
    let model = set.model();
    let mut out = SetTables {
        info: SetInfo::default(),
        tables: vec![[0; 4]],
        first_entries: first_entries(model),
        places: Vec::new(),
        units: vec![1.0; model.skins().len()],
    };
    let numbers = DecodeParams::of(set);
    out.info.clip_table = out.next();
    for clip in &numbers.clips {
        let rate = (clip.rate_hz as f32).to_bits();
        let duration = (clip.duration_secs as f32).to_bits();
        let wraps = u32::from(clip.looping == throng_rig::LoopPolicy::Wrap);
        out.push([clip.first_frame, clip.frames | wraps << 31, rate, duration]);
    }
    let metres = manifest.axes.metres_per_unit;
    let joint_count = model.skeleton().joints().len();
    let mut bone_from_joint = vec![DMat3::IDENTITY; joint_count];
    let mut place_of_joint = vec![None; joint_count];
    match &manifest.layout {
        Layout::Bones(layout) => {
            let texture = set.texture_of(&layout.grid);
            out.info.grid = grid(&layout.grid, texture);
            if bone_texels(set, layout) == TexelKind::Pairs {
                out.info.grid.first_column /= 2;
                out.info.grid.columns = out.info.grid.columns.div_ceil(2);
            }
            bone_codec(&mut out, layout, &numbers, texture, metres);
            for (index, bone) in layout.bones.iter().enumerate() {
                bone_from_joint[bone.joint] = bone.bone_from_joint();
                place_of_joint[bone.joint] = Some(bone_place(layout, index)?);
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
                place_of_joint[joint] = Some(record as u32);
            }
        }
        Layout::Vertices(layout) => {
            let texture = set.texture_of(&layout.positions);
            let normals = set.texture_of(&layout.normals);
            out.info.grid = grid(&layout.positions, texture);
            out.info.normals = grid(&layout.normals, normals);
            let raw = Raw::of(texture.format());
            let codec = &mut out.info.codec;
            raw.write(codec);
            let range = numbers.range(0);
            let is_ray = manifest.encoding == throng_format::Encoding::VertexRay;
            // A ray's direction and length are put together before the range.
            let raw = if is_ray { Raw::NONE } else { raw };
            (codec.offset, codec.scale) = raw.ranged(range, metres);
            let normals = Raw::of(normals.format());
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
        let used = used_entries(model, &out.first_entries);
        links(
            &mut out,
            set,
            &bone_from_joint,
            &place_of_joint,
            &used,
            is_dual,
        )?;
    }
    morph_table(&mut out, set, &numbers);
    Ok(out)
}

/// For each skin, the number of its first entry, and at the end how many there are.
pub(crate) fn first_entries(model: &Character) -> Vec<u32> {
    let mut next = 0;
    let mut first = vec![0];
    for skin in model.skins() {
        next += skin.len() as u32;
        first.push(next);
    }
    first
}

/// Which entries move vertices.
fn used_entries(model: &Character, first_entries: &[u32]) -> Vec<bool> {
    let mut used = vec![false; first_entries[model.skins().len()] as usize];
    for part in model.parts() {
        let influences = model.mesh_of(part).influences();
        for vertex in 0..influences.vertex_count() {
            for (joint, _) in influences.of(vertex) {
                used[first_entries[part.skin] as usize + joint] = true;
            }
        }
    }
    used
}

fn links(
    out: &mut SetTables,
    set: &TextureSet,
    bone_from_joint: &[DMat3],
    place_of_joint: &[Option<u32>],
    used: &[bool],
    is_dual: bool,
) -> Result<(), GpuError> {
    let model = set.model();
    let entry_count = used.len();
    if entry_count > MAX_PLACE as usize {
        return Err(GpuError::TooManyEntries(entry_count));
    }
    let mut links = Vec::with_capacity(entry_count);
    for (index, skin) in model.skins().iter().enumerate() {
        let first = out.first_entries[index] as usize;
        let used = &used[first..first + skin.len()];
        let unit = match is_dual {
            true => common_size(set, skin, used).ok_or(GpuError::NotRigid)?,
            false => 1.0,
        };
        out.units[index] = unit as f32;
        let joints = skin.joints().iter().zip(skin.joint_from_bind());
        for ((&joint, joint_from_bind), &used) in joints.zip(used) {
            let place = match place_of_joint[joint] {
                Some(place) => place,
                None if used => {
                    return Err(GpuError::NoBone {
                        joint: model.skeleton().joints()[joint].name.clone(),
                    });
                }
                None => 0,
            };
            if place > MAX_PLACE {
                return Err(GpuError::TooManyEntries(place as usize));
            }
            out.places.push(place);
            let bone_from_joint = bone_from_joint[joint];
            links.push(DAffine3 {
                matrix3: bone_from_joint * joint_from_bind.matrix3 * (1.0 / unit),
                translation: bone_from_joint * joint_from_bind.translation,
            });
        }
    }
    out.info.inverse_bind_table = out.next();
    // Unused joints may be anywhere.
    let turns = |(link, &used): (&DAffine3, &bool)| {
        used && !link.matrix3.abs_diff_eq(DMat3::IDENTITY, MAX_TURN)
    };
    let is_bones = matches!(set.manifest().layout, Layout::Bones(_));
    let only_move = is_bones && !links.iter().zip(used).any(turns);
    out.info.inverse_binds_are_matrices = u32::from(!only_move);
    for link in &links {
        if only_move {
            out.push(floats(link.translation.as_vec3().extend(0.0).to_array()));
        } else {
            let rows = crate::instance::rows(&link.as_affine3a());
            out.tables.extend(rows.map(floats));
        }
    }
    if is_dual && !only_move {
        out.info.dual_inverse_bind_table = out.next();
        for link in &links {
            let rotation = DQuat::from_mat3(&link.matrix3).normalize();
            let dual = DualQuat::from_rotation_translation(rotation, link.translation);
            out.push(floats(dual.real.as_quat().to_array()));
            out.push(floats(dual.dual.as_quat().to_array()));
        }
    }
    out.info.palette_len = links.len() as u32;
    out.info.palette_stride = 3 * links.len() as u32;
    out.info.bone_offset_table = out.next();
    let places = out.places.chunks(4).map(|four| {
        let mut texel = [0; 4];
        texel[..four.len()].copy_from_slice(four);
        texel
    });
    out.tables.extend(places.collect::<Vec<_>>());
    Ok(())
}

/// The size that the motions of all used joints of a skin have in common, where they are else rigid. The encodings
/// that dual quaternions are made of can change neither size nor shape, so that any time will do.
fn common_size(set: &TextureSet, skin: &Skin, used: &[bool]) -> Option<f64> {
    let mut pose = BonePose::rest(set.model());
    if !set.manifest().clips.is_empty() {
        decode::bones(set, 0, 0.0, &mut pose);
    }
    let joints = skin.joints().iter().zip(skin.joint_from_bind()).zip(used);
    let mut common = None;
    for ((&joint, joint_from_bind), _) in joints.filter(|(_, used)| **used) {
        let matrix = pose.model_from_joint[joint].matrix3 * joint_from_bind.matrix3;
        let size = *common.get_or_insert(matrix.determinant().cbrt());
        let unit = matrix * (1.0 / size);
        let is_rigid = size > 0.0 && (unit.transpose() * unit).abs_diff_eq(DMat3::IDENTITY, 2e-4);
        if !is_rigid {
            return None;
        }
    }
    common.or(Some(1.0))
}

fn morph_table(out: &mut SetTables, set: &TextureSet, numbers: &DecodeParams<'_>) {
    let model = set.model();
    let weights: usize = model.morph_sets().iter().map(|set| set.range().len()).sum();
    if weights == 0 {
        return;
    }
    match &set.manifest().morphs {
        Some(layout) => {
            let texture = set.texture_of(&layout.grid);
            out.info.morphs = grid(&layout.grid, texture);
            let raw = Raw::of(texture.format());
            out.info.morph_table = out.next();
            for weight in 0..layout.weights as usize {
                let (center, half_extent) =
                    numbers.morph_range.as_deref().map_or((0.0, 1.0), |range| {
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

fn grid(grid: &throng_format::Grid, texture: &Texture) -> Grid {
    let [_, height, layers] = texture.size();
    Grid {
        first_column: grid.first_column,
        first_row: grid.first_row,
        columns: grid.columns,
        rows_per_frame: grid.rows_per_frame,
        by_columns: u32::from(grid.order == FrameOrder::Columns),
        height,
        layers,
        padding: 0,
    }
}

/// How raw numbers become numbers from -1 to 1.
#[derive(Debug, Clone, Copy)]
struct Raw {
    offset: f64,
    scale: f64,
    level: f64,
}

impl Raw {
    /// Numbers that are what they are.
    const NONE: Self = Self {
        offset: 0.0,
        scale: 1.0,
        level: 1.0,
    };

    fn of(format: TexelFormat) -> Self {
        if format.is_float() {
            return Self::NONE;
        }
        let level = match texel_kind(format) {
            TexelKind::Float => 1.0,
            TexelKind::Uint | TexelKind::Pairs | TexelKind::Bytes => 1.0 / 65535.0,
        };
        Self {
            offset: -1.0,
            scale: 2.0 * level,
            level,
        }
    }

    fn write(self, codec: &mut Codec) {
        codec.unit_offset = self.offset as f32;
        codec.unit_scale = self.scale as f32;
        codec.level_scale = self.level as f32;
    }

    /// Offset and scale of raw numbers in a range.
    fn ranged(self, range: Option<&Range>, metres: f64) -> ([f32; 4], [f32; 4]) {
        let mut offset = [(self.offset * metres) as f32; 4];
        let mut scale = [(self.scale * metres) as f32; 4];
        if let Some(range) = range {
            for (k, (center, half)) in range
                .center
                .iter()
                .zip(&range.half_extent)
                .enumerate()
                .take(4)
            {
                offset[k] = ((center + half * self.offset) * metres) as f32;
                scale[k] = (half * self.scale * metres) as f32;
            }
        }
        (offset, scale)
    }
}

fn bone_codec(
    out: &mut SetTables,
    layout: &BoneLayout,
    numbers: &DecodeParams<'_>,
    texture: &Texture,
    metres: f64,
) {
    let raw = Raw::of(texture.format());
    raw.write(&mut out.info.codec);
    (out.info.codec.offset, out.info.codec.scale) = raw.ranged(numbers.range(0), metres);
    (out.info.codec.size_offset, out.info.codec.size_scale) =
        raw.ranged(numbers.scale_range.as_deref(), 1.0);
    out.info.codec.axis_items = match layout.code {
        BoneCode::AxisPlanes => layout.bones.len() as u32,
        _ => 1,
    };
    if numbers.ranges.len() > 1 {
        out.info.codec.range_table = out.next();
        for bone in 0..layout.bones.len() {
            let (offset, scale) = raw.ranged(numbers.range(bone), metres);
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

fn bone_kind(layout: &BoneLayout) -> BoneKind {
    match layout.code {
        BoneCode::MatrixRows => BoneKind::Rows,
        BoneCode::MatrixColumns => BoneKind::Columns,
        BoneCode::DualQuaternion => BoneKind::Dual,
        BoneCode::RotationPosition if layout.bones.iter().any(|bone| bone.has_scale) => {
            BoneKind::Scaled
        }
        BoneCode::RotationPosition => BoneKind::Rotation,
        BoneCode::Axes | BoneCode::AxisPlanes => BoneKind::Axes,
    }
}

/// Where shaders look for a bone, by its kind. Boxes of one bone each are found from it, so that bones must be in
/// a row.
fn bone_place(layout: &BoneLayout, index: usize) -> Result<u32, GpuError> {
    let first = layout.bones[index].first_value;
    let (numbers, place) = match bone_kind(layout) {
        BoneKind::Rows | BoneKind::Columns => (12, first / 4),
        BoneKind::Dual => (8, first / 4),
        BoneKind::Rotation => (6, first / 2),
        BoneKind::Axes if layout.code == BoneCode::Axes => (12, index as u32),
        BoneKind::Scaled | BoneKind::Axes => return Ok(index as u32),
    };
    if u64::from(first) != numbers * index as u64 {
        return Err(GpuError::ScatteredBones);
    }
    Ok(place)
}

fn interpolation_kind(set: &TextureSet) -> InterpolationKind {
    match set.manifest().interpolation {
        throng_format::FrameInterpolation::Linear => InterpolationKind::Linear,
        throng_format::FrameInterpolation::Nlerp => InterpolationKind::Nlerp,
        throng_format::FrameInterpolation::Slerp => InterpolationKind::Slerp,
        throng_format::FrameInterpolation::SlerpVertices => InterpolationKind::SlerpVertices,
    }
}

fn bones(set: &TextureSet, layout: &BoneLayout) -> Bones {
    Bones {
        kind: bone_kind(layout),
        texels: bone_texels(set, layout),
        interpolation: interpolation_kind(set),
    }
}

/// How bones are read: two texels at once, where pairs of them stay in a row.
pub(crate) fn bone_texels(set: &TextureSet, layout: &BoneLayout) -> TexelKind {
    let grid = &layout.grid;
    let format = set.texture_of(grid).format();
    let stay_together = grid.order == FrameOrder::Rows
        && grid.first_column.is_multiple_of(2)
        && (grid.rows_per_frame == 1 || grid.columns.is_multiple_of(2));
    let supports_pairs = format == TexelFormat::Rgba16Unorm
        && layout.code != BoneCode::AxisPlanes
        && bone_kind(layout).supports_pairs();
    match supports_pairs && stay_together {
        true => TexelKind::Pairs,
        false => texel_kind(format),
    }
}

/// True where the joints of a set can be dual quaternions at any time: their encoding can hold nothing else.
pub(crate) fn is_always_rigid(set: &TextureSet) -> bool {
    match &set.manifest().layout {
        Layout::Bones(layout) => match bone_kind(layout) {
            BoneKind::Dual | BoneKind::Rotation => true,
            BoneKind::Axes => interpolation_kind(set) == InterpolationKind::Nlerp,
            BoneKind::Rows | BoneKind::Columns | BoneKind::Scaled => false,
        },
        Layout::JointCurves(layout) => {
            let words = throng_format::curves::Words::of(&set.textures()[layout.texture]);
            let mut records = 0..layout.bones.len() as u32;
            !records.any(|record| {
                let record = throng_format::curves::JointRecord::read(
                    words,
                    layout.joint_table,
                    layout.record_words,
                    record,
                );
                let scale = record.scale;
                // A scale that is not even becomes shear as soon as a joint below it turns.
                record.has_curve[2] || scale.max_element() - scale.min_element() > 1e-6
            })
        }
        Layout::Vertices(_) | Layout::VertexCurves(_) => false,
    }
}

/// How a set moves the vertices of a part, and what fills a palette before.
pub(crate) fn set_deform(
    set: &TextureSet,
    method: SkinMethod,
    decode: DecodePlace,
) -> (Deform, Option<PaletteSource>) {
    let morphs = set_morphs(set);
    match &set.manifest().layout {
        Layout::Vertices(layout) => {
            let deform = Deform::Vertices {
                texels: texel_kind(set.texture_of(&layout.positions).format()),
                normals: texel_kind(set.texture_of(&layout.normals).format()),
                is_ray: set.manifest().encoding == throng_format::Encoding::VertexRay,
                is_octahedral: layout.normal_code == NormalCode::Octahedral,
            };
            (deform, None)
        }
        Layout::VertexCurves(_) => (Deform::VertexCurves, None),
        Layout::Bones(layout) => {
            let bones = bones(set, layout);
            let (joints, source) = match decode {
                // Arcs need both frames, and a palette holds one pose.
                _ if bones.interpolation == InterpolationKind::SlerpVertices => {
                    (Joints::Bones(bones), None)
                }
                DecodePlace::Direct => (Joints::Bones(bones), None),
                DecodePlace::Pass => (Joints::Palette, Some(PaletteSource::Bones(bones))),
            };
            let deform = Deform::Skinned {
                joints,
                method,
                morphs,
            };
            (deform, source)
        }
        Layout::JointCurves(_) => {
            let deform = Deform::Skinned {
                joints: Joints::Palette,
                method,
                morphs,
            };
            (deform, Some(PaletteSource::Curves))
        }
    }
}

fn set_morphs(set: &TextureSet) -> Morphs {
    let has_targets = set
        .model()
        .morph_sets()
        .iter()
        .any(|set| !set.range().is_empty());
    match &set.manifest().morphs {
        _ if !has_targets => Morphs::None,
        Some(layout) => Morphs::Set(texel_kind(set.texture_of(&layout.grid).format())),
        None => Morphs::Rest,
    }
}
