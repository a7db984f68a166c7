// One of the crowd. Needs time and affine.

struct Instance {
    world_from_model: Affine,
    tint: vec4<f32>,
    first: Play,
    second: Play,
    fade_start: u32,
    fade_duration: u32,
    // Between the mesh as it was bound, 0, and its pose, 1.
    fraction: f32,
    user: u32,
    // Which of the poses that are skinned once it copies.
    group: u32,
    index: u32,
}

// From its 24 words.
fn instance_unpack(
    x: vec4<u32>,
    y: vec4<u32>,
    z: vec4<u32>,
    a: vec4<u32>,
    b: vec4<u32>,
    c: vec4<u32>,
    index: u32,
) -> Instance {
    let rows = mat3x4(bitcast<vec4<f32>>(x), bitcast<vec4<f32>>(y), bitcast<vec4<f32>>(z));
    return Instance(
        affine_from_rows(rows),
        unpack4x8unorm(a.x),
        Play(a.y, a.z, a.w),
        Play(b.x, b.y, b.z),
        b.w,
        c.x,
        bitcast<f32>(c.y),
        c.z,
        c.w,
        index,
    );
}

// A frame of a model in the world.
fn instance_place(instance: Instance, bound: Moved, moved: Moved) -> Moved {
    // Not even rounding comes between a pose and its whole; the world's transform brings normals to unit length.
    let is_whole = instance.fraction == 1.0;
    let pose = Moved(
        select(mix(bound.position, moved.position, instance.fraction), moved.position, is_whole),
        select(mix(bound.normal, moved.normal, instance.fraction), moved.normal, is_whole),
    );
    return Moved(
        affine_point(instance.world_from_model, pose.position),
        affine_normal(instance.world_from_model, pose.normal),
    );
}
