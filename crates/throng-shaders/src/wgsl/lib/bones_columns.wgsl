// `bone-matrix` as P0 has it: three texels, the columns of the linear part, each with a number of the position.
// Needs affine, quat, dual_quat, grid, codec, texel.

alias Bone = Affine;

// `place` is the bone's first item.
fn bone_read(texels: Texels, tables: Tables, grid: Grid, codec: Codec, frame: u32, place: u32) -> Bone {
    let own = codec_of_bone(codec, tables, place / 3u);
    let x = texel_read(texels, grid, frame, place);
    let y = texel_read(texels, grid, frame, place + 1u);
    let z = texel_read(texels, grid, frame, place + 2u);
    return Affine(
        mat3x3(codec_unit(own, x).xyz, codec_unit(own, y).xyz, codec_unit(own, z).xyz),
        own.offset.xyz + own.scale.xyz * vec3(x.w, y.w, z.w),
    );
}
