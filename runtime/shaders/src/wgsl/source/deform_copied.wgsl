// Vertices that were skinned once, for all instances of a group: texels of bits, counted through rows of 2 048.
// Needs set.

@group(1) @binding(2) var positions: texture_2d<u32>;
@group(1) @binding(3) var normals: texture_2d<u32>;

fn deform(v: VertexIn, instance: Instance) -> Moved {
    let at = instance.group * set_info.vertices + v.index;
    return Moved(bits_floats(positions, at).xyz, bits_floats(normals, at).xyz);
}
