// Between two matrices. Needs affine, quat, dual_quat, grid, codec, texel.

// The rotation nearest to the first axis of a matrix, the second beside it.
fn rotation_of(m: mat3x3<f32>) -> vec4<f32> {
    let x = unit_or(m[0], vec3(1.0, 0.0, 0.0));
    let across = m[1] - x * dot(x, m[1]);
    let y = unit_or(across, any_orthonormal(x));
    return quat_from_mat3(mat3x3(x, y, cross(x, y)));
}

fn bone_mix(from_bone: Bone, to_bone: Bone, f: f32) -> Bone {
    if INTERPOLATION != INTERPOLATE_SLERP {
        return affine_mix(from_bone, to_bone, f);
    }
    let from_turn = rotation_of(from_bone.linear);
    let to_turn = rotation_of(to_bone.linear);
    let from_rest = transpose(mat3_from_quat(from_turn)) * from_bone.linear;
    let to_rest = transpose(mat3_from_quat(to_turn)) * to_bone.linear;
    let rest = affine_mix(Affine(from_rest, from_bone.translation), Affine(to_rest, to_bone.translation), f);
    return Affine(mat3_from_quat(quat_slerp(from_turn, to_turn, f)) * rest.linear, rest.translation);
}

// `place` is the bone's first item.
fn bone_between(texels: Texels, tables: Tables, grid: Grid, codec: Codec, pair: FramePair, place: u32) -> Bone {
    let own = codec_of_bone(codec, tables, place / 3u);
    let from_raw = texels_three(texels, grid, pair.first, place);
    let to_raw = texels_three(texels, grid, pair.second, place);
    if INTERPOLATION == INTERPOLATE_SLERP {
        return bone_mix(bone_decode(own, from_raw), bone_decode(own, to_raw), pair.fraction);
    }
    return bone_decode(own, from_raw * (1.0 - pair.fraction) + to_raw * pair.fraction);
}

fn bone_fade(from_bone: Bone, to_bone: Bone, f: f32) -> Bone {
    return bone_mix(from_bone, to_bone, f);
}

fn bone_to_affine(bone: Bone) -> Affine {
    return bone;
}

fn bone_to_dual_quat(bone: Bone) -> DualQuat {
    return dual_quat_from_affine(bone);
}
