// Accumulator of the skinning method, and of the stretch that is applied before the rigid motion: scale, shear and
// reflection, blended linearly. Needs affine, vertex, a method's sum and a stretch palette.

struct Accumulator {
    method: MethodSum,
    stretch: Affine,
}

fn accumulate_first(pose: Pose, joint: u32, weight: f32) -> Accumulator {
    return Accumulator(
        method_first(pose, joint, weight),
        affine_scaled(joint_stretch(pose, joint), weight),
    );
}

fn accumulate(sum: Accumulator, pose: Pose, joint: u32, weight: f32) -> Accumulator {
    return Accumulator(
        method_add(sum.method, pose, joint, weight),
        affine_add_scaled(sum.stretch, joint_stretch(pose, joint), weight),
    );
}

fn stretched(sum: Accumulator, vertex: BindVertex) -> BindVertex {
    var out = vertex;
    out.position = affine_point(sum.stretch, vertex.position);
    out.normal = affine_normal(sum.stretch, vertex.normal);
    if HAS_TANGENTS {
        out.tangent = sum.stretch.linear * vertex.tangent;
    }
    return out;
}

fn after_stretch(sum: Accumulator, rigid: Affine) -> Affine {
    return affine_mul(rigid, sum.stretch);
}
