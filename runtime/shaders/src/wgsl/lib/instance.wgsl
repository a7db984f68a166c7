// An instance of the crowd. Needs time and affine.

struct Instance {
    world_from_model: Affine,
    tint: vec4<f32>,
    first: Play,
    second: Play,
    fade_start: u32,
    fade_duration: u32,
    // Blend factor between the bind pose (0) and the animated pose (1).
    fraction: f32,
    user: u32,
    // Index of the skinned pose that the instance copies, if poses are skinned once.
    group: u32,
    // Index in tables of instances and palettes.
    index: u32,
    // Time at which the instance is posed, in ticks.
    now: u32,
}

// Reads an instance from its 24 words.
fn instance_unpack(
    x: vec4<u32>,
    y: vec4<u32>,
    z: vec4<u32>,
    a: vec4<u32>,
    b: vec4<u32>,
    c: vec4<u32>,
    index: u32,
    now: u32,
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
        now,
    );
}

// Blends between the bind pose and the animated pose of a vertex, in model space. Normals and tangents may lose unit length.
fn instance_blend(instance: Instance, bind: Deformed, animated: Deformed) -> Deformed {
    // At a fraction of 1 the animated vertex is taken unchanged, without rounding.
    let is_animated = instance.fraction == 1.0;
    return Deformed(
        select(mix(bind.position, animated.position, instance.fraction), animated.position, is_animated),
        select(mix(bind.normal, animated.normal, instance.fraction), animated.normal, is_animated),
        select(mix(bind.tangent, animated.tangent, instance.fraction), animated.tangent, is_animated),
    );
}

// Blends between the bind pose and the animated pose of a vertex, and transforms the result to world space.
fn instance_transform(instance: Instance, bind: Deformed, animated: Deformed) -> Deformed {
    let vertex = instance_blend(instance, bind, animated);
    // `affine_normal` normalises.
    let normal = affine_normal(instance.world_from_model, vertex.normal);
    return Deformed(
        affine_point(instance.world_from_model, vertex.position),
        normal,
        affine_tangent(instance.world_from_model, vertex.tangent, normal),
    );
}
