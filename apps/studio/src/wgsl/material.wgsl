// Material of a part.

struct Material {
    base_color: vec4<f32>,
    // Surfaces with less alpha are cut out; 0 ignores alpha.
    @size(16) alpha_cutoff: f32,
}
