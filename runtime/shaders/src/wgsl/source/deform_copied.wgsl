// Copies of vertices that were skinned once per group of instances. Needs set, bits and octahedron.

@group(1) @binding(2) var positions: texture_2d<u32>;
@group(1) @binding(3) var normals: texture_2d<u32>;

fn deform(v: VertexIn, instance: Instance) -> Deformed {
    let is_previous = instance.index >= frame.previous_first;
    let pose = instance.group + select(0u, frame.previous_group, is_previous);
    let at = pose * set_info.vertices + v.index;
    let position = bits_get(positions, at);
    return Deformed(
        bitcast<vec3<f32>>(position.xyz),
        bits_floats(normals, at).xyz,
        tangent_unpack(position.w),
    );
}
