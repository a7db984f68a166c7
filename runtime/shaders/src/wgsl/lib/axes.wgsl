// A bone of `virtual-bones`: two axes and a position. Needs affine and dual_quat.

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

fn bone_fade(from_bone: Bone, to_bone: Bone, f: f32) -> Bone {
    return bone_mixed(
        mix(from_bone.theta, to_bone.theta, f),
        mix(from_bone.phi, to_bone.phi, f),
        mix(from_bone.translation, to_bone.translation, f),
    );
}

// The third axis is the cross product of the two.
fn bone_to_affine(bone: Bone) -> Affine {
    return Affine(mat3x3(bone.theta, bone.phi, cross(bone.theta, bone.phi)), bone.translation);
}

fn bone_to_dual_quat(bone: Bone) -> DualQuat {
    return dual_quat_from_affine(bone_to_affine(bone));
}
