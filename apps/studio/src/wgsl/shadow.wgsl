// Depth of shadow casters, with alpha cutoff. Needs camera and surface.

@fragment
fn shade(in: VertexOut) {
    let alpha = surface_color(in.uv, in.color * in.tint).a;
    if alpha < material.alpha_cutoff {
        discard;
    }
}
