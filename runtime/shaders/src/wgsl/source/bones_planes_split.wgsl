// Bones of `p3-virtual-bones-split`: axes of bone `b` are texels `b` and `n + b` of a row, and its position is texel `b` of
// a texture of positions. Needs set, texel and axes.

@group(1) @binding(2) var texels: Texels;
@group(1) @binding(3) var positions: texture_2d_array<f32>;

// A bone at a frame.
fn bone_at(frame_number: u32, bone: u32) -> Bone {
    let codec = set_info.codec;
    let at = grid_texel(set_info.normals, frame_number, bone);
    return Bone(
        codec_unit(codec, texel_read(texels, set_info.grid, frame_number, bone)).xyz,
        codec_unit(codec, texel_read(texels, set_info.grid, frame_number, bone + codec.axis_items)).xyz,
        codec.offset.xyz + codec.scale.xyz * textureLoad(positions, at.xy, at.z, 0).xyz,
    );
}
