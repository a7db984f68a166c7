//! Reader of the metadata in a set's first column.

use throng_format::{BoneCode, ChannelKind, Encoding, Layout, Metadata, TextureSet};
use throng_shaders::{ColumnForm, ColumnReader};

use crate::GpuError;
use crate::raw_mapping::RawMapping;

/// Returns the reader of a set whose first column holds metadata.
pub(crate) fn column_reader(set: &TextureSet) -> Result<ColumnReader, GpuError> {
    let manifest = set.manifest();
    let texture = &set.textures()[0];
    let (code, bones, ranges, has_scale_range) = match &manifest.layout {
        Layout::Bones(layout) => (
            Some(layout.code),
            layout.bones.len() as u32,
            layout.ranges.as_slice(),
            layout.scale_range.is_some(),
        ),
        Layout::Vertices(layout) => (None, 0, layout.range.as_slice(), false),
        Layout::JointCurves(_) | Layout::VertexCurves(_) => return Err(GpuError::NoColumn),
    };
    let form = match (manifest.metadata, code) {
        (Metadata::Manifest, _) => return Err(GpuError::NoColumn),
        (Metadata::Column, _) => ColumnForm::Values {
            byte_scale: match texture.format().channel_kind() {
                ChannelKind::Unorm8 => 255,
                _ => 1,
            },
            ranges: ranges.len() as u32,
            components: ranges.first().map_or(0, |range| range.center.len() as u32),
            has_scale_range,
        },
        (Metadata::P0Column, Some(BoneCode::DualQuaternion)) => {
            ColumnForm::P0DualQuaternions { bones }
        }
        (Metadata::P0Column, Some(_)) => ColumnForm::P0Matrices { bones },
        (Metadata::P0Column, None) => ColumnForm::P0Vertices,
    };
    // Direction and length of a ray are combined before the range is applied.
    let raw = match manifest.encoding {
        Encoding::VertexRay => RawMapping::NONE,
        _ => RawMapping::of(texture.format()),
    };
    Ok(ColumnReader {
        form,
        metres_per_unit: manifest.axes.metres_per_unit as f32,
        range_mapping: [raw.offset as f32, raw.scale as f32],
    })
}
