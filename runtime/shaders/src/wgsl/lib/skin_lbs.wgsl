// Linear blend skinning: the weighted sum of the joints' matrices. Needs affine, vertex and a source of joints.

fn add_matrix(sum: ptr<function, Affine>, pose: Pose, joint: u32, weight: f32) {
    let matrix = joint_affine(pose, joint);
    (*sum).linear += matrix.linear * weight;
    (*sum).translation += matrix.translation * weight;
}

fn blend_matrices(pose: Pose, bound: Bound) -> Affine {
    var sum = Affine(mat3x3<f32>(), vec3(0.0));
    add_matrix(&sum, pose, bound.joints.x, bound.weights.x);
    if MAX_INFLUENCES > 1u {
        add_matrix(&sum, pose, bound.joints.y, bound.weights.y);
    }
    // Few vertices have many: a loop ends where none of those that are moved together has more.
    var joints = bound.joints.zw;
    var weights = bound.weights.zw;
    while MAX_INFLUENCES > 2u && weights.x != 0.0 {
        add_matrix(&sum, pose, joints.x, weights.x);
        joints = vec2(joints.y, 0u);
        weights = vec2(weights.y, 0.0);
    }
    if MAX_INFLUENCES > 4u {
        for (var k = 0u; k < bound.more.y; k++) {
            let influence = influence_read(bound.more.x + k);
            add_matrix(&sum, pose, influence.joint, influence.weight);
        }
    }
    return sum;
}
