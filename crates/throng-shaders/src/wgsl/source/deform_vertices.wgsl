// Vertices from `vertex` and `vertex-ray`: an offset from rest and a normal, a texel each. Needs set, codec, texel,
// octahedron.

@group(1) @binding(2) var texels: Texels;
@group(1) @binding(3) var normals: NormalTexels;

fn offset_read(frame_number: u32, item: u32) -> vec3<f32> {
    let codec = set_info.codec;
    let raw = texel_read(texels, set_info.grid, frame_number, item);
    if !IS_RAY {
        return codec.offset.xyz + codec.scale.xyz * raw.xyz;
    }
    let ray = unit_or(codec_unit(codec, raw).xyz, vec3(0.0)) * (codec.level_scale * raw.w);
    return codec.offset.xyz + codec.scale.xyz * ray;
}

fn normal_read(frame_number: u32, item: u32) -> vec3<f32> {
    let raw = normals_load(normals, grid_texel(set_info.normals, frame_number, item));
    let unit = set_info.codec.normal_offset + set_info.codec.normal_scale * raw.xyz;
    if IS_OCTAHEDRAL {
        return unit_or(vector_from_octahedron(unit.xy), vec3(0.0, 1.0, 0.0));
    }
    return unit_or(unit, vec3(0.0, 1.0, 0.0));
}

fn vertex_between(pair: FramePair, places: vec2<u32>) -> Moved {
    let first_normal = normal_read(pair.first, places.y);
    return Moved(
        mix(offset_read(pair.first, places.x), offset_read(pair.second, places.x), pair.fraction),
        unit_or(mix(first_normal, normal_read(pair.second, places.y), pair.fraction), first_normal),
    );
}

fn deform(v: VertexIn, instance: Instance) -> Moved {
    let frames = instance_frames(instance);
    var moved = vertex_between(frames.first, v.places.zw);
    if HAS_FADES && frames.fade != 0.0 {
        let second = vertex_between(frames.second, v.places.zw);
        moved.position = mix(moved.position, second.position, frames.fade);
        moved.normal = unit_or(mix(moved.normal, second.normal, frames.fade), moved.normal);
    }
    moved.position += v.position.xyz;
    return moved;
}
