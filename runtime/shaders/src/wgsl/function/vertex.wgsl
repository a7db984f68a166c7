// Functions that deform vertices inside an engine's own vertex shader. Needs vertex_arguments, instance_at and a way to
// deform.

// A vertex in model space. The normal has unit length.
struct ThrongVertex {
    position: vec3<f32>,
    normal: vec3<f32>,
}

fn vertex_posed(v: VertexIn, instance: Instance) -> ThrongVertex {
    let bind = Deformed(v.position.xyz, v.normal, vec3(0.0));
    let vertex = instance_blend(instance, bind, deform(v, instance));
    return ThrongVertex(vertex.position, unit_or(vertex.normal, v.normal));
}

fn throng_vertex(
    position: vec4<f32>,
    normal: vec3<f32>,
    joints: vec4<u32>,
    weights: vec4<f32>,
    indices: vec4<u32>,
    instance: u32,
    now: u32,
) -> ThrongVertex {
    return vertex_posed(vertex_in(position, normal, joints, weights, indices), instance_at(instance, now));
}

fn throng_position(
    position: vec4<f32>,
    normal: vec3<f32>,
    joints: vec4<u32>,
    weights: vec4<f32>,
    indices: vec4<u32>,
    instance: u32,
    now: u32,
) -> vec3<f32> {
    return throng_vertex(position, normal, joints, weights, indices, instance, now).position;
}

fn throng_normal(
    position: vec4<f32>,
    normal: vec3<f32>,
    joints: vec4<u32>,
    weights: vec4<f32>,
    indices: vec4<u32>,
    instance: u32,
    now: u32,
) -> vec3<f32> {
    return throng_vertex(position, normal, joints, weights, indices, instance, now).normal;
}

fn throng_world_from_model(instance: u32) -> mat4x4<f32> {
    let matrix = instance_read(instance).world_from_model;
    return mat4x4(
        vec4(matrix.linear[0], 0.0),
        vec4(matrix.linear[1], 0.0),
        vec4(matrix.linear[2], 0.0),
        vec4(matrix.translation, 1.0),
    );
}

fn throng_to_world(vertex: ThrongVertex, instance: u32) -> ThrongVertex {
    let matrix = instance_read(instance).world_from_model;
    return ThrongVertex(affine_point(matrix, vertex.position), affine_normal(matrix, vertex.normal));
}

fn throng_tint(instance: u32) -> vec4<f32> {
    return instance_read(instance).tint;
}

fn throng_user(instance: u32) -> u32 {
    return instance_read(instance).user;
}
