// Bones of `bone-qt`: six numbers, a rotation and a position, so that two bones take three texels. Needs affine, quat,
// dual_quat, grid, codec, texel.

struct Bone {
    // Not normalised.
    rotation: vec4<f32>,
    translation: vec3<f32>,
}

// A bone as stored.
struct RawBone {
    // Modified Rodrigues parameters.
    mrp: vec3<f32>,
    position: vec3<f32>,
}

// `offset` is half the index of the bone's first number in a frame.
fn bone_read(texels: Texels, grid: Grid, frame: u32, offset: u32) -> RawBone {
    let a = texel_read(texels, grid, frame, offset / 2u);
    let b = texel_read(texels, grid, frame, offset / 2u + 1u);
    let is_odd = (offset & 1u) != 0u;
    return RawBone(
        select(a.xyz, vec3(a.zw, b.x), is_odd),
        select(vec3(a.w, b.xy), b.yzw, is_odd),
    );
}

// The bone between two frames. `offset` as for `bone_read`.
fn bone_between(texels: Texels, tables: Tables, grid: Grid, codec: Codec, pair: FramePair, offset: u32) -> Bone {
    let bone_codec = codec_of_bone(codec, tables, offset / 3u);
    let a = bone_read(texels, grid, pair.first, offset);
    let b = bone_read(texels, grid, pair.second, offset);
    let from_mrp = codec_unit(bone_codec, vec4(a.mrp, 0.0)).xyz;
    let to_mrp = codec_unit(bone_codec, vec4(b.mrp, 0.0)).xyz;
    return Bone(
        rotation_between(from_mrp, to_mrp, pair.fraction),
        bone_codec.offset.xyz + bone_codec.scale.xyz * mix(a.position, b.position, pair.fraction),
    );
}

fn bone_fade(from_bone: Bone, to_bone: Bone, f: f32) -> Bone {
    return Bone(
        rotation_fade(from_bone.rotation, to_bone.rotation, f),
        mix(from_bone.translation, to_bone.translation, f),
    );
}

fn bone_to_affine(bone: Bone) -> Affine {
    return Affine(mat3_from_quat(bone.rotation), bone.translation);
}

fn bone_to_dual_quat(bone: Bone) -> DualQuat {
    return dual_quat_from_rotation_translation(normalize(bone.rotation), bone.translation);
}
