// Bones of `bone-dq`: two texels, a dual quaternion. Needs affine, quat, dual_quat, grid, codec, texel.

// Not normalised.
alias Bone = DualQuat;

// The bone between two frames. `offset` is the index of the bone's first texel in a frame.
fn bone_between(texels: Texels, tables: Tables, grid: Grid, codec: Codec, pair: FramePair, offset: u32) -> Bone {
    let bone_codec = codec_of_bone(codec, tables, offset / 2u);
    let from_raw = texels_two(texels, grid, pair.first, offset);
    let raw = from_raw * (1.0 - pair.fraction) + texels_two(texels, grid, pair.second, offset) * pair.fraction;
    return DualQuat(codec_unit(bone_codec, raw[0]), bone_codec.offset + bone_codec.scale * raw[1]);
}

fn bone_unit(bone: Bone) -> DualQuat {
    return dual_quat_normalized(bone, DualQuat(vec4(0.0, 0.0, 0.0, 1.0), vec4(0.0)));
}

// Two clips may hold the same rotation with opposite signs, so the signs are aligned.
fn bone_fade(from_bone: Bone, to_bone: Bone, f: f32) -> Bone {
    let a = bone_unit(from_bone);
    let b = bone_unit(to_bone);
    let signed = select(f, -f, dot(a.real, b.real) < 0.0);
    return DualQuat(a.real * (1.0 - f) + b.real * signed, a.dual * (1.0 - f) + b.dual * signed);
}

fn bone_to_affine(bone: Bone) -> Affine {
    return dual_quat_to_affine(bone);
}

// Quantisation leaves a component of the dual part along the real part. It is no motion, and is removed.
fn bone_to_dual_quat(bone: Bone) -> DualQuat {
    let unit = bone_unit(bone);
    return DualQuat(unit.real, unit.dual - unit.real * dot(unit.real, unit.dual));
}
