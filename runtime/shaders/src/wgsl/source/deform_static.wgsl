// Vertices as they are in the vertex buffer: not animated, or skinned on the CPU.

fn deform(v: VertexIn, instance: Instance) -> Deformed {
    return Deformed(v.position.xyz, v.normal, vertex_tangent(v));
}
