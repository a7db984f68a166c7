// Interpolation of vertices along arcs (`slerp-vertices`), which avoids the shrinking of linearly interpolated
// matrices.

// Interpolates about the origin: the direction along the arc at constant speed, the distance linearly. Linear if both
// positions are on one line with the origin.
fn slerp_positions(from_position: vec3<f32>, to_position: vec3<f32>, f: f32) -> vec3<f32> {
    let near = length(from_position);
    let far = length(to_position);
    let scale = near * far;
    let sine = length(cross(from_position, to_position)) / scale;
    if scale == 0.0 || sine <= 1e-5 {
        return mix(from_position, to_position, f);
    }
    let angle = atan2(sine, dot(from_position, to_position) / scale);
    let direction = from_position / near * (sin((1.0 - f) * angle) / sine) + to_position / far * (sin(f * angle) / sine);
    return direction * mix(near, far, f);
}
