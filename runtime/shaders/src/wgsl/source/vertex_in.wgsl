// What comes with a vertex and its instance, and where it goes. Needs vertex, instance and a way to deform.

struct VertexIn {
    // The fourth is how much of the frame's deform factor the vertex takes.
    @location(0) position: vec4<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    @location(3) color: vec4<f32>,
    @location(4) joints: vec4<u32>,
    @location(5) weights: vec4<f32>,
    // Further influences: first and count; then, in vertex sets, the items of position and normal, and in all
    // others where the morphs are.
    @location(6) places: vec4<u32>,
    @location(7) row_x: vec4<u32>,
    @location(8) row_y: vec4<u32>,
    @location(9) row_z: vec4<u32>,
    @location(10) play_a: vec4<u32>,
    @location(11) play_b: vec4<u32>,
    @location(12) extra: vec4<u32>,
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) instance: u32,
}

fn vertex_instance(v: VertexIn) -> Instance {
    return instance_unpack(v.row_x, v.row_y, v.row_z, v.play_a, v.play_b, v.extra, v.instance);
}

// In the world.
fn vertex_moved(v: VertexIn, instance: Instance) -> Moved {
    return instance_place(instance, Moved(v.position.xyz, v.normal), deform(v, instance));
}
