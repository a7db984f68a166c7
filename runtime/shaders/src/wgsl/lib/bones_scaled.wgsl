// `bone-qt` where bones have scale: six or nine numbers each. Needs affine, quat, dual_quat, grid, codec, texel.

struct Bone {
    // Of any length.
    rotation: vec4<f32>,
    translation: vec3<f32>,
    scale: vec3<f32>,
}

// Four numbers from a place on in two texels.
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

// A bone's numbers as they are stored.
struct RawBone {
    turn: vec3<f32>,
    position: vec3<f32>,
    size: vec3<f32>,
}

// `record` is where its numbers start, and whether it has scale.
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

// `place` is the number of the bone's record.
fn bone_between(texels: Texels, tables: Tables, grid: Grid, codec: Codec, pair: FramePair, place: u32) -> Bone {
    let own = codec_of_bone(codec, tables, place);
    let record = table_get(tables, codec.bone_table + place).xy;
    let a = bone_read(texels, grid, pair.first, record);
    let b = bone_read(texels, grid, pair.second, record);
    let from_turn = codec_unit(own, vec4(a.turn, 0.0)).xyz;
    let to_turn = codec_unit(own, vec4(b.turn, 0.0)).xyz;
    let size = own.size_offset.xyz + own.size_scale.xyz * mix(a.size, b.size, pair.fraction);
    return Bone(
        turn_between(from_turn, to_turn, pair.fraction),
        own.offset.xyz + own.scale.xyz * mix(a.position, b.position, pair.fraction),
        select(vec3(1.0), size, record.y != 0u),
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
