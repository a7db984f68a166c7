// Morph weights that no clip animates. Needs set.

alias MorphWeights = u32;

fn morph_weights_of(instance: Instance) -> MorphWeights {
    return set_info.morph_table;
}

fn morph_weight(first: MorphWeights, weight: u32) -> f32 {
    return table_floats(tables, first + weight).x;
}
