// Vertex and instance attributes. Needs vertex, instance and a way to deform.

struct VertexIn {
    // Position in xyz; w multiplies the deform factor of the frame.
    @location(0) position: vec4<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    @location(3) color: vec4<f32>,
    // Four influences, heaviest first: see `BindVertex`.
    @location(4) joints: vec4<u32>,
    @location(5) weights: vec4<f32>,
    // In xy, the index of the first influence past the fourth, and their number. In zw, the items of position and normal
    // in vertex sets, and the morph targets in others: see `morphed`.
    @location(6) indices: vec4<u32>,
    // The instance: 24 words, see `instance_unpack`.
    @location(7) row_x: vec4<u32>,
    @location(8) row_y: vec4<u32>,
    @location(9) row_z: vec4<u32>,
    @location(10) play_a: vec4<u32>,
    @location(11) play_b: vec4<u32>,
    @location(12) extra: vec4<u32>,
    @location(13) tangent: vec4<f32>,
    @location(14) previous_position: vec4<f32>,
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) instance: u32,
}

fn vertex_instance(v: VertexIn) -> Instance {
    return instance_unpack(v.row_x, v.row_y, v.row_z, v.play_a, v.play_b, v.extra, v.instance, frame.now);
}

// The deformed vertex in world space.
fn vertex_deformed(v: VertexIn, instance: Instance) -> Deformed {
    let bind = Deformed(v.position.xyz, v.normal, vertex_tangent(v));
    return instance_transform(instance, bind, deform(v, instance));
}
