// Times of a frame.

struct Frame {
    // Time in ticks.
    now: u32,
    // Time of the frame before, in ticks.
    previous_now: u32,
    // Index of the first instance as it was in the frame before, in tables that hold both.
    previous_first: u32,
    // Index of the first group as it was in the frame before, if poses are skinned once.
    previous_group: u32,
    // Blend between LBS (0) and DQS (1).
    deform_factor: f32,
    // Number of instances.
    @size(12) count: u32,
}

// True for indices between the instances and those of the frame before, which nothing reads.
fn frame_is_gap(frame: Frame, index: u32) -> bool {
    return index >= frame.count && index < frame.previous_first;
}
