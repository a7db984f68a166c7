// Bones of `virtual-bones`: two axes and a position, one texel each. Needs affine, quat, dual_quat, grid, codec, texel.

struct Bone {
    theta: vec3<f32>,
    phi: vec3<f32>,
    translation: vec3<f32>,
}

// A bone from linearly interpolated numbers. `nlerp` makes the axes orthonormal again.
fn bone_mixed(theta: vec3<f32>, phi: vec3<f32>, translation: vec3<f32>) -> Bone {
    if INTERPOLATION != INTERPOLATE_NLERP {
        return Bone(theta, phi, translation);
    }
    let unit = unit_or(theta, vec3(1.0, 0.0, 0.0));
    let across = phi - unit * dot(unit, phi);
    return Bone(unit, unit_or(across, any_orthonormal(unit)), translation);
}

// The bone between two frames. `offset` is the index of the bone.
fn bone_between(texels: Texels, tables: Tables, grid: Grid, codec: Codec, pair: FramePair, offset: u32) -> Bone {
    let bone_codec = codec_of_bone(codec, tables, offset);
    // Three consecutive texels per bone, or the planes of `p3-virtual-bones`, with one axis each.
    let item = select(offset, 3u * offset, codec.axis_items == 1u);
    let from_raw = texels_strided(texels, grid, pair.first, item, codec.axis_items);
    let to_raw = texels_strided(texels, grid, pair.second, item, codec.axis_items);
    let raw = from_raw * (1.0 - pair.fraction) + to_raw * pair.fraction;
    return bone_mixed(
        codec_unit(bone_codec, raw[0]).xyz,
        codec_unit(bone_codec, raw[1]).xyz,
        bone_codec.offset.xyz + bone_codec.scale.xyz * raw[2].xyz,
    );
}

fn bone_fade(from_bone: Bone, to_bone: Bone, f: f32) -> Bone {
    return bone_mixed(
        mix(from_bone.theta, to_bone.theta, f),
        mix(from_bone.phi, to_bone.phi, f),
        mix(from_bone.translation, to_bone.translation, f),
    );
}

fn bone_to_affine(bone: Bone) -> Affine {
    return Affine(mat3x3(bone.theta, bone.phi, cross(bone.theta, bone.phi)), bone.translation);
}

fn bone_to_dual_quat(bone: Bone) -> DualQuat {
    return dual_quat_from_affine(bone_to_affine(bone));
}
