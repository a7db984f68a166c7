// `virtual-bones`: two axes and a position, as P3 lays them out. Needs affine, quat, dual_quat, grid, codec, texel.

struct Bone {
    theta: vec3<f32>,
    phi: vec3<f32>,
    translation: vec3<f32>,
}

// `place` is the bone's number.
fn bone_read(texels: Texels, tables: Tables, grid: Grid, codec: Codec, frame: u32, place: u32) -> Bone {
    let own = codec_of_bone(codec, tables, place);
    let position = texel_read(texels, grid, frame, place + 2u * codec.axis_items);
    return Bone(
        codec_unit(own, texel_read(texels, grid, frame, place)).xyz,
        codec_unit(own, texel_read(texels, grid, frame, place + codec.axis_items)).xyz,
        own.offset.xyz + own.scale.xyz * position.xyz,
    );
}

fn bone_mix(from_bone: Bone, to_bone: Bone, f: f32) -> Bone {
    var mixed = Bone(
        mix(from_bone.theta, to_bone.theta, f),
        mix(from_bone.phi, to_bone.phi, f),
        mix(from_bone.translation, to_bone.translation, f),
    );
    if BLEND == BLEND_NLERP {
        mixed.theta = unit_or(mixed.theta, vec3(1.0, 0.0, 0.0));
        let across = mixed.phi - mixed.theta * dot(mixed.theta, mixed.phi);
        mixed.phi = unit_or(across, any_orthonormal(mixed.theta));
    }
    return mixed;
}

fn bone_fade(from_bone: Bone, to_bone: Bone, f: f32) -> Bone {
    return bone_mix(from_bone, to_bone, f);
}

fn bone_to_affine(bone: Bone) -> Affine {
    return Affine(mat3x3(bone.theta, bone.phi, cross(bone.theta, bone.phi)), bone.translation);
}

fn bone_to_dual_quat(bone: Bone) -> DualQuat {
    return dual_quat_from_affine(bone_to_affine(bone));
}
