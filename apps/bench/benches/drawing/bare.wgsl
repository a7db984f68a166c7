// The smallest shader that draws a static crowd.

@group(0) @binding(0) var<uniform> clip_from_world: mat4x4<f32>;

struct BareIn {
    @location(0) position: vec4<f32>,
    @location(1) normal: vec3<f32>,
    @location(3) color: vec4<f32>,
    @location(7) row_x: vec4<u32>,
    @location(8) row_y: vec4<u32>,
    @location(9) row_z: vec4<u32>,
    @location(10) tint: vec4<u32>,
}

struct BareOut {
    @builtin(position) at: vec4<f32>,
    @location(0) normal: vec3<f32>,
    @location(1) color: vec4<f32>,
}

@vertex
fn bare_vertex(v: BareIn) -> BareOut {
    let rows = mat3x4(bitcast<vec4<f32>>(v.row_x), bitcast<vec4<f32>>(v.row_y), bitcast<vec4<f32>>(v.row_z));
    let position = vec4(v.position.xyz, 1.0) * rows;
    let color = v.color * unpack4x8unorm(v.tint.x);
    return BareOut(clip_from_world * vec4(position, 1.0), vec4(v.normal, 0.0) * rows, color);
}

@fragment
fn bare_fragment(in: BareOut) -> @location(0) vec4<f32> {
    let light = 0.5 + 0.5 * dot(normalize(in.normal), vec3(0.36, 0.8, 0.48));
    return vec4(in.color.rgb * light, 1.0);
}
