// `dqs-direct`: dual quaternions applied without a matrix. Needs skin_dual and a stretch.

fn skin_vertex(pose: Pose, bound: Bound) -> Moved {
    let ready = stretched(pose, bound);
    let motion = blend_dual_quats(pose, bound);
    return Moved(
        dual_quat_transform_point(motion, ready.position),
        dual_quat_transform_vector(motion, ready.normal),
    );
}
