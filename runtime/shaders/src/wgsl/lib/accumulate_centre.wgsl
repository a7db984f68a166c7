// Accumulator of the skinning method, and of the centre that vertices move around on arcs. Needs a method's sum and a
// bone texture.

struct Accumulator {
    method: MethodSum,
    // Weighted mean of the positions of the vertex's bones.
    centre: vec3<f32>,
}

fn bone_origin(pose: Pose, joint: u32) -> vec3<f32> {
    return bone_to_affine(pose_bone(pose, joint >> 16u)).translation;
}

fn accumulate_first(pose: Pose, joint: u32, weight: f32) -> Accumulator {
    return Accumulator(method_first(pose, joint, weight), weight * bone_origin(pose, joint));
}

fn accumulate(sum: Accumulator, pose: Pose, joint: u32, weight: f32) -> Accumulator {
    return Accumulator(
        method_add(sum.method, pose, joint, weight),
        sum.centre + weight * bone_origin(pose, joint),
    );
}
