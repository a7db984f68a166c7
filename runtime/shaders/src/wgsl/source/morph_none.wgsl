// Meshes without morphs.

fn morphed(bound: Bound, instance: Instance, place: vec2<u32>) -> Bound {
    return bound;
}
