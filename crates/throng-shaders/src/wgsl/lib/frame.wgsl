// What changes from frame to frame.

struct Frame {
    clip_from_world: mat4x4<f32>,
    now: u32,
    // How much of the dual quaternions there is in blends.
    deform_factor: f32,
    // Texels of a row of what is read back, and rows.
    capture_width: u32,
    capture_height: u32,
}
