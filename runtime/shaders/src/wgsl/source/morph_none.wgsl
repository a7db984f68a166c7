// Meshes without morph targets.

fn morphed(vertex: BindVertex, instance: Instance, morph: vec2<u32>) -> BindVertex {
    return vertex;
}
