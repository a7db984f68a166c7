// Lines in world space. Needs camera.

struct LineOut {
    @builtin(position) at: vec4<f32>,
    @location(0) color: vec4<f32>,
}

// Colours are sRGB with premultiplied alpha, and the target converts from linear.
@vertex
fn line_vertex(@location(0) position: vec3<f32>, @location(1) color: vec4<f32>) -> LineOut {
    return LineOut(clip_position(position), vec4(pow(color.rgb, vec3(2.2)), color.a));
}

@fragment
fn line_fragment(in: LineOut) -> @location(0) vec4<f32> {
    return in.color;
}
