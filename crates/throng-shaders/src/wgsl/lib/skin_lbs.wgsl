// Linear blend skinning: the weighted sum of the joints' matrices. Needs affine, vertex and a source of joints.

fn add_matrix(sum: ptr<function, Affine>, pose: Pose, joint: u32, weight: f32) {
    let matrix = joint_affine(pose, joint);
    (*sum).linear += matrix.linear * weight;
    (*sum).translation += matrix.translation * weight;
}

fn blend_matrices(pose: Pose, bound: Bound) -> Affine {
    var sum = Affine(mat3x3<f32>(), vec3(0.0));
    for (var k = 0u; k < 4u; k++) {
        if bound.weights[k] == 0.0 {
            break;
        }
        add_matrix(&sum, pose, bound.joints[k], bound.weights[k]);
    }
    for (var k = 0u; k < bound.more.y; k++) {
        let influence = influence_read(bound.more.x + k);
        add_matrix(&sum, pose, influence.joint, influence.weight);
    }
    return sum;
}
