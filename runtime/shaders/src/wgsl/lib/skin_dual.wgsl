// Dual-quaternion skinning: the weighted sum of the joints' rigid motions, made unit again. Needs affine,
// dual_quat, vertex and a source of joints.

// `pivot` is the heaviest influence, whose hemisphere the others are turned into.
fn add_dual(sum: ptr<function, DualQuat>, pivot: vec4<f32>, pose: Pose, joint: u32, weight: f32) {
    let rigid = joint_dual_quat(pose, joint);
    let signed_weight = select(weight, -weight, SIGNS == SIGNS_PIVOT && dot(pivot, rigid.real) < 0.0);
    (*sum).real += rigid.real * signed_weight;
    (*sum).dual += rigid.dual * signed_weight;
}

// Opposite signs can cancel each other out; the heaviest influence stands in then.
fn blend_dual_quats(pose: Pose, bound: Bound) -> DualQuat {
    let pivot = joint_dual_quat(pose, bound.joints.x);
    var sum = DualQuat(pivot.real * bound.weights.x, pivot.dual * bound.weights.x);
    if MAX_INFLUENCES > 1u {
        add_dual(&sum, pivot.real, pose, bound.joints.y, bound.weights.y);
    }
    // Few vertices have many: a loop ends where none of those that are moved together has more.
    var joints = bound.joints.zw;
    var weights = bound.weights.zw;
    while MAX_INFLUENCES > 2u && weights.x != 0.0 {
        add_dual(&sum, pivot.real, pose, joints.x, weights.x);
        joints = vec2(joints.y, 0u);
        weights = vec2(weights.y, 0.0);
    }
    if MAX_INFLUENCES > 4u {
        for (var k = 0u; k < bound.more.y; k++) {
            let influence = influence_read(bound.more.x + k);
            add_dual(&sum, pivot.real, pose, influence.joint, influence.weight);
        }
    }
    return dual_quat_normalized(sum, pivot);
}
