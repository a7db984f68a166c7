// Vertices that go along arcs between frames: P0's remedy for what linear blending of matrices shrinks.

// From one place to another about the origin: the direction along the arc at an even speed, the distance evenly.
// Straight where they are on one line with the origin.
fn slerp_positions(from_place: vec3<f32>, to_place: vec3<f32>, f: f32) -> vec3<f32> {
    let near = length(from_place);
    let far = length(to_place);
    let scale = near * far;
    let sine = length(cross(from_place, to_place)) / scale;
    if scale == 0.0 || sine <= 1e-5 {
        return mix(from_place, to_place, f);
    }
    let angle = atan2(sine, dot(from_place, to_place) / scale);
    let direction = from_place / near * (sin((1.0 - f) * angle) / sine) + to_place / far * (sin(f * angle) / sine);
    return direction * mix(near, far, f);
}
