// `virtual-bones`: two axes and a position. Needs affine, quat, dual_quat, grid, codec, texel.

struct Bone {
    theta: vec3<f32>,
    phi: vec3<f32>,
    translation: vec3<f32>,
}

// After numbers were mixed, each by itself.
fn bone_mixed(theta: vec3<f32>, phi: vec3<f32>, translation: vec3<f32>) -> Bone {
    if INTERPOLATION != INTERPOLATE_NLERP {
        return Bone(theta, phi, translation);
    }
    let unit = unit_or(theta, vec3(1.0, 0.0, 0.0));
    let across = phi - unit * dot(unit, phi);
    return Bone(unit, unit_or(across, any_orthonormal(unit)), translation);
}

// `place` is the bone's number.
fn bone_between(texels: Texels, tables: Tables, grid: Grid, codec: Codec, pair: FramePair, place: u32) -> Bone {
    let own = codec_of_bone(codec, tables, place);
    // Three texels per bone, or P3's planes of one axis each.
    let item = select(place, 3u * place, codec.axis_items == 1u);
    let from_raw = texels_apart(texels, grid, pair.first, item, codec.axis_items);
    let to_raw = texels_apart(texels, grid, pair.second, item, codec.axis_items);
    let raw = from_raw * (1.0 - pair.fraction) + to_raw * pair.fraction;
    return bone_mixed(
        codec_unit(own, raw[0]).xyz,
        codec_unit(own, raw[1]).xyz,
        own.offset.xyz + own.scale.xyz * raw[2].xyz,
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
