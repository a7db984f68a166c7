// Vertices of `vertex` and `vertex-ray`: an offset from the rest position and a normal, one texel each. Needs set, codec,
// texel and octahedron.

@group(1) @binding(2) var texels: Texels;
@group(1) @binding(3) var normals: NormalTexels;

// The codec with the range of offsets.
fn vertex_codec() -> Codec {
    return codec_of_bone(set_info.codec, tables, 0u);
}

fn ray_read(frame_number: u32, item: u32) -> vec3<f32> {
    let codec = set_info.codec;
    let raw = texel_read(texels, set_info.grid, frame_number, item);
    return unit_or(codec_unit(codec, raw).xyz, vec3(0.0)) * (codec.level_scale * raw.w);
}

fn offset_between(pair: FramePair, item: u32) -> vec3<f32> {
    let codec = vertex_codec();
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
        // Multiplying each by the other's length replaces two normalisations: only a common factor is left.
        let mixed = from_normal * ((1.0 - pair.fraction) * length(to_normal))
            + to_normal * (pair.fraction * length(from_normal));
        return unit_or(mixed, from_normal);
    }
    return unit_or(normal_decode(mix(a, b, pair.fraction)), vec3(0.0, 1.0, 0.0));
}

// `items` are the indices of the position and of the normal.
fn vertex_between(pair: FramePair, items: vec2<u32>) -> Deformed {
    return Deformed(offset_between(pair, items.x), normal_between(pair, items.y), vec3(0.0));
}

fn deform(v: VertexIn, instance: Instance) -> Deformed {
    let frames = instance_frames(instance);
    var deformed = vertex_between(frames.first, v.indices.zw);
    if HAS_FADES && frames.fade != 0.0 {
        deformed = deformed_mix(deformed, vertex_between(frames.second, v.indices.zw), frames.fade);
    }
    deformed.position += v.position.xyz;
    return deformed;
}
