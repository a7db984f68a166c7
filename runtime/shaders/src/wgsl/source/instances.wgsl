// Everyone, for passes that come before drawing: six texels each. Needs bits, tables and instance.

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

// The word that vertices name an entry of a palette by. Needs set.
fn entry_joint(entry: u32) -> u32 {
    return entry | (table_get(tables, set_info.bone_offset_table + entry / 4u)[entry % 4u] << 16u);
}
