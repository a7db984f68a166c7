// Interpolation of matrices. Needs affine, quat, dual_quat, grid, codec, texel.

// The rotation that keeps the direction of a matrix's first axis and the plane of its first two.
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
    // The rotation by slerp, scale and shear linearly.
    let from_rotation = rotation_of(from_bone.linear);
    let to_rotation = rotation_of(to_bone.linear);
    let from_stretch = transpose(mat3_from_quat(from_rotation)) * from_bone.linear;
    let to_stretch = transpose(mat3_from_quat(to_rotation)) * to_bone.linear;
    let mixed = affine_mix(Affine(from_stretch, from_bone.translation), Affine(to_stretch, to_bone.translation), f);
    return Affine(mat3_from_quat(quat_slerp(from_rotation, to_rotation, f)) * mixed.linear, mixed.translation);
}

// The bone between two frames. `offset` is the index of the bone's first texel in a frame.
fn bone_between(texels: Texels, tables: Tables, grid: Grid, codec: Codec, pair: FramePair, offset: u32) -> Bone {
    let bone_codec = codec_of_bone(codec, tables, offset / 3u);
    let from_raw = texels_three(texels, grid, pair.first, offset);
    let to_raw = texels_three(texels, grid, pair.second, offset);
    if INTERPOLATION == INTERPOLATE_SLERP {
        return bone_mix(bone_decode(bone_codec, from_raw), bone_decode(bone_codec, to_raw), pair.fraction);
    }
    return bone_decode(bone_codec, from_raw * (1.0 - pair.fraction) + to_raw * pair.fraction);
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
