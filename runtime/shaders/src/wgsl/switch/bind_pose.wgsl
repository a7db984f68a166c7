// Skinning switched off: joints are read and blended, but the vertex stays in the bind pose. Replaces the function of the
// skinning method. Needs `blended_values`.

// Multiples of this vanish beside a position. Compilers may not assume so, and cannot remove the blended values.
const VANISHING: f32 = 1e-30;

fn affine_values(a: Affine) -> vec3<f32> {
    return a.linear[0] + a.linear[1] + a.linear[2] + a.translation;
}

fn dual_quat_values(a: DualQuat) -> vec3<f32> {
    return a.real.xyz + a.real.w + a.dual.xyz + a.dual.w;
}

fn skin_vertex(sum: Accumulator, vertex: BindVertex) -> Deformed {
    return Deformed(vertex.position + VANISHING * blended_values(sum), vertex.normal, vertex.tangent);
}
