// Joints in their parents' spaces. Needs words, quat, affine and curves.

const SCALED_RECORD_WORDS: u32 = 12u;

// Addresses of the tables of compressed curves, in words.
struct JointCurves {
    clip_table: u32,
    joint_table: u32,
    record_words: u32,
    curves: u32,
    // The padding makes the block a multiple of 16 bytes, which WebGL2 requires.
    @size(16) joints: u32,
}

// A record of the joint table: everything about a joint that is not animated.
struct JointRecord {
    // Index of the parent's record plus one, or 0 for a root.
    parent: u32,
    first_curve: u32,
    // Whether rotation, translation and scale have a curve.
    has_curve: vec3<bool>,
    translation: vec3<f32>,
    translation_extent: f32,
    rotation: vec3<f32>,
    scale: vec3<f32>,
    scale_extent: f32,
}

fn joint_record_read(
    words: texture_2d_array<u32>,
    joint_table: u32,
    record_words: u32,
    joint: u32,
) -> JointRecord {
    let at = joint_table + joint * record_words;
    let parent = words_get(words, at);
    let curves = words_get(words, at + 1u);
    var record: JointRecord;
    record.parent = parent & 0xffffffu;
    record.first_curve = curves & 0x1fffffffu;
    record.has_curve = (vec3(curves) & vec3(1u << 29u, 1u << 30u, 1u << 31u)) != vec3(0u);
    record.translation = words_vector(words, at + 2u);
    record.translation_extent = bitcast<f32>((parent >> 24u) << 23u);
    record.rotation = words_vector(words, at + 5u);
    record.scale = vec3(1.0);
    if record_words == SCALED_RECORD_WORDS {
        record.scale = words_vector(words, at + 8u);
        record.scale_extent = words_float(words, at + 11u);
    }
    return record;
}

// A joint in its parent's space.
struct LocalJoint {
    translation: vec3<f32>,
    rotation: vec4<f32>,
    scale: vec3<f32>,
}

fn local_joint_to_affine(joint: LocalJoint) -> Affine {
    let rotation = mat3_from_quat(joint.rotation);
    let s = joint.scale;
    return Affine(mat3x3(rotation[0] * s.x, rotation[1] * s.y, rotation[2] * s.z), joint.translation);
}

// Decodes a joint at a moment.
fn local_joint(words: texture_2d_array<u32>, record: JointRecord, moment: Moment) -> LocalJoint {
    var joint: LocalJoint;
    var curve = record.first_curve;
    if record.has_curve.x {
        joint.rotation = moment_rotation(words, moment, curve);
        curve++;
    } else {
        joint.rotation = quat_from_mrp(record.rotation);
    }
    joint.translation = record.translation;
    if record.has_curve.y {
        joint.translation += record.translation_extent * moment_vector(words, moment, curve);
        curve++;
    }
    joint.scale = record.scale;
    if record.has_curve.z {
        joint.scale += record.scale_extent * moment_vector(words, moment, curve);
    }
    return joint;
}

// Cross-fade between two poses of a joint, in its parent's space.
fn local_joint_mix(a: LocalJoint, b: LocalJoint, f: f32) -> LocalJoint {
    return LocalJoint(
        mix(a.translation, b.translation, f),
        quat_nlerp(a.rotation, b.rotation, f),
        mix(a.scale, b.scale, f),
    );
}
