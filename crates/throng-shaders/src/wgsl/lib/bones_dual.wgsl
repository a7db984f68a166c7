// `bone-dq`: two texels, a dual quaternion. Needs affine, quat, dual_quat, grid, codec, texel.

alias Bone = DualQuat;

// `place` is the bone's first item.
fn bone_read(texels: Texels, tables: Tables, grid: Grid, codec: Codec, frame: u32, place: u32) -> Bone {
    let own = codec_of_bone(codec, tables, place / 2u);
    let real = texel_read(texels, grid, frame, place);
    let dual = texel_read(texels, grid, frame, place + 1u);
    return DualQuat(codec_unit(own, real), own.offset + own.scale * dual);
}

fn bone_mix(from_bone: Bone, to_bone: Bone, f: f32) -> Bone {
    let mixed = DualQuat(mix(from_bone.real, to_bone.real, f), mix(from_bone.dual, to_bone.dual, f));
    return dual_quat_normalized(mixed, DualQuat(vec4(0.0, 0.0, 0.0, 1.0), vec4(0.0)));
}

// Two clips may have the same turn with opposite signs.
fn bone_fade(from_bone: Bone, to_bone: Bone, f: f32) -> Bone {
    if dot(from_bone.real, to_bone.real) < 0.0 {
        return bone_mix(from_bone, DualQuat(-to_bone.real, -to_bone.dual), f);
    }
    return bone_mix(from_bone, to_bone, f);
}

fn bone_to_affine(bone: Bone) -> Affine {
    return dual_quat_to_affine(bone);
}

// Few bits leave the dual part askew; what lies along the real one is no motion.
fn bone_to_dual_quat(bone: Bone) -> DualQuat {
    return DualQuat(bone.real, bone.dual - bone.real * dot(bone.real, bone.dual));
}
