// Number of threads of a workgroup of `pose_joints`.

const JOINTS_AT_ONCE: u32 = 32u;
