//! Shaders that read metadata from the first column of the texels.

use crate::Shader;
use crate::compose::text_of;
use crate::files::METADATA;

/// Reader of a set's timing and ranges from the first column of its texture, instead of from tables. One shader then serves
/// all sets of a layout, as in P0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ColumnReader {
    /// Form of the column.
    pub form: ColumnForm,
    /// Length of a unit of the boxes.
    pub metres_per_unit: f32,
    /// Offset and scale from raw numbers to those that ranges apply to.
    pub range_mapping: [f32; 2],
}

/// Form of the metadata in the first column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnForm {
    /// Float32 values: `throng_format::column`.
    Values {
        /// Factor from a raw channel to the byte that it holds: 255 for 8-bit channels, 1 for others.
        byte_scale: u32,
        /// Number of ranges of positions.
        ranges: u32,
        /// Components of each; 0 if texels are floats.
        components: u32,
        /// True if a range of scales follows.
        has_scale_range: bool,
    },
    /// P0's matrices.
    P0Matrices {
        /// Number of bones.
        bones: u32,
    },
    /// P0's dual quaternions.
    P0DualQuaternions {
        /// Number of bones.
        bones: u32,
    },
    /// P0's vertices.
    P0Vertices,
}

impl Shader {
    /// Reads timing and ranges from the first column of the texture at binding 2. Shaders that read no frames from there, such
    /// as those of palettes, are returned unchanged.
    pub fn with_column(mut self, reader: &ColumnReader) -> Self {
        if self.source.contains("alias Texels = ") {
            let text = reader.constants() + text_of(reader.file());
            self.source = self.source.replacen(text_of(METADATA), &text, 1);
        }
        self
    }
}

impl ColumnReader {
    fn file(&self) -> &'static str {
        match self.form {
            ColumnForm::Values { .. } => "source/metadata_values",
            _ => "source/metadata_p0",
        }
    }

    fn constants(&self) -> String {
        let [offset, scale] = self.range_mapping;
        let mut text =
            format!("const RANGE_OFFSET: f32 = {offset:e};\nconst RANGE_SCALE: f32 = {scale:e};\n");
        let p0 = |form: &str, timing_row: u32| {
            format!(
                "const P0_MATRICES: u32 = 0u;\n\
                 const P0_DUAL_QUATERNIONS: u32 = 1u;\n\
                 const P0_VERTICES: u32 = 2u;\n\
                 const P0_FORM: u32 = {form};\n\
                 const P0_TIMING_ROW: u32 = {timing_row}u;\n\
                 const METRES_PER_UNIT: f32 = {:e};\n\n",
                self.metres_per_unit
            )
        };
        text += &match self.form {
            ColumnForm::Values {
                byte_scale,
                ranges,
                components,
                has_scale_range,
            } => format!(
                "const COLUMN_BYTE_SCALE: f32 = {byte_scale}.0;\n\
                 const RANGES: u32 = {ranges}u;\n\
                 const RANGE_COMPONENTS: u32 = {components}u;\n\
                 const HAS_SCALE_RANGE: bool = {has_scale_range};\n\n"
            ),
            ColumnForm::P0Matrices { bones } => p0("P0_MATRICES", 3 * bones),
            ColumnForm::P0DualQuaternions { bones } => p0("P0_DUAL_QUATERNIONS", 2 * bones),
            ColumnForm::P0Vertices => p0("P0_VERTICES", 0),
        };
        text
    }
}
