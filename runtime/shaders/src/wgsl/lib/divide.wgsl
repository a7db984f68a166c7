// Whole numbers, divided by way of floats: devices without such a division take many times as long for it.

// For numbers below 2³¹, which are signed ones as well and so become floats at once, and quotients below 2²¹: the float
// is off by less than one, which the rest tells.
fn divide(n: u32, d: u32) -> u32 {
    let guess = bitcast<u32>(i32(f32(bitcast<i32>(n)) / f32(bitcast<i32>(d))));
    let rest = bitcast<i32>(n - guess * d);
    return guess + select(0u, 1u, rest >= bitcast<i32>(d)) - select(0u, 1u, rest < 0);
}
