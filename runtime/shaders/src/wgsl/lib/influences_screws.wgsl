// The loop over the influences of a vertex, and the iteration of `sclerp` from its sum. Needs vertex, max_influences,
// more_influences, screws and an accumulator of sum_dual_quats.

// The weighted screws from a blend to the joints of a vertex; `a` to `d` are the first four.
fn screws_of_influences(
    pose: Pose,
    vertex: BindVertex,
    blend: DualQuat,
    a: DualQuat,
    b: DualQuat,
    c: DualQuat,
    d: DualQuat,
) -> DualQuat {
    var sum = DualQuat(vec4(0.0), vec4(0.0));
    sum = screws_add(sum, blend, a, vertex.weights.x);
    sum = screws_add(sum, blend, b, vertex.weights.y);
    if MAX_INFLUENCES > 2u && vertex.weights.z != 0.0 {
        sum = screws_add(sum, blend, c, vertex.weights.z);
        if MAX_INFLUENCES > 3u {
            sum = screws_add(sum, blend, d, vertex.weights.w);
        }
    }
    if MAX_INFLUENCES > 4u {
        for (var k = 0u; k < vertex.more.y; k++) {
            let influence = influence_read(vertex.more.x + k);
            sum = screws_add(sum, blend, joint_dual_quat(pose, influence.joint), influence.weight);
        }
    }
    return sum;
}

// The sum over the influences of a vertex, heaviest first, with the blend of screws as its motion.
fn accumulate_influences(pose: Pose, vertex: BindVertex) -> Accumulator {
    var sum = accumulate_first(pose, vertex.joints.x, vertex.weights.x);
    if MAX_INFLUENCES > 1u {
        sum = accumulate(sum, pose, vertex.joints.y, vertex.weights.y);
    }
    if MAX_INFLUENCES > 2u && vertex.weights.z != 0.0 {
        sum = accumulate(sum, pose, vertex.joints.z, vertex.weights.z);
        if MAX_INFLUENCES > 3u {
            sum = accumulate(sum, pose, vertex.joints.w, vertex.weights.w);
        }
    }
    if MAX_INFLUENCES > 4u {
        for (var k = 0u; k < vertex.more.y; k++) {
            let influence = influence_read(vertex.more.x + k);
            sum = accumulate(sum, pose, influence.joint, influence.weight);
        }
    }
    if MAX_INFLUENCES > 1u && vertex.weights.y != 0.0 {
        let a = sum.method.pivot;
        let b = joint_dual_quat(pose, vertex.joints.y);
        var c = b;
        var d = b;
        if MAX_INFLUENCES > 2u && vertex.weights.z != 0.0 {
            c = joint_dual_quat(pose, vertex.joints.z);
            d = joint_dual_quat(pose, vertex.joints.w);
        }
        var blend = dual_quat_unit(sum.method.motion, a);
        for (var step = 0u; step < SCREW_STEPS; step++) {
            let twist = screws_twist(blend, screws_of_influences(pose, vertex, blend, a, b, c, d));
            blend = dual_quat_unit(dual_quat_mul(blend, screw_motion(twist)), blend);
            let square = dot(twist.real, twist.real) + dot(twist.dual, twist.dual);
            if square < SCREW_CONVERGED * (1.0 + dot(blend.dual, blend.dual)) {
                break;
            }
        }
        sum.method.motion = blend;
    }
    return sum;
}
