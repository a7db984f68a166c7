// Bones of `p3-virtual-bones`: texels of bone `b` are `b`, `n + b` and `2 n + b` of a row. Needs set, texel and axes.

@group(1) @binding(2) var texels: Texels;

// A bone at a frame.
fn bone_at(frame_number: u32, bone: u32) -> Bone {
    let codec = set_info.codec;
    return Bone(
        codec_unit(codec, texel_read(texels, set_info.grid, frame_number, bone)).xyz,
        codec_unit(codec, texel_read(texels, set_info.grid, frame_number, bone + codec.axis_items)).xyz,
        codec.offset.xyz
            + codec.scale.xyz * texel_read(texels, set_info.grid, frame_number, bone + 2u * codec.axis_items).xyz,
    );
}
