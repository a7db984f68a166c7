// Functions of Throng for engines, generated from WGSL by naga: do not edit. Vertices and time are arguments;
// instances and the set are read from textures. The section "Shader functions for engines" of docs/format.md
// describes every argument, texture and table.
//
// Functions:
//   throng_vertex(position, normal, joints, weights, indices, instance, now)
//       position and normal in model space, with the instance's clips, cross-fade and fraction
//   throng_position(position, normal, joints, weights, indices, instance, now)
//       the position alone, for depth and shadow passes
//   throng_normal(position, normal, joints, weights, indices, instance, now)
//       the normal alone, of unit length
//   throng_world_from_model(instance)
//       matrix from model space to world space
//   throng_to_world(vertex, instance)
//       a vertex of throng_vertex in world space, the normal by the cofactor matrix
//   throng_tint(instance)
//       RGBA factor of the material's colour, from 0 to 1
//   throng_user(instance)
//       the word that is free for the caller
//
// Arguments:
//   position       vec4: undeformed position; w is the blend factor between LBS (0) and DQS (1)
//   normal         vec3: undeformed normal, of unit length
//   joints         uvec4: four influences, heaviest first; palette index + 65536 * bone offset
//   weights        vec4: their weights
//   indices        uvec4: first influence past the fourth, their number; items of position and normal, or morph targets
//   instance       uint: index of the instance
//   now            uint: time in ticks of 1/65536 s, which wrap
//
// Bindings:
//   throng_set_info    description of the set: replace the constant of zeros between the markers
//   throng_palette     usampler2D; RGBA32UI, 2048 columns: matrices, filled by throng_palette_texel
//   throng_influences  usampler2D; RG32UI, 2048 columns: influences past the fourth
//   throng_instances   usampler2D; RGBA32UI, 2048 columns: six texels per instance
//   throng_options     options that fit every set: the constant between the markers may be replaced

// throng:begin bindings
@group(1) @binding(7)
var throng_instances: texture_2d<u32>;
@group(1) @binding(2)
var throng_palette: texture_2d<u32>;
@group(1) @binding(4)
var throng_influences: texture_2d<u32>;
// throng:end bindings

struct throng_Options {
    max_influences: u32,
    has_fades: u32,
    word_column_bits: u32,
    word_rows: u32,
    word_layers: u32,
    max_key_bits: u32,
    clip_records: u32,
}

struct throng_Affine {
    linear: mat3x3<f32>,
    translation: vec3<f32>,
}

struct throng_Play {
    clip: u32,
    time: u32,
    period: u32,
}

struct throng_Grid {
    first_column: u32,
    first_row: u32,
    columns: u32,
    rows_per_frame: u32,
    by_columns: u32,
    height: u32,
    layers: u32,
    padding: u32,
}

struct throng_Codec {
    offset: vec4<f32>,
    scale: vec4<f32>,
    size_offset: vec4<f32>,
    size_scale: vec4<f32>,
    unit_offset: f32,
    unit_scale: f32,
    level_scale: f32,
    normal_offset: f32,
    normal_scale: f32,
    axis_items: u32,
    range_table: u32,
    bone_table: u32,
}

struct throng_JointCurves {
    clip_table: u32,
    joint_table: u32,
    record_words: u32,
    curves: u32,
    joints: u32,
}

struct throng_SetInfo {
    grid: throng_Grid,
    normals: throng_Grid,
    morphs: throng_Grid,
    codec: throng_Codec,
    joint_curves: throng_JointCurves,
    vertex_curve_range: vec4<f32>,
    clip_table: u32,
    inverse_bind_table: u32,
    dual_inverse_bind_table: u32,
    morph_table: u32,
    palette_len: u32,
    palette_stride: u32,
    vertices: u32,
    position_curves: u32,
    bone_offset_table: u32,
    inverse_binds_are_matrices: u32,
}

struct throng_BindVertex {
    position: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec3<f32>,
    deform_factor: f32,
    joints: vec4<u32>,
    weights: vec4<f32>,
    more: vec2<u32>,
}

struct throng_Deformed {
    position: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec3<f32>,
}

struct throng_Instance {
    world_from_model: throng_Affine,
    tint: vec4<f32>,
    first: throng_Play,
    second: throng_Play,
    fade_start: u32,
    fade_duration: u32,
    fraction: f32,
    user: u32,
    group: u32,
    index: u32,
    now: u32,
}

