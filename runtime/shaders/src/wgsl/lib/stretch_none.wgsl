// Joints without scale and shear. Needs affine, vertex and an accumulator.

fn stretched(sum: Accumulator, vertex: BindVertex) -> BindVertex {
    return vertex;
}

fn after_stretch(sum: Accumulator, rigid: Affine) -> Affine {
    return rigid;
}
