// Copies of vertices that were skinned once per group of instances. Needs set and bits.

@group(1) @binding(2) var positions: texture_2d<u32>;
@group(1) @binding(3) var normals: texture_2d<u32>;

fn deform(v: VertexIn, instance: Instance) -> Deformed {
    let at = instance.group * set_info.vertices + v.index;
    return Deformed(bits_floats(positions, at).xyz, bits_floats(normals, at).xyz);
}
