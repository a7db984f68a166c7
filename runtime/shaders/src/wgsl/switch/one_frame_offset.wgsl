// The offset at the earlier of two frames. Replaces the function of deform_vertices.
fn offset_between(pair: FramePair, item: u32) -> vec3<f32> {
    let codec = vertex_codec();
    if IS_RAY {
        return codec.offset.xyz + codec.scale.xyz * ray_read(pair.first, item);
    }
    return codec.offset.xyz + codec.scale.xyz * texel_read(texels, set_info.grid, pair.first, item).xyz;
}
