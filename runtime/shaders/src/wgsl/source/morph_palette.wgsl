// Morph weights that follow the joints of a palette, four per texel. Needs set and a palette.

alias MorphWeights = u32;

fn morph_weights_of(instance: Instance) -> MorphWeights {
    return instance.index * set_info.palette_stride + set_info.morph_table;
}

fn morph_weight(first: MorphWeights, weight: u32) -> f32 {
    return bits_floats(palette, first + weight / 4u)[weight % 4u];
}
