// What comes before the rigid part: scale, shear and reflection, blended linearly. Needs affine, vertex and a
// palette of dual quaternions.

fn add_stretch(sum: ptr<function, Affine>, pose: Pose, joint: u32, weight: f32) {
    let stretch = joint_stretch(pose, joint);
    (*sum).linear += stretch.linear * weight;
    (*sum).translation += stretch.translation * weight;
}

fn blend_stretches(pose: Pose, bound: Bound) -> Affine {
    var sum = Affine(mat3x3<f32>(), vec3(0.0));
    add_stretch(&sum, pose, bound.joints.x, bound.weights.x);
    if MAX_INFLUENCES >= 2u && bound.weights.y != 0.0 {
        add_stretch(&sum, pose, bound.joints.y, bound.weights.y);
    }
    if MAX_INFLUENCES >= 3u && bound.weights.z != 0.0 {
        add_stretch(&sum, pose, bound.joints.z, bound.weights.z);
    }
    if MAX_INFLUENCES >= 4u && bound.weights.w != 0.0 {
        add_stretch(&sum, pose, bound.joints.w, bound.weights.w);
    }
    if MAX_INFLUENCES > 4u {
        for (var k = 0u; k < bound.more.y; k++) {
            let influence = influence_read(bound.more.x + k);
            add_stretch(&sum, pose, influence.joint, influence.weight);
        }
    }
    return sum;
}

fn stretched(pose: Pose, bound: Bound) -> Bound {
    let stretch = blend_stretches(pose, bound);
    var out = bound;
    out.position = affine_point(stretch, bound.position);
    out.normal = affine_normal(stretch, bound.normal);
    return out;
}

fn after_stretch(pose: Pose, bound: Bound, rigid: Affine) -> Affine {
    return affine_mul(rigid, blend_stretches(pose, bound));
}
