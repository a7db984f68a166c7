// Vertices skinned at both frames, then moved from one place to the other along an arc about where their bones
// are. Needs a texture of bones, a method, morphs and arc.

// A pose that is a frame itself.
fn pose_at(frame_number: u32) -> Pose {
    let still = FramePair(frame_number, frame_number, 0.0);
    return Frames(still, still, 0.0);
}

fn bone_origin(pose: Pose, joint: u32) -> vec3<f32> {
    return bone_to_affine(pose_bone(pose, joint >> 16u)).translation;
}

// Where the bones of a vertex are, weighted as the vertex is.
fn vertex_centre(pose: Pose, bound: Bound) -> vec3<f32> {
    var sum = bound.weights.x * bone_origin(pose, bound.joints.x);
    if MAX_INFLUENCES > 1u {
        sum += bound.weights.y * bone_origin(pose, bound.joints.y);
    }
    // Few vertices have many: a loop ends where none of those that are moved together has more.
    var joints = bound.joints.zw;
    var weights = bound.weights.zw;
    while MAX_INFLUENCES > 2u && weights.x != 0.0 {
        sum += weights.x * bone_origin(pose, joints.x);
        joints = vec2(joints.y, 0u);
        weights = vec2(weights.y, 0.0);
    }
    if MAX_INFLUENCES > 4u {
        for (var k = 0u; k < bound.more.y; k++) {
            let influence = influence_read(bound.more.x + k);
            sum += influence.weight * bone_origin(pose, influence.joint);
        }
    }
    return sum;
}

fn skin_along_arc(pair: FramePair, bound: Bound) -> Moved {
    let first = pose_at(pair.first);
    let second = pose_at(pair.second);
    let a = skin_vertex(first, bound);
    let b = skin_vertex(second, bound);
    let a_centre = vertex_centre(first, bound);
    let b_centre = vertex_centre(second, bound);
    return Moved(
        mix(a_centre, b_centre, pair.fraction)
            + slerp_positions(a.position - a_centre, b.position - b_centre, pair.fraction),
        unit_or(slerp_positions(a.normal, b.normal, pair.fraction), a.normal),
    );
}

fn deform(v: VertexIn, instance: Instance) -> Moved {
    let factor = frame.deform_factor * v.position.w;
    let bound = Bound(v.position.xyz, v.normal, factor, v.joints, v.weights, v.places.xy);
    let ready = morphed(bound, instance, v.places.zw);
    let pose = pose_of(instance);
    var moved = skin_along_arc(pose.first, ready);
    if HAS_FADES && pose.fade != 0.0 {
        let second = skin_along_arc(pose.second, ready);
        moved.position = mix(moved.position, second.position, pose.fade);
        moved.normal = unit_or(mix(moved.normal, second.normal, pose.fade), moved.normal);
    }
    return moved;
}
