// Integer division by way of floats. Devices without an integer divider take many times as long for `/`.

// For operands below 2³¹ and quotients below 2²¹. The float quotient is off by less than one, which the remainder
// corrects. Conversions go through i32, which is cheaper than u32 on llvmpipe.
fn divide(n: u32, d: u32) -> u32 {
    let guess = bitcast<u32>(i32(f32(bitcast<i32>(n)) / f32(bitcast<i32>(d))));
    let rest = bitcast<i32>(n - guess * d);
    return guess + select(0u, 1u, rest >= bitcast<i32>(d)) - select(0u, 1u, rest < 0);
}
