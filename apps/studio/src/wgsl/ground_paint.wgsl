// Colour of the ground of a formation. Flat surfaces have no outline to be lit.

const OUTLINE: f32 = 0.0;

fn body_color(in: VertexOut) -> vec4<f32> {
    return in.color;
}
