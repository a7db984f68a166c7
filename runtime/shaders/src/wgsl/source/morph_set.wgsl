// Morph weights from a texture of a set. Needs set and texel.

@group(1) @binding(5) var morphs: MorphTexels;

alias MorphWeights = Frames;

fn morph_weights_of(instance: Instance) -> MorphWeights {
    return instance_frames(instance);
}

fn morph_raw(frame_number: u32, weight: u32) -> f32 {
    let at = grid_texel(set_info.morphs, frame_number, weight / 4u);
    return morphs_load(morphs, at)[weight % 4u];
}

fn morph_between(pair: FramePair, weight: u32) -> f32 {
    return mix(morph_raw(pair.first, weight), morph_raw(pair.second, weight), pair.fraction);
}

fn morph_weight(frames: MorphWeights, weight: u32) -> f32 {
    var raw = morph_between(frames.first, weight);
    if HAS_FADES && frames.fade != 0.0 {
        raw = mix(raw, morph_between(frames.second, weight), frames.fade);
    }
    let range = table_floats(tables, set_info.morph_table + weight);
    return range.x + range.y * raw;
}
