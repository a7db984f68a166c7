// `bone-matrix` as P0 has it: three texels, the columns of the linear part, each with a number of the position.
// Needs affine, quat, dual_quat, grid, codec, texel.

alias Bone = Affine;

fn bone_decode(own: Codec, raw: mat3x4<f32>) -> Bone {
    return Affine(
        mat3x3(codec_unit(own, raw[0]).xyz, codec_unit(own, raw[1]).xyz, codec_unit(own, raw[2]).xyz),
        own.offset.xyz + own.scale.xyz * vec3(raw[0].w, raw[1].w, raw[2].w),
    );
}
