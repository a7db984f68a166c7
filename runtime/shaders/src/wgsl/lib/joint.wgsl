// Joints in their parents' spaces. Needs words, quat, affine and curves.

// Words of records: 16-bit or float32 constants, without or with scale.
const SHORT_SCALED_RECORD_WORDS: u32 = 6u;
const EXACT_SCALED_RECORD_WORDS: u32 = 12u;

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
    // Curve of rotation; those of translation and scale follow.
    first_curve: u32,
    translation: vec3<f32>,
    translation_extent: f32,
    rotation: vec3<f32>,
    has_scale: bool,
    scale: vec3<f32>,
    scale_extent: f32,
}

// A power of two, from a biased exponent.
fn power(exponent: u32) -> f32 {
    return bitcast<f32>((exponent & 255u) << 23u);
}

// A signed 16-bit integer in the upper half of a word, in units of 1/32768.
fn short_value(word: u32) -> f32 {
    return f32(bitcast<i32>(word) >> 16u) / 32768.0;
}

fn joint_record_read(
    words: texture_2d_array<u32>,
    joint_table: u32,
    record_words: u32,
    joint: u32,
) -> JointRecord {
    let at = joint_table + joint * record_words;
    let head = words_get(words, at);
    var record: JointRecord;
    record.has_scale = record_words == SHORT_SCALED_RECORD_WORDS || record_words == EXACT_SCALED_RECORD_WORDS;
    record.parent = head & 0xffffu;
    record.first_curve = joint * select(2u, 3u, record.has_scale);
    record.translation_extent = power(head >> 16u);
    record.scale = vec3(1.0);
    if record_words <= SHORT_SCALED_RECORD_WORDS {
        let a = words_get(words, at + 1u);
        let b = words_get(words, at + 2u);
        let c = words_get(words, at + 3u);
        let translation = vec3(short_value(a << 16u), short_value(a), short_value(b << 16u));
        record.translation = power(head >> 24u) * translation;
        record.rotation = vec3(short_value(b), short_value(c << 16u), short_value(c));
        if record.has_scale {
            let d = words_get(words, at + 4u);
            let e = words_get(words, at + 5u);
            record.scale = power(e >> 24u) * vec3(short_value(d << 16u), short_value(d), short_value(e << 16u));
            record.scale_extent = power(e >> 16u);
        }
    } else {
        record.translation = words_vector(words, at + 1u);
        record.rotation = words_vector(words, at + 4u);
        if record.has_scale {
            record.scale = words_vector(words, at + 8u);
            record.scale_extent = power(words_get(words, at + 7u) >> 16u);
        }
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
    let curve = record.first_curve;
    var joint: LocalJoint;
    joint.rotation = moment_rotation(words, moment, curve, quat_from_mrp(record.rotation));
    joint.translation = record.translation + record.translation_extent * moment_vector(words, moment, curve + 1u);
    joint.scale = record.scale;
    if record.has_scale {
        joint.scale += record.scale_extent * moment_vector(words, moment, curve + 2u);
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
