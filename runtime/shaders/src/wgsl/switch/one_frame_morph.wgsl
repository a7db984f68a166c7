// The morph weight at the earlier of two frames. Replaces the function of morph_set.
fn morph_between(pair: FramePair, weight: u32) -> f32 {
    return morph_raw(pair.first, weight);
}
