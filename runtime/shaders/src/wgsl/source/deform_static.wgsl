// Vertices as they come: the control, and what the CPU has skinned.

fn deform(v: VertexIn, instance: Instance) -> Moved {
    return Moved(v.position.xyz, v.normal);
}
