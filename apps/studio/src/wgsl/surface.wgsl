// Surface colour of a part. Needs material.

@group(2) @binding(0) var<uniform> material: Material;
@group(2) @binding(1) var base_texture: texture_2d<f32>;
@group(2) @binding(2) var base_sampler: sampler;

fn surface_color(uv: vec2<f32>, color: vec4<f32>) -> vec4<f32> {
    return material.base_color * color * textureSample(base_texture, base_sampler, uv);
}
