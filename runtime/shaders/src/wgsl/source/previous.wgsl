// Vertices of the frame before. Needs vertex_in and instances.

// Position in world space.
fn vertex_previous(v: VertexIn) -> vec3<f32> {
    return vertex_deformed(v, instance_read(frame.previous_first + v.instance)).position;
}
