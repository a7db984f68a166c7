// Vertices from `vertex` and `vertex-ray`: an offset from rest and a normal, a texel each. Needs set, codec, texel,
// octahedron.

@group(1) @binding(2) var texels: Texels;
@group(1) @binding(3) var normals: NormalTexels;

fn ray_read(frame_number: u32, item: u32) -> vec3<f32> {
    let codec = set_info.codec;
    let raw = texel_read(texels, set_info.grid, frame_number, item);
    return unit_or(codec_unit(codec, raw).xyz, vec3(0.0)) * (codec.level_scale * raw.w);
}

fn offset_between(pair: FramePair, item: u32) -> vec3<f32> {
    let codec = set_info.codec;
    if IS_RAY {
        let ray = mix(ray_read(pair.first, item), ray_read(pair.second, item), pair.fraction);
        return codec.offset.xyz + codec.scale.xyz * ray;
    }
    return codec.offset.xyz + codec.scale.xyz * texel_between(texels, set_info.grid, pair, item).xyz;
}

fn normal_raw(frame_number: u32, item: u32) -> vec3<f32> {
    return normals_load(normals, grid_texel(set_info.normals, frame_number, item)).xyz;
}

fn normal_decode(raw: vec3<f32>) -> vec3<f32> {
    return set_info.codec.normal_offset + set_info.codec.normal_scale * raw;
}

fn normal_between(pair: FramePair, item: u32) -> vec3<f32> {
    let a = normal_raw(pair.first, item);
    let b = normal_raw(pair.second, item);
    if IS_OCTAHEDRAL {
        let from_normal = vector_from_octahedron(normal_decode(a).xy);
        let to_normal = vector_from_octahedron(normal_decode(b).xy);
        // As if both were of unit length, but for a length in common.
        let mixed = from_normal * ((1.0 - pair.fraction) * length(to_normal))
            + to_normal * (pair.fraction * length(from_normal));
        return unit_or(mixed, from_normal);
    }
    return unit_or(normal_decode(mix(a, b, pair.fraction)), vec3(0.0, 1.0, 0.0));
}

fn vertex_between(pair: FramePair, places: vec2<u32>) -> Moved {
    return Moved(offset_between(pair, places.x), normal_between(pair, places.y));
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