struct throng_Influence {
    joint: u32,
    weight: f32,
}

struct throng_Accumulator {
    method: throng_Affine,
}

struct throng_VertexIn {
    position: vec4<f32>,
    normal: vec3<f32>,
    joints: vec4<u32>,
    weights: vec4<f32>,
    indices: vec4<u32>,
}

struct ThrongVertex {
    position: vec3<f32>,
    normal: vec3<f32>,
}

// throng:begin options
const throng_options: throng_Options = throng_Options(5u, 1u, 0u, 0u, 0u, 64u, 0u);
// throng:end options

// throng:begin set_info
const throng_set_info: throng_SetInfo = throng_SetInfo(
    throng_Grid(0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u),
    throng_Grid(0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u),
    throng_Grid(0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u),
    throng_Codec(vec4(0.0f, 0.0f, 0.0f, 0.0f), vec4(0.0f, 0.0f, 0.0f, 0.0f), vec4(0.0f, 0.0f, 0.0f, 0.0f), vec4(0.0f, 0.0f, 0.0f, 0.0f), 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0u, 0u, 0u),
    throng_JointCurves(0u, 0u, 0u, 0u, 0u),
    vec4(0.0f, 0.0f, 0.0f, 0.0f),
    0u, 0u, 0u, 0u,
    0u, 0u, 0u, 0u,
    0u, 0u
);
// throng:end set_info

fn throng_affine_from_rows(rows_1: mat3x4<f32>) -> throng_Affine {
    let columns_1 = transpose(rows_1);
    return throng_Affine(mat3x3<f32>(columns_1[0], columns_1[1], columns_1[2]), columns_1[3]);
}

fn throng_affine_scaled(a_1: throng_Affine, weight_1: f32) -> throng_Affine {
    return throng_Affine((a_1.linear * weight_1), (a_1.translation * weight_1));
}

fn throng_affine_add_scaled(sum_1: throng_Affine, a_1: throng_Affine, weight_1: f32) -> throng_Affine {
    return throng_Affine((sum_1.linear + (a_1.linear * weight_1)), (sum_1.translation + (a_1.translation * weight_1)));
}

fn throng_affine_point(a_1: throng_Affine, point_1: vec3<f32>) -> vec3<f32> {
    return ((a_1.linear * point_1) + a_1.translation);
}

fn throng_unit_or(v_1: vec3<f32>, fallback_1: vec3<f32>) -> vec3<f32> {
    let square_1 = dot(v_1, v_1);
    return select(fallback_1, (v_1 * inverseSqrt(square_1)), (square_1 > 0f));
}

fn throng_affine_normal(a_1: throng_Affine, normal_1: vec3<f32>) -> vec3<f32> {
    let m_1 = a_1.linear;
    let _e14 = throng_unit_or((mat3x3<f32>(cross(m_1[1], m_1[2]), cross(m_1[2], m_1[0]), cross(m_1[0], m_1[1])) * normal_1), normal_1);
    return _e14;
}

fn throng_any_orthonormal(v_1: vec3<f32>) -> vec3<f32> {
    let sign_1 = select(-1f, 1f, (v_1.z >= 0f));
    let a_1 = (-1f / (sign_1 + v_1.z));
    let b_1 = ((v_1.x * v_1.y) * a_1);
    return vec3<f32>(b_1, (sign_1 + ((v_1.y * v_1.y) * a_1)), -(v_1.y));
}

fn throng_bits_get(texels_1: texture_2d<u32>, at_1: u32) -> vec4<u32> {
    let _e8 = textureLoad(texels_1, vec2<u32>((at_1 & 2047u), (at_1 >> 11u)), 0i);
    return _e8;
}

fn throng_bits_floats(texels_1: texture_2d<u32>, at_1: u32) -> vec4<f32> {
    let _e2 = throng_bits_get(texels_1, at_1);
    return bitcast<vec4<f32>>(_e2);
}

