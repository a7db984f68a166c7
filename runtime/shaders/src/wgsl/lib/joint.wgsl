// Joints in their parents' spaces. Needs words, quat, affine and tracks.

const SCALED_RECORD_WORDS: u32 = 12u;

// Where the tables of a stream are.
struct JointCurves {
    clip_table: u32,
    joint_table: u32,
    record_words: u32,
    curves: u32,
    // The block is a whole number of 16 bytes, as WebGL2 asks.
    @size(16) joints: u32,
}

// What never changes about a joint.
struct JointRecord {
    // The parent's record plus one, 0 for a root.
    parent: u32,
    first_track: u32,
    // Whether rotation, translation and scale are curves.
    curves: vec3<bool>,
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
    let tracks = words_get(words, at + 1u);
    var record: JointRecord;
    record.parent = parent & 0xffffffu;
    record.first_track = tracks & 0x1fffffffu;
    record.curves = (vec3(tracks) & vec3(1u << 29u, 1u << 30u, 1u << 31u)) != vec3(0u);
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

// A joint in its parent's space at a moment.
fn local_joint(words: texture_2d_array<u32>, record: JointRecord, moment: Moment) -> LocalJoint {
    var joint: LocalJoint;
    var track = record.first_track;
    if record.curves.x {
        joint.rotation = moment_rotation(words, moment, track);
        track++;
    } else {
        joint.rotation = quat_from_mrp(record.rotation);
    }
    joint.translation = record.translation;
    if record.curves.y {
        joint.translation += record.translation_extent * moment_vector(words, moment, track);
        track++;
    }
    joint.scale = record.scale;
    if record.curves.z {
        joint.scale += record.scale_extent * moment_vector(words, moment, track);
    }
    return joint;
}

// Between two poses of a joint, in its parent's space.
fn local_joint_mix(a: LocalJoint, b: LocalJoint, f: f32) -> LocalJoint {
    return LocalJoint(
        mix(a.translation, b.translation, f),
        quat_nlerp(a.rotation, b.rotation, f),
        mix(a.scale, b.scale, f),
    );
}
