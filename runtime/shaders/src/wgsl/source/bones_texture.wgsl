// Bones from a texture. Needs set and a kind of bones.

@group(1) @binding(2) var texels: Texels;

fn bone_of(pair: FramePair, bone_offset: u32) -> Bone {
    return bone_between(texels, tables, set_info.grid, set_info.codec, pair, bone_offset);
}
