// How a surface looks.

struct Material {
    base_color: vec4<f32>,
    // What is less opaque is not there; 0 where alpha is not used.
    @size(16) alpha_cutoff: f32,
}
