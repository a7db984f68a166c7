// Joints that neither scale nor shear. Needs affine, vertex and a source of joints.

fn stretched(pose: Pose, bound: Bound) -> Bound {
    return bound;
}

fn after_stretch(pose: Pose, bound: Bound, rigid: Affine) -> Affine {
    return rigid;
}
