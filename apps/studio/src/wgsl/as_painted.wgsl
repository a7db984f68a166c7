// Colour of a vertex with the tint of its instance.

// Strength of light on outlines.
const OUTLINE: f32 = 1.0;

fn body_color(in: VertexOut) -> vec4<f32> {
    return in.color * in.tint;
}
