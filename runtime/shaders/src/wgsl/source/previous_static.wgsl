// Vertices of the frame before, from their own vertex buffer. Needs vertex_in and instances.

// Position in world space.
fn vertex_previous(v: VertexIn) -> vec3<f32> {
    var before = v;
    before.position = v.previous_position;
    return vertex_deformed(before, instance_read(frame.previous_first + v.instance)).position;
}