fn throng_bits_affine(texels_1: texture_2d<u32>, at_1: u32) -> throng_Affine {
    let _e2 = throng_bits_floats(texels_1, at_1);
    let _e5 = throng_bits_floats(texels_1, (at_1 + 1u));
    let _e8 = throng_bits_floats(texels_1, (at_1 + 2u));
    let _e10 = throng_affine_from_rows(mat3x4<f32>(_e2, _e5, _e8));
    return _e10;
}

fn throng_flat_tangent(tangent_1: vec3<f32>, normal_1: vec3<f32>) -> vec3<f32> {
    let flat_1 = (tangent_1 - (normal_1 * dot(normal_1, tangent_1)));
    let is_rounding_1 = (dot(flat_1, flat_1) <= (0.000000000001f * dot(tangent_1, tangent_1)));
    let _e10 = throng_any_orthonormal(normal_1);
    let other_1 = select(vec3(0f), _e10, (dot(tangent_1, tangent_1) > 0f));
    let _e20 = throng_unit_or(select(flat_1, vec3(0f), is_rounding_1), other_1);
    return _e20;
}

fn throng_affine_tangent(a_1: throng_Affine, tangent_1: vec3<f32>, normal_1: vec3<f32>) -> vec3<f32> {
    if true {
        return vec3(0f);
    }
    let _e8 = throng_flat_tangent((a_1.linear * tangent_1), normal_1);
    return _e8;
}

fn throng_vertex_transform(matrix_1: throng_Affine, vertex_1: throng_BindVertex) -> throng_Deformed {
    let _e3 = throng_affine_normal(matrix_1, vertex_1.normal);
    let _e5 = throng_affine_point(matrix_1, vertex_1.position);
    let _e7 = throng_affine_tangent(matrix_1, vertex_1.tangent, _e3);
    return throng_Deformed(_e5, _e3, _e7);
}

fn throng_instance_unpack(x_1: vec4<u32>, y_1: vec4<u32>, z_1: vec4<u32>, a_1: vec4<u32>, b_1: vec4<u32>, c_1: vec4<u32>, index_1: u32, now_1: u32) -> throng_Instance {
    let rows_1 = mat3x4<f32>(bitcast<vec4<f32>>(x_1), bitcast<vec4<f32>>(y_1), bitcast<vec4<f32>>(z_1));
    let _e12 = throng_affine_from_rows(rows_1);
    return throng_Instance(_e12, unpack4x8unorm(a_1.x), throng_Play(a_1.y, a_1.z, a_1.w), throng_Play(b_1.x, b_1.y, b_1.z), b_1.w, c_1.x, bitcast<f32>(c_1.y), c_1.z, c_1.w, index_1, now_1);
}

fn throng_instance_blend(instance_1: throng_Instance, bind_1: throng_Deformed, animated_1: throng_Deformed) -> throng_Deformed {
    let is_animated_1 = (instance_1.fraction == 1f);
    return throng_Deformed(select(mix(bind_1.position, animated_1.position, instance_1.fraction), animated_1.position, is_animated_1), select(mix(bind_1.normal, animated_1.normal, instance_1.fraction), animated_1.normal, is_animated_1), select(mix(bind_1.tangent, animated_1.tangent, instance_1.fraction), animated_1.tangent, is_animated_1));
}

fn throng_instance_read(index_1: u32) -> throng_Instance {
    let at_1 = (6u * index_1);
    let _e4 = throng_bits_get(throng_instances, at_1);
    let _e8 = throng_bits_get(throng_instances, (at_1 + 1u));
    let _e12 = throng_bits_get(throng_instances, (at_1 + 2u));
    let _e16 = throng_bits_get(throng_instances, (at_1 + 3u));
    let _e20 = throng_bits_get(throng_instances, (at_1 + 4u));
    let _e24 = throng_bits_get(throng_instances, (at_1 + 5u));
    let _e30 = throng_instance_unpack(_e4, _e8, _e12, _e16, _e20, _e24, index_1, select(0u, 0u, (index_1 >= 4294967295u)));
    return _e30;
}

fn throng_instance_at(index_1: u32, now_1: u32) -> throng_Instance {
    var instance_1: throng_Instance;

    let _e2 = throng_instance_read(index_1);
    instance_1 = _e2;
    instance_1.now = now_1;
    let _e5 = instance_1;
    return _e5;
}

fn throng_pose_of(instance_1: throng_Instance) -> u32 {
    let _e4 = throng_set_info.palette_stride;
    return (instance_1.index * _e4);
}

