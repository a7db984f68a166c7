// Skins the vertices of a part once per group of instances: one thread per vertex, one row of workgroups per group. Needs
// instances, which are the first of each group.

struct SkinnedPart {
    first_vertex: u32,
    @size(12) vertices: u32,
}

// The vertex buffers as words: 7 and 16 per vertex.
@group(1) @binding(8) var<storage, read> vertex_words: array<u32>;
@group(1) @binding(9) var<storage, read> attribute_words: array<u32>;
@group(1) @binding(11) var skinned_positions: texture_storage_2d<rgba32uint, write>;
@group(1) @binding(12) var skinned_normals: texture_storage_2d<rgba32uint, write>;
@group(1) @binding(13) var<uniform> skinned_part: SkinnedPart;

fn vertex_float(at: u32) -> f32 {
    return bitcast<f32>(vertex_words[at]);
}

fn attribute_vector(at: u32) -> vec4<u32> {
    return vec4(attribute_words[at], attribute_words[at + 1u], attribute_words[at + 2u], attribute_words[at + 3u]);
}

// A vertex without UV, colour and instance.
fn vertex_read(index: u32) -> VertexIn {
    let at = 7u * index;
    let rest = 16u * index;
    var v: VertexIn;
    v.position = vec4(vertex_float(at), vertex_float(at + 1u), vertex_float(at + 2u), vertex_float(at + 3u));
    v.normal = vec3(vertex_float(at + 4u), vertex_float(at + 5u), vertex_float(at + 6u));
    v.indices = attribute_vector(rest + 12u);
    v.index = index;
    return with_influences(v, rest + 4u);
}

@compute @workgroup_size(64)
fn skin_once(@builtin(global_invocation_id) thread: vec3<u32>) {
    if thread.x >= skinned_part.vertices || frame_is_gap(frame, thread.y) {
        return;
    }
    let v = vertex_read(skinned_part.first_vertex + thread.x);
    let deformed = vertex_deformed(v, instance_read(thread.y));
    let texel = thread.y * set_info.vertices + v.index;
    let at = vec2(texel & 2047u, texel >> 11u);
    textureStore(skinned_positions, at, vec4(bitcast<vec3<u32>>(deformed.position), tangent_pack(deformed.tangent)));
    textureStore(skinned_normals, at, vec4(bitcast<vec3<u32>>(deformed.normal), 1u));
}
