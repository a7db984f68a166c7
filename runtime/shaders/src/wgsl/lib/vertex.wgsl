// A vertex before and after deformation. Needs affine and tangents.

// A vertex in the bind pose. Each of `joints` holds a palette index in the lower 16 bits and the offset of its bone in
// a bone texture in the upper 16. `more` is the index of the first influence past the fourth, and their number.
struct BindVertex {
    position: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec3<f32>,
    // Blend between LBS (0) and DQS (1).
    deform_factor: f32,
    joints: vec4<u32>,
    weights: vec4<f32>,
    more: vec2<u32>,
}

// Normal and tangent have unit length. The tangent is zero where the mesh has none or it is compiled out.
struct Deformed {
    position: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec3<f32>,
}

// A tangent of any length, made perpendicular to a unit normal and of unit length. Zero stays zero.
fn flat_tangent(tangent: vec3<f32>, normal: vec3<f32>) -> vec3<f32> {
    let flat = tangent - normal * dot(normal, tangent);
    // The rest of a tangent along the normal is rounding, not a direction.
    let is_rounding = dot(flat, flat) <= 1e-12 * dot(tangent, tangent);
    let other = select(vec3(0.0), any_orthonormal(normal), dot(tangent, tangent) > 0.0);
    return unit_or(select(flat, vec3(0.0), is_rounding), other);
}

fn affine_tangent(a: Affine, tangent: vec3<f32>, normal: vec3<f32>) -> vec3<f32> {
    if !HAS_TANGENTS {
        return vec3(0.0);
    }
    return flat_tangent(a.linear * tangent, normal);
}

fn tangent_mix(a: vec3<f32>, b: vec3<f32>, f: f32, normal: vec3<f32>) -> vec3<f32> {
    if !HAS_TANGENTS {
        return vec3(0.0);
    }
    return flat_tangent(mix(a, b, f), normal);
}

fn vertex_transform(matrix: Affine, vertex: BindVertex) -> Deformed {
    let normal = affine_normal(matrix, vertex.normal);
    return Deformed(affine_point(matrix, vertex.position), normal, affine_tangent(matrix, vertex.tangent, normal));
}

// Cross-fade between two clips. Normals and tangents are normalised.
fn deformed_mix(a: Deformed, b: Deformed, f: f32) -> Deformed {
    let normal = unit_or(mix(a.normal, b.normal, f), a.normal);
    return Deformed(mix(a.position, b.position, f), normal, tangent_mix(a.tangent, b.tangent, f, normal));
}
