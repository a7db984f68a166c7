// Colour of a vertex with the tint of its instance.

fn body_color(in: VertexOut) -> vec4<f32> {
    return in.color * in.tint;
}
