// Fills a palette: a row of a joint's matrix in each texel, instance by instance.

// Six texels an instance.
@group(1) @binding(7) var instances: texture_2d<u32>;

fn instance_read(index: u32) -> Instance {
    let at = 6u * index;
    return instance_unpack(
        bits_get(instances, at),
        bits_get(instances, at + 1u),
        bits_get(instances, at + 2u),
        bits_get(instances, at + 3u),
        bits_get(instances, at + 4u),
        bits_get(instances, at + 5u),
        index,
    );
}

@vertex
fn fill_palette_vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    // A triangle that covers everything.
    let corner = vec2(f32(index & 1u), f32(index >> 1u));
    return vec4(4.0 * corner - 1.0, 0.5, 1.0);
}

@fragment
fn fill_palette_fragment(@builtin(position) at: vec4<f32>) -> @location(0) vec4<u32> {
    let texel = u32(at.x) + (u32(at.y) << 11u);
    let instance = texel / set_info.palette_stride;
    let place = texel - instance * set_info.palette_stride;
    let entry = place / 3u;
    let joint = entry | (table_get(tables, set_info.entry_table + entry / 4u)[entry % 4u] << 16u);
    let matrix = joint_affine(pose_of(instance_read(instance)), joint);
    return bitcast<vec4<u32>>(affine_to_rows(matrix)[place - 3u * entry]);
}
