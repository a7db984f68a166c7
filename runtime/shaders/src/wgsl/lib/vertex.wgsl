// A vertex before and after it is moved.

// As it was bound. `joints` hold the number of a palette's entry in the lower half and the place of its bone in
// a texture in the upper. `more` is where further influences are, and how many.
struct Bound {
    position: vec3<f32>,
    normal: vec3<f32>,
    // How much of the dual quaternions there is in blends.
    factor: f32,
    joints: vec4<u32>,
    weights: vec4<f32>,
    more: vec2<u32>,
}

struct Moved {
    position: vec3<f32>,
    normal: vec3<f32>,
}
