// Bones of `bone-matrix` in the layout of the preset `p0-matrix8`: three texels, the columns of the linear part in xyz and the
// position in w. Needs affine, quat, dual_quat, grid, codec, texel.

alias Bone = Affine;

fn bone_decode(bone_codec: Codec, raw: mat3x4<f32>) -> Bone {
    return Affine(
        mat3x3(
            codec_unit(bone_codec, raw[0]).xyz,
            codec_unit(bone_codec, raw[1]).xyz,
            codec_unit(bone_codec, raw[2]).xyz,
        ),
        bone_codec.offset.xyz + bone_codec.scale.xyz * vec3(raw[0].w, raw[1].w, raw[2].w),
    );
}
