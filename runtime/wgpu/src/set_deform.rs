//! Choice of the shaders of a set.

use throng_format::curves::{ClipRecord, JointRecord, RecordForm, Words};
use throng_format::{
    BoneCode, BoneLayout, FrameOrder, Layout, NormalCode, TexelFormat, TextureSet,
};
use throng_shaders::{
    BoneKind, Bones, Deform, InfluenceSource, InterpolationKind, Joints, Morphs, PaletteSource,
    SkinMethod, TexelKind,
};

use crate::DecodeMode;
use crate::texture::texel_kind;

/// Returns the form of bones in shaders.
pub(crate) fn bone_kind(layout: &BoneLayout) -> BoneKind {
    match layout.code {
        BoneCode::MatrixRows => BoneKind::Rows,
        BoneCode::MatrixColumns => BoneKind::Columns,
        BoneCode::DualQuaternion => BoneKind::Dual,
        BoneCode::RotationPosition if layout.bones.iter().any(|bone| bone.has_scale) => {
            BoneKind::Scaled
        }
        BoneCode::RotationPosition => BoneKind::Rotation,
        BoneCode::Axes => BoneKind::Axes,
        BoneCode::AxisPlanes if layout.positions.is_some() => BoneKind::SplitPlanes,
        BoneCode::AxisPlanes => BoneKind::Planes,
    }
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

/// Returns the texel kind of bones: pairs if two texels of a bone are always in one row.
pub(crate) fn bone_texels(set: &TextureSet, layout: &BoneLayout) -> TexelKind {
    let grid = &layout.grid;
    let format = set.texture_of(grid).format();
    let are_in_one_row = grid.order == FrameOrder::Rows
        && grid.first_column.is_multiple_of(2)
        && (grid.rows_per_frame == 1 || grid.columns.is_multiple_of(2));
    let supports_pairs = format == TexelFormat::Rgba16Unorm && bone_kind(layout).supports_pairs();
    match supports_pairs && are_in_one_row {
        true => TexelKind::Pairs,
        false => texel_kind(format),
    }
}

/// Returns true if the encoding of a set can store rigid joints only, so that dual quaternions represent them.
pub(crate) fn is_always_rigid(set: &TextureSet) -> bool {
    match &set.manifest().layout {
        Layout::Bones(layout) => match bone_kind(layout) {
            BoneKind::Dual | BoneKind::Rotation => true,
            BoneKind::Axes => interpolation_kind(set) == InterpolationKind::Nlerp,
            BoneKind::Rows
            | BoneKind::Columns
            | BoneKind::Scaled
            | BoneKind::Planes
            | BoneKind::SplitPlanes => false,
        },
        Layout::JointCurves(layout) => {
            let Some(form) = RecordForm::of_words(layout.record_words).filter(|f| f.has_scale)
            else {
                return true;
            };
            let words = Words::of(&set.textures()[layout.texture]);
            let moves = |curve: u32| {
                let mut clips = 0..set.manifest().clips.len() as u32;
                clips.any(|clip| {
                    let record = ClipRecord::read(words, layout.clip_table, clip);
                    record.rank(words, curve).is_some()
                })
            };
            let mut records = 0..layout.bones.len() as u32;
            !records.any(|record| {
                let scale = JointRecord::read(words, layout.joint_table, form, record).scale;
                // Non-uniform scale becomes shear when a child joint rotates.
                let scale_curve = record * form.channels() + 2;
                scale.max_element() - scale.min_element() > 1e-6 || moves(scale_curve)
            })
        }
        Layout::Vertices(_) | Layout::VertexCurves(_) => false,
    }
}

/// Returns the deform of a part, and the source of the decode pass if it needs one.
pub(crate) fn set_deform(
    set: &TextureSet,
    method: SkinMethod,
    decode: DecodeMode,
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
                // `slerp-vertices` needs both frames, but a palette holds one pose.
                _ if bones.interpolation == InterpolationKind::SlerpVertices => {
                    (Joints::Bones(bones), None)
                }
                DecodeMode::Direct => (Joints::Bones(bones), None),
                DecodeMode::Pass => (Joints::Palette, Some(PaletteSource::Bones(bones))),
            };
            let deform = Deform::Skinned {
                joints,
                influences: match layout.color_bones {
                    0 => InfluenceSource::Attributes,
                    1 => InfluenceSource::SingleColor,
                    _ => InfluenceSource::Colors,
                },
                method,
                morphs,
            };
            (deform, source)
        }
        Layout::JointCurves(_) => {
            let deform = Deform::Skinned {
                joints: Joints::Palette,
                influences: InfluenceSource::Attributes,
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
