// Bones of `bone-qt` in sets where some bones have scale: six or nine numbers each. Needs affine, quat, dual_quat, grid,
// codec, texel.

struct Bone {
    // Not normalised.
    rotation: vec4<f32>,
    translation: vec3<f32>,
    scale: vec3<f32>,
}

// Four consecutive numbers of two texels, from index `shift` on.
fn shifted(a: vec4<f32>, b: vec4<f32>, shift: u32) -> vec4<f32> {
    switch shift {
        case 0u: {
            return a;
        }
        case 1u: {
            return vec4(a.yzw, b.x);
        }
        case 2u: {
            return vec4(a.zw, b.xy);
        }
        default: {
            return vec4(a.w, b.xyz);
        }
    }
}

// A bone as stored.
struct RawBone {
    // Modified Rodrigues parameters.
    mrp: vec3<f32>,
    position: vec3<f32>,
    scale: vec3<f32>,
}

// `record` is the index of the bone's first number in a frame, and 1 if the bone has scale.
fn bone_read(texels: Texels, grid: Grid, frame: u32, record: vec2<u32>) -> RawBone {
    let item = record.x / 4u;
    let shift = record.x % 4u;
    let a = texel_read(texels, grid, frame, item);
    let b = texel_read(texels, grid, frame, item + 1u);
    var c = vec4(0.0);
    if shift == 3u || record.y != 0u {
        c = texel_read(texels, grid, frame, item + 2u);
    }
    let first = shifted(a, b, shift);
    let second = shifted(b, c, shift);
    return RawBone(first.xyz, vec3(first.w, second.xy), vec3(second.zw, shifted(c, c, shift).x));
}

// The bone between two frames. `offset` is the index of the bone, and of its record in the bone table.
fn bone_between(texels: Texels, tables: Tables, grid: Grid, codec: Codec, pair: FramePair, offset: u32) -> Bone {
    let bone_codec = codec_of_bone(codec, tables, offset);
    let record = table_get(tables, codec.bone_table + offset).xy;
    let a = bone_read(texels, grid, pair.first, record);
    let b = bone_read(texels, grid, pair.second, record);
    let from_mrp = codec_unit(bone_codec, vec4(a.mrp, 0.0)).xyz;
    let to_mrp = codec_unit(bone_codec, vec4(b.mrp, 0.0)).xyz;
    let scale = bone_codec.size_offset.xyz + bone_codec.size_scale.xyz * mix(a.scale, b.scale, pair.fraction);
    return Bone(
        rotation_between(from_mrp, to_mrp, pair.fraction),
        bone_codec.offset.xyz + bone_codec.scale.xyz * mix(a.position, b.position, pair.fraction),
        select(vec3(1.0), scale, record.y != 0u),
    );
}

fn bone_fade(from_bone: Bone, to_bone: Bone, f: f32) -> Bone {
    return Bone(
        rotation_fade(from_bone.rotation, to_bone.rotation, f),
        mix(from_bone.translation, to_bone.translation, f),
        mix(from_bone.scale, to_bone.scale, f),
    );
}

fn bone_to_affine(bone: Bone) -> Affine {
    let m = mat3_from_quat(bone.rotation);
    return Affine(mat3x3(m[0] * bone.scale.x, m[1] * bone.scale.y, m[2] * bone.scale.z), bone.translation);
}

fn bone_to_dual_quat(bone: Bone) -> DualQuat {
    return dual_quat_from_rotation_translation(normalize(bone.rotation), bone.translation);
}
