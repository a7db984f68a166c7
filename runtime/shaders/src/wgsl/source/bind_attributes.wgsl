// Vertices before deformation, with influences from attributes. Needs vertex_in.

fn bind_vertex(v: VertexIn) -> BindVertex {
    let deform_factor = frame.deform_factor * v.position.w;
    return BindVertex(v.position.xyz, v.normal, vertex_tangent(v), deform_factor, v.joints, v.weights, v.indices.xy);
}
