// Vertices before deformation, with bones from `COLOR_0`. Needs vertex_in and weights.

// The bones of a colour of bytes, as palette indices and as offsets in the texture: see `BindVertex`.
fn bones_from_color(color: vec4<f32>) -> vec4<u32> {
    return 0x10001u * vec4<u32>(255.0 * color + 0.5);
}

fn bind_vertex(v: VertexIn) -> BindVertex {
    let deform_factor = frame.deform_factor * v.position.w;
    let bones = bones_from_color(v.bone_color);
    return BindVertex(v.position.xyz, v.normal, vertex_tangent(v), deform_factor, bones, bone_weights(v), vec2(0u));
}
