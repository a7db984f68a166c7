// Vertices skinned at both frames, then interpolated along an arc around the positions of their bones. Needs a bone
// texture, a method, influences, accumulate_centre, morphs and arc.

// The pose of one frame.
fn pose_at(frame_number: u32) -> Pose {
    let still = FramePair(frame_number, frame_number, 0.0);
    return Frames(still, still, 0.0);
}

fn skin_along_arc(pair: FramePair, vertex: BindVertex) -> Deformed {
    let a_sum = accumulate_influences(pose_at(pair.first), vertex);
    let b_sum = accumulate_influences(pose_at(pair.second), vertex);
    let a = skin_vertex(a_sum, vertex);
    let b = skin_vertex(b_sum, vertex);
    let normal = unit_or(slerp_positions(a.normal, b.normal, pair.fraction), a.normal);
    return Deformed(
        mix(a_sum.centre, b_sum.centre, pair.fraction)
            + slerp_positions(a.position - a_sum.centre, b.position - b_sum.centre, pair.fraction),
        normal,
        tangent_mix(a.tangent, b.tangent, pair.fraction, normal),
    );
}

fn deform(v: VertexIn, instance: Instance) -> Deformed {
    let vertex = morphed(bind_vertex(v), instance, v.indices.zw);
    let pose = pose_of(instance);
    var deformed = skin_along_arc(pose.first, vertex);
    if HAS_FADES && pose.fade != 0.0 {
        deformed = deformed_mix(deformed, skin_along_arc(pose.second, vertex), pose.fade);
    }
    return deformed;
}
