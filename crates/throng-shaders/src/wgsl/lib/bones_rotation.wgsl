// `bone-qt`: six numbers, a rotation and a position; two bones in three texels. Needs affine, quat, dual_quat,
// grid, codec, texel.

struct Bone {
    rotation: vec4<f32>,
    translation: vec3<f32>,
}

// `place` is half the bone's first number.
fn bone_read(texels: Texels, tables: Tables, grid: Grid, codec: Codec, frame: u32, place: u32) -> Bone {
    let own = codec_of_bone(codec, tables, place / 3u);
    let a = texel_read(texels, grid, frame, place / 2u);
    let b = texel_read(texels, grid, frame, place / 2u + 1u);
    let is_odd = (place & 1u) != 0u;
    let turn = select(a.xyz, vec3(a.zw, b.x), is_odd);
    let position = select(vec3(a.w, b.xy), b.yzw, is_odd);
    return Bone(
        quat_from_mrp(codec_unit(own, vec4(turn, 0.0)).xyz),
        own.offset.xyz + own.scale.xyz * position,
    );
}

fn bone_mix(from_bone: Bone, to_bone: Bone, f: f32) -> Bone {
    return Bone(
        rotation_mix(from_bone.rotation, to_bone.rotation, f),
        mix(from_bone.translation, to_bone.translation, f),
    );
}

fn bone_fade(from_bone: Bone, to_bone: Bone, f: f32) -> Bone {
    return bone_mix(from_bone, to_bone, f);
}

fn bone_to_affine(bone: Bone) -> Affine {
    return Affine(mat3_from_quat(bone.rotation), bone.translation);
}

fn bone_to_dual_quat(bone: Bone) -> DualQuat {
    return dual_quat_from_rotation_translation(bone.rotation, bone.translation);
}