fn throng_joint_affine(pose_1: u32, joint_1: u32) -> throng_Affine {
    let _e8 = throng_bits_affine(throng_palette, (pose_1 + (3u * (joint_1 & 65535u))));
    return _e8;
}

fn throng_influence_read(at_1: u32) -> throng_Influence {
    let texel_1 = textureLoad(throng_influences, vec2<u32>((at_1 & 2047u), (at_1 >> 11u)), 0i);
    return throng_Influence(texel_1.x, bitcast<f32>(texel_1.y));
}

fn throng_method_first(pose_1: u32, joint_1: u32, weight_1: f32) -> throng_Affine {
    let _e3 = throng_joint_affine(pose_1, joint_1);
    let _e4 = throng_affine_scaled(_e3, weight_1);
    return _e4;
}

fn throng_accumulate_first(pose_1: u32, joint_1: u32, weight_1: f32) -> throng_Accumulator {
    let _e3 = throng_method_first(pose_1, joint_1, weight_1);
    return throng_Accumulator(_e3);
}

fn throng_method_add(sum_1: throng_Affine, pose_1: u32, joint_1: u32, weight_1: f32) -> throng_Affine {
    let _e4 = throng_joint_affine(pose_1, joint_1);
    let _e5 = throng_affine_add_scaled(sum_1, _e4, weight_1);
    return _e5;
}

fn throng_accumulate(sum_1: throng_Accumulator, pose_1: u32, joint_1: u32, weight_1: f32) -> throng_Accumulator {
    let _e5 = throng_method_add(sum_1.method, pose_1, joint_1, weight_1);
    return throng_Accumulator(_e5);
}

fn throng_accumulate_influences(pose_1: u32, vertex_1: throng_BindVertex) -> throng_Accumulator {
    var sum_1: throng_Accumulator;
    var joints_1: vec2<u32>;
    var weights_1: vec2<f32>;
    var local_1: bool;
    var k_1: u32 = 0u;

    let _e6 = throng_accumulate_first(pose_1, vertex_1.joints.x, vertex_1.weights.x);
    sum_1 = _e6;
    let _e10 = throng_options.max_influences;
    if (_e10 > 1u) {
        let _e13 = sum_1;
        let _e18 = throng_accumulate(_e13, pose_1, vertex_1.joints.y, vertex_1.weights.y);
        sum_1 = _e18;
    }
    joints_1 = vertex_1.joints.zw;
    weights_1 = vertex_1.weights.zw;
    loop {
        let _e27 = throng_options.max_influences;
        if (_e27 > 2u) {
            let _e33 = weights_1.x;
            local_1 = (_e33 != 0f);
        } else {
            local_1 = false;
        }
        let _e37 = local_1;
        if _e37 {
        } else {
            break;
        }
        {
            let _e38 = sum_1;
            let _e40 = joints_1.x;
            let _e42 = weights_1.x;
            let _e43 = throng_accumulate(_e38, pose_1, _e40, _e42);
            sum_1 = _e43;
            let _e45 = joints_1.y;
            joints_1 = vec2<u32>(_e45, 0u);
            let _e49 = weights_1.y;
            weights_1 = vec2<f32>(_e49, 0f);
        }
    }
    let _e54 = throng_options.max_influences;
    if (_e54 > 4u) {
        loop {
            let _e59 = k_1;
            if (_e59 < vertex_1.more.y) {
            } else {
                break;
            }
            {
                let _e65 = k_1;
                let _e67 = throng_influence_read((vertex_1.more.x + _e65));
                let _e68 = sum_1;
                let _e71 = throng_accumulate(_e68, pose_1, _e67.joint, _e67.weight);
                sum_1 = _e71;
            }
            continuing {
                let _e73 = k_1;
                k_1 = (_e73 + 1u);
            }
        }
    }
    let _e75 = sum_1;
    return _e75;
}

fn throng_skin_vertex(sum_1: throng_Accumulator, vertex_1: throng_BindVertex) -> throng_Deformed {
    let _e3 = throng_vertex_transform(sum_1.method, vertex_1);
    return _e3;
}

fn throng_morphed(vertex_1: throng_BindVertex, instance_1: throng_Instance, morph_1: vec2<u32>) -> throng_BindVertex {
    return vertex_1;
}

