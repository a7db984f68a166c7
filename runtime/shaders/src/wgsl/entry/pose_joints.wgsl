// Poses and palettes of `bone-local`. A workgroup takes one instance, and a batch of as many joints at a time as it has
// threads. Each curve is decoded once; then each joint is multiplied up to its root, or to a joint of an earlier batch.
// Needs joints_at_once.

// One matrix per joint per instance, in the order of the joint table.
@group(1) @binding(8) var<storage, read_write> model_from_joint: array<mat3x4<f32>>;
// In the layout of `joints_palette`.
@group(1) @binding(9) var palette: texture_storage_2d<rgba32uint, write>;

struct BatchJoint {
    // Index of the parent plus one, or 0 for a root.
    parent: u32,
    parent_from_joint: Affine,
}

var<workgroup> batch: array<BatchJoint, JOINTS_AT_ONCE>;

fn palette_write(at: u32, row: vec4<f32>) {
    textureStore(palette, vec2(at & 2047u, at >> 11u), bitcast<vec4<u32>>(row));
}

@compute @workgroup_size(JOINTS_AT_ONCE)
fn pose_joints(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let instance = workgroup.x + workgroup.y * workgroups.x;
    if frame_is_gap(frame, instance) {
        return;
    }
    let pose = pose_of(instance_read(instance));
    let joints = set_info.joint_curves.joints;
    let first_out = instance * joints;
    for (var first = 0u; first < joints; first += JOINTS_AT_ONCE) {
        let joint = first + thread;
        if joint < joints {
            let record = pose_record(joint);
            batch[thread] = BatchJoint(record.parent, pose_parent_from_joint(pose, record));
        }
        workgroupBarrier();
        if joint < joints {
            var at = joint;
            var space_from_joint = batch[thread].parent_from_joint;
            // Parents have lower indices than their children. The check makes the walk terminate on corrupt data too.
            loop {
                let parent = batch[at - first].parent;
                if parent == 0u || parent > at {
                    break;
                }
                at = parent - 1u;
                if at < first {
                    let model_from_parent = affine_from_rows(model_from_joint[first_out + at]);
                    space_from_joint = affine_mul(model_from_parent, space_from_joint);
                    break;
                }
                space_from_joint = affine_mul(batch[at - first].parent_from_joint, space_from_joint);
            }
            model_from_joint[first_out + joint] = affine_to_rows(space_from_joint);
        }
        // The next batch reads the matrices that this one wrote, and overwrites its workgroup memory.
        storageBarrier();
        workgroupBarrier();
    }
    for (var palette_index = thread; palette_index < set_info.palette_len; palette_index += JOINTS_AT_ONCE) {
        let joint = affine_from_rows(model_from_joint[first_out + (palette_joint(palette_index) >> 16u)]);
        let inverse_bind = table_affine(tables, set_info.inverse_bind_table + 3u * palette_index);
        let rows = affine_to_rows(affine_mul(joint, inverse_bind));
        let at = instance * set_info.palette_stride + 3u * palette_index;
        palette_write(at, rows[0]);
        palette_write(at + 1u, rows[1]);
        palette_write(at + 2u, rows[2]);
    }
}
