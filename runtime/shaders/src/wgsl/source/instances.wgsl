// The instances, six texels each, for passes that come before drawing. Needs bits, tables and instance.

@group(1) @binding(7) var instances: texture_2d<u32>;

fn instance_read(index: u32) -> Instance {
    let at = 6u * index;
    return instance_unpack(
        bits_get(instances, at),
        bits_get(instances, at + 1u),
        bits_get(instances, at + 2u),
        bits_get(instances, at + 3u),
        bits_get(instances, at + 4u),
        bits_get(instances, at + 5u),
        index,
    );
}

// The joint of a palette index, as in `BindVertex.joints`. Needs set.
fn palette_joint(palette_index: u32) -> u32 {
    let record = table_get(tables, set_info.bone_offset_table + palette_index / 4u);
    return palette_index | (record[palette_index % 4u] << 16u);
}
