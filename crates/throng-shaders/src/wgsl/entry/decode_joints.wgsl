// Poses of `bone-local`: a workgroup takes an instance, as many joints at once as it has threads. Each
// curve is decoded once; then each joint walks up to a root, or to a joint that is done already.

const JOINTS_AT_ONCE: u32 = 32u;

struct ClipTime {
    clip: u32,
    time_secs: f32,
}

@group(0) @binding(0) var words: texture_2d_array<u32>;
@group(0) @binding(1) var<uniform> joint_tracks: JointTracks;
@group(0) @binding(2) var<storage, read> clip_times: array<ClipTime>;
// Instance by instance, in the order of the joint table.
@group(0) @binding(3) var<storage, read_write> model_from_joint: array<mat3x4<f32>>;

struct Link {
    parent: u32,
    parent_from_joint: Affine,
}

var<workgroup> links: array<Link, JOINTS_AT_ONCE>;

@compute @workgroup_size(JOINTS_AT_ONCE)
fn decode_joints(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let instance = workgroup.x;
    let time = clip_times[instance];
    let tables = joint_tracks;
    let moment = moment_find(words, tables.clip_table, tables.tracks, time.clip, time.time_secs);
    let first_out = instance * tables.joints;
    for (var first = 0u; first < tables.joints; first += JOINTS_AT_ONCE) {
        let joint = first + thread;
        if joint < tables.joints {
            let record = joint_record_read(words, tables.joint_table, tables.record_words, joint);
            let parent_from_joint = local_joint_to_affine(local_joint(words, record, moment));
            links[thread] = Link(record.parent, parent_from_joint);
        }
        workgroupBarrier();
        if joint < tables.joints {
            var at = joint;
            var space_from_joint = links[thread].parent_from_joint;
            // Parents come first: whatever the words say, the walk goes down in numbers and ends.
            loop {
                let parent = links[at - first].parent;
                if parent == 0u || parent > at {
                    break;
                }
                at = parent - 1u;
                if at < first {
                    let model_from_parent = affine_from_rows(model_from_joint[first_out + at]);
                    space_from_joint = affine_mul(model_from_parent, space_from_joint);
                    break;
                }
                space_from_joint = affine_mul(links[at - first].parent_from_joint, space_from_joint);
            }
            model_from_joint[first_out + joint] = affine_to_rows(space_from_joint);
        }
        // The next joints read what these have written, and take their places.
        storageBarrier();
        workgroupBarrier();
    }
}
