// Uniforms of one rendered frame.

struct Frame {
    clip_from_world: mat4x4<f32>,
    // Time in ticks.
    now: u32,
    // Blend between LBS (0) and DQS (1).
    @size(12) deform_factor: f32,
}
