// The loop over the influences of a vertex. Needs vertex, max_influences, more_influences and an accumulator, which
// defines `Accumulator`, `accumulate_first` and `accumulate`.

// The sum over the influences of a vertex, heaviest first.
fn accumulate_influences(pose: Pose, vertex: BindVertex) -> Accumulator {
    var sum = accumulate_first(pose, vertex.joints.x, vertex.weights.x);
    if MAX_INFLUENCES > 1u {
        sum = accumulate(sum, pose, vertex.joints.y, vertex.weights.y);
    }
    // Few vertices have more than two. The loop ends when no vertex of those that run in lockstep has another.
    var joints = vertex.joints.zw;
    var weights = vertex.weights.zw;
    while MAX_INFLUENCES > 2u && weights.x != 0.0 {
        sum = accumulate(sum, pose, joints.x, weights.x);
        joints = vec2(joints.y, 0u);
        weights = vec2(weights.y, 0.0);
    }
    if MAX_INFLUENCES > 4u {
        for (var k = 0u; k < vertex.more.y; k++) {
            let influence = influence_read(vertex.more.x + k);
            sum = accumulate(sum, pose, influence.joint, influence.weight);
        }
    }
    return sum;
}
