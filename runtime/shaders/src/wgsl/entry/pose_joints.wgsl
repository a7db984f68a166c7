// Poses of `bone-local`, and palettes of them: a workgroup takes an instance, as many joints at once as it has
// threads. Each curve is decoded once; then each joint walks up to a root, or to a joint that is done already. Needs
// joints_at_once.

// Instance by instance, in the order of the joint table.
@group(1) @binding(8) var<storage, read_write> model_from_joint: array<mat3x4<f32>>;
// As `joints_palette` reads it.
@group(1) @binding(9) var palette: texture_storage_2d<rgba32uint, write>;

struct Link {
    parent: u32,
    parent_from_joint: Affine,
}

var<workgroup> links: array<Link, JOINTS_AT_ONCE>;

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
    let pose = pose_of(instance_read(instance));
    let joints = set_info.joint_curves.joints;
    let first_out = instance * joints;
    for (var first = 0u; first < joints; first += JOINTS_AT_ONCE) {
        let joint = first + thread;
        if joint < joints {
            let record = pose_record(joint);
            links[thread] = Link(record.parent, pose_parent_from_joint(pose, record));
        }
        workgroupBarrier();
        if joint < joints {
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
    for (var entry = thread; entry < set_info.palette_len; entry += JOINTS_AT_ONCE) {
        let joint = affine_from_rows(model_from_joint[first_out + (entry_joint(entry) >> 16u)]);
        let link = table_affine(tables, set_info.inverse_bind_table + 3u * entry);
        let rows = affine_to_rows(affine_mul(joint, link));
        let at = instance * set_info.palette_stride + 3u * entry;
        palette_write(at, rows[0]);
        palette_write(at + 1u, rows[1]);
        palette_write(at + 2u, rows[2]);
    }
}