fn throng_vertex_tangent(v_1: throng_VertexIn) -> vec3<f32> {
    return vec3(0f);
}

fn throng_bind_vertex(v_1: throng_VertexIn) -> throng_BindVertex {
    let deform_factor_1 = (1f * v_1.position.w);
    let _e8 = throng_vertex_tangent(v_1);
    return throng_BindVertex(v_1.position.xyz, v_1.normal, _e8, deform_factor_1, v_1.joints, v_1.weights, v_1.indices.xy);
}

fn throng_deform(v_1: throng_VertexIn, instance_1: throng_Instance) -> throng_Deformed {
    let _e2 = throng_bind_vertex(v_1);
    let _e5 = throng_morphed(_e2, instance_1, v_1.indices.zw);
    let _e6 = throng_pose_of(instance_1);
    let _e7 = throng_accumulate_influences(_e6, _e5);
    let _e8 = throng_skin_vertex(_e7, _e5);
    return _e8;
}

fn throng_vertex_in(position_1: vec4<f32>, normal_1: vec3<f32>, joints_1: vec4<u32>, weights_1: vec4<f32>, indices_1: vec4<u32>) -> throng_VertexIn {
    return throng_VertexIn(position_1, normal_1, joints_1, weights_1, indices_1);
}

fn throng_vertex_posed(v_1: throng_VertexIn, instance_1: throng_Instance) -> ThrongVertex {
    let bind_1 = throng_Deformed(v_1.position.xyz, v_1.normal, vec3(0f));
    let _e8 = throng_deform(v_1, instance_1);
    let _e9 = throng_instance_blend(instance_1, bind_1, _e8);
    let _e13 = throng_unit_or(_e9.normal, v_1.normal);
    return ThrongVertex(_e9.position, _e13);
}

fn throng_vertex(position_1: vec4<f32>, normal_1: vec3<f32>, joints_1: vec4<u32>, weights_1: vec4<f32>, indices_1: vec4<u32>, instance_1: u32, now_1: u32) -> ThrongVertex {
    let _e7 = throng_vertex_in(position_1, normal_1, joints_1, weights_1, indices_1);
    let _e8 = throng_instance_at(instance_1, now_1);
    let _e9 = throng_vertex_posed(_e7, _e8);
    return _e9;
}

fn throng_position(position_1: vec4<f32>, normal_1: vec3<f32>, joints_1: vec4<u32>, weights_1: vec4<f32>, indices_1: vec4<u32>, instance_1: u32, now_1: u32) -> vec3<f32> {
    let _e7 = throng_vertex(position_1, normal_1, joints_1, weights_1, indices_1, instance_1, now_1);
    return _e7.position;
}

fn throng_normal(position_1: vec4<f32>, normal_1: vec3<f32>, joints_1: vec4<u32>, weights_1: vec4<f32>, indices_1: vec4<u32>, instance_1: u32, now_1: u32) -> vec3<f32> {
    let _e7 = throng_vertex(position_1, normal_1, joints_1, weights_1, indices_1, instance_1, now_1);
    return _e7.normal;
}

fn throng_world_from_model(instance_1: u32) -> mat4x4<f32> {
    let _e1 = throng_instance_read(instance_1);
    let matrix_1 = _e1.world_from_model;
    return mat4x4<f32>(vec4<f32>(matrix_1.linear[0], 0f), vec4<f32>(matrix_1.linear[1], 0f), vec4<f32>(matrix_1.linear[2], 0f), vec4<f32>(matrix_1.translation, 1f));
}

fn throng_to_world(vertex_1: ThrongVertex, instance_1: u32) -> ThrongVertex {
    let _e2 = throng_instance_read(instance_1);
    let matrix_1 = _e2.world_from_model;
    let _e5 = throng_affine_point(matrix_1, vertex_1.position);
    let _e7 = throng_affine_normal(matrix_1, vertex_1.normal);
    return ThrongVertex(_e5, _e7);
}

fn throng_tint(instance_1: u32) -> vec4<f32> {
    let _e1 = throng_instance_read(instance_1);
    return _e1.tint;
}

fn throng_user(instance_1: u32) -> u32 {
    let _e1 = throng_instance_read(instance_1);
    return _e1.user;
}
