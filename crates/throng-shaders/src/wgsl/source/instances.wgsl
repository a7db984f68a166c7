// Everyone, for passes that come before drawing: six texels each. Needs tables and instance.

@group(1) @binding(7) var instances: texture_2d<u32>;

fn instance_read(index: u32) -> Instance {
    let at = 6u * index;
    return instance_unpack(
        table_get(instances, at),
        table_get(instances, at + 1u),
        table_get(instances, at + 2u),
        table_get(instances, at + 3u),
        table_get(instances, at + 4u),
        table_get(instances, at + 5u),
        index,
    );
}

// The word that vertices name an entry of a palette by. Needs set.
fn entry_joint(entry: u32) -> u32 {
    return entry | (table_get(tables, set_info.entry_table + entry / 4u)[entry % 4u] << 16u);
}
