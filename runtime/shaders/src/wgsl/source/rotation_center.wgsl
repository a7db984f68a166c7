// Centre of rotation of a vertex: the two texels before its influences past the fourth. Needs vertex and more_influences.

// In bind space. A vertex of a mesh without centres is its own.
fn rotation_center(vertex: BindVertex) -> vec3<f32> {
    let at = vertex.more.x;
    let xy = textureLoad(influences, vec2((at - 2u) & 2047u, (at - 2u) >> 11u), 0).xy;
    let z = textureLoad(influences, vec2((at - 1u) & 2047u, (at - 1u) >> 11u), 0).xy;
    let is_stored = z.y != 0u;
    return select(vertex.position, vec3(bitcast<vec2<f32>>(xy), bitcast<f32>(z.x)), is_stored);
}
