// Palette indices of passes that fill a palette. Needs set and tables.

// The joint of a palette index, as in `BindVertex.joints`.
fn palette_joint(palette_index: u32) -> u32 {
    let record = table_get(tables, set_info.bone_offset_table + palette_index / 4u);
    return palette_index | (record[palette_index % 4u] << 16u);
}
