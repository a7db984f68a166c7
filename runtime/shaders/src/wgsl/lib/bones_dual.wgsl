// `bone-dq`: two texels, a dual quaternion. Needs affine, quat, dual_quat, grid, codec, texel.

// Of any length.
alias Bone = DualQuat;

// `place` is the bone's first item.
fn bone_between(texels: Texels, tables: Tables, grid: Grid, codec: Codec, pair: FramePair, place: u32) -> Bone {
    let own = codec_of_bone(codec, tables, place / 2u);
    let from_raw = texels_two(texels, grid, pair.first, place);
    let raw = from_raw * (1.0 - pair.fraction) + texels_two(texels, grid, pair.second, place) * pair.fraction;
    return DualQuat(codec_unit(own, raw[0]), own.offset + own.scale * raw[1]);
}

fn bone_unit(bone: Bone) -> DualQuat {
    return dual_quat_normalized(bone, DualQuat(vec4(0.0, 0.0, 0.0, 1.0), vec4(0.0)));
}

// Two clips may have the same turn with opposite signs.
fn bone_fade(from_bone: Bone, to_bone: Bone, f: f32) -> Bone {
    let a = bone_unit(from_bone);
    let b = bone_unit(to_bone);
    let signed = select(f, -f, dot(a.real, b.real) < 0.0);
    return DualQuat(a.real * (1.0 - f) + b.real * signed, a.dual * (1.0 - f) + b.dual * signed);
}

fn bone_to_affine(bone: Bone) -> Affine {
    return dual_quat_to_affine(bone);
}

// Few bits leave the dual part askew; what lies along the real one is no motion.
fn bone_to_dual_quat(bone: Bone) -> DualQuat {
    let unit = bone_unit(bone);
    return DualQuat(unit.real, unit.dual - unit.real * dot(unit.real, unit.dual));
}
