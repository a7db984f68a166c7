// `bone-qt`: six numbers, a rotation and a position; two bones in three texels. Needs affine, quat, dual_quat,
// grid, codec, texel.

struct Bone {
    // Of any length.
    rotation: vec4<f32>,
    translation: vec3<f32>,
}

// A bone's numbers as they are stored.
struct RawBone {
    turn: vec3<f32>,
    position: vec3<f32>,
}

// `place` is half the bone's first number.
fn bone_read(texels: Texels, grid: Grid, frame: u32, place: u32) -> RawBone {
    let a = texel_read(texels, grid, frame, place / 2u);
    let b = texel_read(texels, grid, frame, place / 2u + 1u);
    let is_odd = (place & 1u) != 0u;
    return RawBone(
        select(a.xyz, vec3(a.zw, b.x), is_odd),
        select(vec3(a.w, b.xy), b.yzw, is_odd),
    );
}

fn bone_between(texels: Texels, tables: Tables, grid: Grid, codec: Codec, pair: FramePair, place: u32) -> Bone {
    let own = codec_of_bone(codec, tables, place / 3u);
    let a = bone_read(texels, grid, pair.first, place);
    let b = bone_read(texels, grid, pair.second, place);
    let from_turn = codec_unit(own, vec4(a.turn, 0.0)).xyz;
    let to_turn = codec_unit(own, vec4(b.turn, 0.0)).xyz;
    return Bone(
        turn_between(from_turn, to_turn, pair.fraction),
        own.offset.xyz + own.scale.xyz * mix(a.position, b.position, pair.fraction),
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
