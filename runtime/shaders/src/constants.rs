//! Shaders with the description of a set compiled in, so that only textures are bound.

use std::fmt::Write;

use thiserror::Error;

use crate::compose::text_of;
use crate::files::{SET_INFO, TABLES};
use crate::{Codec, Grid, JointCurves, SetInfo, Shader};

/// Largest number of table records in constants: the number of array elements that WGSL requires compilers to support.
pub const MAX_CONSTANT_RECORDS: usize = 2047;

/// Error of [`with_constants`] and [`with_set_info`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ConstantsError {
    /// The shader does not read the description of a set.
    #[error(
        "the shader '{0}' does not read the description of a set, so that none can be compiled in: choose a shader that \
         draws or fills a palette"
    )]
    NoSet(&'static str),
    /// The set has more records than constants can hold.
    #[error(
        "the set has {0} table records, and constants hold at most {MAX_CONSTANT_RECORDS}: bind the tables as a texture \
         instead"
    )]
    TooManyRecords(usize),
    /// WGSL has no literals for infinities and NaN.
    #[error("the {0} of the set is {1}, expected a finite number: bake the set again")]
    NotFinite(&'static str, String),
}

/// Replaces binding 0 of group 1 by constants. The compiler can then drop code that the set does not use.
pub fn with_set_info(shader: &Shader, info: &SetInfo) -> Result<Shader, ConstantsError> {
    replaced(shader, SET_INFO, &set_info(info)?)
}

/// Replaces bindings 0 and 1 of group 1 by constants. `info` and `tables` are the contents of these bindings.
pub fn with_constants(
    shader: &Shader,
    info: &SetInfo,
    tables: &[[u32; 4]],
) -> Result<Shader, ConstantsError> {
    if tables.len() > MAX_CONSTANT_RECORDS {
        return Err(ConstantsError::TooManyRecords(tables.len()));
    }
    let records = records(tables) + text_of("source/tables_constant");
    replaced(&with_set_info(shader, info)?, TABLES, &records)
}

fn replaced(shader: &Shader, file: &str, text: &str) -> Result<Shader, ConstantsError> {
    let bound = text_of(file);
    if !shader.source.contains(bound) {
        return Err(ConstantsError::NoSet(shader.name));
    }
    Ok(Shader {
        source: shader.source.replacen(bound, text, 1),
        ..shader.clone()
    })
}

/// Declares the tables as an array of at least one record.
fn records(tables: &[[u32; 4]]) -> String {
    let tables = if tables.is_empty() { &[[0; 4]] } else { tables };
    let count = tables.len();
    let mut text = format!(
        "const TABLE_RECORDS: u32 = {count}u;\nconst TABLES = array<vec4<u32>, {count}>(\n"
    );
    for [x, y, z, w] in tables {
        writeln!(text, "    vec4({x}u, {y}u, {z}u, {w}u),")
            .expect("writing to a string does not fail");
    }
    text + ");\n\n"
}

/// Declares the description of a set as a constant.
pub(crate) fn set_info(info: &SetInfo) -> Result<String, ConstantsError> {
    let SetInfo {
        grid: grid_of_texels,
        normals,
        morphs,
        codec: codec_of_texels,
        joint_curves: curves,
        vertex_curve_range,
        clip_table,
        inverse_bind_table,
        dual_inverse_bind_table,
        morph_table,
        palette_len,
        palette_stride,
        vertices,
        position_curves,
        bone_offset_table,
        inverse_binds_are_matrices,
        padding: _,
    } = info;
    let parts = [
        grid(grid_of_texels),
        grid(normals),
        grid(morphs),
        codec(codec_of_texels)?,
        joint_curves(curves),
        vector("range of vertex offsets", *vertex_curve_range)?,
        format!("{clip_table}u, {inverse_bind_table}u, {dual_inverse_bind_table}u, {morph_table}u"),
        format!("{palette_len}u, {palette_stride}u, {vertices}u, {position_curves}u"),
        format!("{bone_offset_table}u, {inverse_binds_are_matrices}u"),
    ];
    let mut text =
        "// The description of a set, compiled in.\n\nconst set_info: SetInfo = SetInfo(\n"
            .to_owned();
    for part in parts {
        text += &format!("    {part},\n");
    }
    Ok(text + ");\n")
}

fn grid(grid: &Grid) -> String {
    let Grid {
        first_column,
        first_row,
        columns,
        rows_per_frame,
        by_columns,
        height,
        layers,
        padding,
    } = grid;
    format!(
        "Grid({first_column}u, {first_row}u, {columns}u, {rows_per_frame}u, {by_columns}u, {height}u, {layers}u, \
         {padding}u)"
    )
}

fn codec(codec: &Codec) -> Result<String, ConstantsError> {
    Ok(format!(
        "Codec({}, {}, {}, {}, {}, {}, {}, {}, {}, {}u, {}u, {}u)",
        vector("range", codec.offset)?,
        vector("range", codec.scale)?,
        vector("range of scales", codec.size_offset)?,
        vector("range of scales", codec.size_scale)?,
        number("range of units", codec.unit_offset)?,
        number("range of units", codec.unit_scale)?,
        number("range of levels", codec.level_scale)?,
        number("range of normals", codec.normal_offset)?,
        number("range of normals", codec.normal_scale)?,
        codec.axis_items,
        codec.range_table,
        codec.bone_table,
    ))
}

fn joint_curves(curves: &JointCurves) -> String {
    let JointCurves {
        clip_table,
        joint_table,
        record_words,
        curves,
        joints,
        padding: _,
    } = curves;
    format!("JointCurves({clip_table}u, {joint_table}u, {record_words}u, {curves}u, {joints}u)")
}

fn vector(what: &'static str, xyzw: [f32; 4]) -> Result<String, ConstantsError> {
    let [x, y, z, w] = xyzw;
    let number = |x| number(what, x);
    Ok(format!(
        "vec4({}, {}, {}, {})",
        number(x)?,
        number(y)?,
        number(z)?,
        number(w)?
    ))
}

/// The shortest literal that reads back as the same float.
fn number(what: &'static str, x: f32) -> Result<String, ConstantsError> {
    if !x.is_finite() {
        return Err(ConstantsError::NotFinite(what, x.to_string()));
    }
    Ok(format!("{x:?}f"))
}
