// What changes from frame to frame.

struct Frame {
    clip_from_world: mat4x4<f32>,
    now: u32,
    // How much of the dual quaternions there is in blends.
    @size(12) deform_factor: f32,
}
