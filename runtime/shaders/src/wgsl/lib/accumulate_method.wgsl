// Accumulator of the skinning method alone. Needs a method's sum, which defines `MethodSum`, `method_first` and
// `method_add`.

struct Accumulator {
    method: MethodSum,
}

fn accumulate_first(pose: Pose, joint: u32, weight: f32) -> Accumulator {
    return Accumulator(method_first(pose, joint, weight));
}

fn accumulate(sum: Accumulator, pose: Pose, joint: u32, weight: f32) -> Accumulator {
    return Accumulator(method_add(sum.method, pose, joint, weight));
}
