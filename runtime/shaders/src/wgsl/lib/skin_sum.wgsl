// Each joint's rigid motion by itself, summed as matrices. Needs affine, dual_quat, vertex and a source of joints.

fn add_rigid(sum: ptr<function, Affine>, pose: Pose, joint: u32, weight: f32) {
    let rigid = dual_quat_to_affine(joint_dual_quat(pose, joint));
    (*sum).linear += rigid.linear * weight;
    (*sum).translation += rigid.translation * weight;
}

fn sum_rigid(pose: Pose, bound: Bound) -> Affine {
    var sum = Affine(mat3x3<f32>(), vec3(0.0));
    add_rigid(&sum, pose, bound.joints.x, bound.weights.x);
    if MAX_INFLUENCES > 1u {
        add_rigid(&sum, pose, bound.joints.y, bound.weights.y);
    }
    // Few vertices have many: a loop ends where none of those that are moved together has more.
    var joints = bound.joints.zw;
    var weights = bound.weights.zw;
    while MAX_INFLUENCES > 2u && weights.x != 0.0 {
        add_rigid(&sum, pose, joints.x, weights.x);
        joints = vec2(joints.y, 0u);
        weights = vec2(weights.y, 0.0);
    }
    if MAX_INFLUENCES > 4u {
        for (var k = 0u; k < bound.more.y; k++) {
            let influence = influence_read(bound.more.x + k);
            add_rigid(&sum, pose, influence.joint, influence.weight);
        }
    }
    return sum;
}
