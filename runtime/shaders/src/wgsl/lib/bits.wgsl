// Textures of RGBA32Uint texels that are indexed as one array, in rows of 2 048: tables, palettes, instances and
// vertices that were skinned before.

fn bits_get(texels: texture_2d<u32>, at: u32) -> vec4<u32> {
    return textureLoad(texels, vec2(at & 2047u, at >> 11u), 0);
}

fn bits_floats(texels: texture_2d<u32>, at: u32) -> vec4<f32> {
    return bitcast<vec4<f32>>(bits_get(texels, at));
}

// Three texels: the rows of a transform. Needs affine.
fn bits_affine(texels: texture_2d<u32>, at: u32) -> Affine {
    return affine_from_rows(mat3x4(
        bits_floats(texels, at),
        bits_floats(texels, at + 1u),
        bits_floats(texels, at + 2u),
    ));
}

// Two texels: real and dual part. Needs dual_quat.
fn bits_dual(texels: texture_2d<u32>, at: u32) -> DualQuat {
    return DualQuat(bits_floats(texels, at), bits_floats(texels, at + 1u));
}
