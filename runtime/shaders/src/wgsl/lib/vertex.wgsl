// A vertex before and after deformation. Needs affine.

// A vertex in the bind pose. Each of `joints` holds a palette index in the lower 16 bits and the offset of its bone in
// a bone texture in the upper 16. `more` is the index of the first influence past the fourth, and their number.
struct BindVertex {
    position: vec3<f32>,
    normal: vec3<f32>,
    // Blend between LBS (0) and DQS (1).
    deform_factor: f32,
    joints: vec4<u32>,
    weights: vec4<f32>,
    more: vec2<u32>,
}

struct Deformed {
    position: vec3<f32>,
    normal: vec3<f32>,
}

fn vertex_transform(matrix: Affine, vertex: BindVertex) -> Deformed {
    return Deformed(affine_point(matrix, vertex.position), affine_normal(matrix, vertex.normal));
}

// Cross-fade between two clips. Normals are normalised.
fn deformed_mix(a: Deformed, b: Deformed, f: f32) -> Deformed {
    return Deformed(mix(a.position, b.position, f), unit_or(mix(a.normal, b.normal, f), a.normal));
}
