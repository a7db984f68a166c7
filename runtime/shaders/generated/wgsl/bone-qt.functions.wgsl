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
//   throng_vertex_at(position, normal, joints, weights, indices, clip, time_secs)
//       position and normal of a clip at a time from its start, without an instance
//
// Arguments:
//   position       vec4: undeformed position; w is the blend factor between LBS (0) and DQS (1)
//   normal         vec3: undeformed normal, of unit length
//   joints         uvec4: four influences, heaviest first; palette index + 65536 * bone offset
//   weights        vec4: their weights
//   indices        uvec4: first influence past the fourth, their number; items of position and normal, or morph targets
//   instance       uint: index of the instance
//   now            uint: time in ticks of 1/65536 s, which wrap
//   clip           uint: index of the clip
//   time_secs      float: seconds from the start of the clip, clamped to the clip
//
// Bindings:
//   throng_set_info    description of the set: replace the constant of zeros between the markers
//   throng_tables      usampler2D; RGBA32UI, 2048 columns: tables of the set
//   throng_texels      usampler2DArray; upload RGBA16, or RGB16 padded to it, as RGBA16UI
//   throng_influences  usampler2D; RG32UI, 2048 columns: influences past the fourth
//   throng_instances   usampler2D; RGBA32UI, 2048 columns: six texels per instance
//   throng_options     options that fit every set: the constant between the markers may be replaced

// throng:begin bindings
@group(1) @binding(1)
var throng_tables: texture_2d<u32>;
@group(1) @binding(7)
var throng_instances: texture_2d<u32>;
@group(1) @binding(2)
var throng_texels: texture_2d_array<u32>;
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

struct throng_ClipTiming {
    first_frame: u32,
    frames: u32,
    rate_hz: f32,
    duration_secs: f32,
    wraps: bool,
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

struct throng_FramePair {
    first: u32,
    second: u32,
    fraction: f32,
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

struct throng_Frames {
    first: throng_FramePair,
    second: throng_FramePair,
    fade: f32,
}

struct throng_Bone {
    rotation: vec4<f32>,
    translation: vec3<f32>,
}

struct throng_RawBone {
    mrp: vec3<f32>,
    position: vec3<f32>,
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

const throng_BACKWARDS: u32 = 2147483648u;

const throng_HELD_FADE: u32 = 4294967295u;

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

fn throng_texels_load(texels_1: texture_2d_array<u32>, at_1: vec3<u32>) -> vec4<f32> {
    let texel_1 = textureLoad(texels_1, at_1.xy, at_1.z, 0i);
    return vec4<f32>(vec4<i32>(texel_1));
}

fn throng_quat_matrix_scale(q_1: vec4<f32>) -> f32 {
    let square_1 = dot(q_1, q_1);
    return select((2f / square_1), 0f, (square_1 < 0.000000000000000000000001f));
}

fn throng_mat3_from_scaled(q_1: vec4<f32>, scale_1: f32) -> mat3x3<f32> {
    let scaled_1 = (q_1.xyz * scale_1);
    let xx_1 = (q_1.x * scaled_1.x);
    let xy_1 = (q_1.x * scaled_1.y);
    let xz_1 = (q_1.x * scaled_1.z);
    let yy_1 = (q_1.y * scaled_1.y);
    let yz_1 = (q_1.y * scaled_1.z);
    let zz_1 = (q_1.z * scaled_1.z);
    let w_1 = (q_1.w * scaled_1);
    return mat3x3<f32>(vec3<f32>((1f - (yy_1 + zz_1)), (xy_1 + w_1.z), (xz_1 - w_1.y)), vec3<f32>((xy_1 - w_1.z), (1f - (xx_1 + zz_1)), (yz_1 + w_1.x)), vec3<f32>((xz_1 + w_1.y), (yz_1 - w_1.x), (1f - (xx_1 + yy_1))));
}

fn throng_mat3_from_quat(q_1: vec4<f32>) -> mat3x3<f32> {
    let _e1 = throng_quat_matrix_scale(q_1);
    let _e2 = throng_mat3_from_scaled(q_1, _e1);
    return _e2;
}

fn throng_quat_from_mrp_unnormalized(p_1: vec3<f32>, square_1: f32) -> vec4<f32> {
    return vec4<f32>((2f * p_1), (1f - square_1));
}

fn throng_quat_from_mrp(p_1: vec3<f32>) -> vec4<f32> {
    let square_1 = dot(p_1, p_1);
    let _e2 = throng_quat_from_mrp_unnormalized(p_1, square_1);
    return (_e2 * (1f / (1f + square_1)));
}

fn throng_quat_aligned(a_1: vec4<f32>, b_1: vec4<f32>) -> vec4<f32> {
    return select(b_1, -(b_1), (dot(a_1, b_1) < 0f));
}

fn throng_quat_slerp(a_1: vec4<f32>, b_1: vec4<f32>, f_1: f32) -> vec4<f32> {
    let _e3 = throng_quat_aligned(a_1, b_1);
    let cosine_1 = min(dot(a_1, _e3), 1f);
    if (cosine_1 > 0.9995f) {
        return normalize(mix(a_1, _e3, f_1));
    }
    let angle_1 = acos(cosine_1);
    return (((sin(((1f - f_1) * angle_1)) * a_1) + (sin((f_1 * angle_1)) * _e3)) / vec4(sin(angle_1)));
}

fn throng_affine_mul(a_1: throng_Affine, b_1: throng_Affine) -> throng_Affine {
    return throng_Affine((a_1.linear * b_1.linear), ((a_1.linear * b_1.translation) + a_1.translation));
}

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

fn throng_divide(n_1: u32, d_1: u32) -> u32 {
    let guess_1 = bitcast<u32>(i32((f32(bitcast<i32>(n_1)) / f32(bitcast<i32>(d_1)))));
    let rest_1 = bitcast<i32>((n_1 - (guess_1 * d_1)));
    return ((guess_1 + select(0u, 1u, (rest_1 >= bitcast<i32>(d_1)))) - select(0u, 1u, (rest_1 < 0i)));
}

fn throng_play_phase(play_1: throng_Play, wraps_1: bool, now_1: u32) -> f32 {
    let elapsed_1 = (now_1 - play_1.time);
    let cycles_per_tick_1 = (1f / f32(bitcast<i32>(play_1.period)));
    let cycle_1 = i32((f32(bitcast<i32>((elapsed_1 >> 1u))) * (2f * cycles_per_tick_1)));
    let in_cycle_1 = bitcast<i32>((elapsed_1 - (bitcast<u32>(cycle_1) * play_1.period)));
    let clamped_1 = clamp((f32(bitcast<i32>(elapsed_1)) * cycles_per_tick_1), 0f, 1f);
    let phase_1 = select(clamped_1, fract((f32(in_cycle_1) * cycles_per_tick_1)), wraps_1);
    return select(phase_1, (1f - phase_1), ((play_1.clip & throng_BACKWARDS) != 0u));
}

fn throng_play_frame(play_1: throng_Play, timing_1: throng_ClipTiming, now_1: u32) -> f32 {
    let _e4 = throng_play_phase(play_1, timing_1.wraps, now_1);
    let playing_1 = (_e4 * f32((i32(timing_1.frames) - 1i)));
    return select(playing_1, (bitcast<f32>(play_1.time) * timing_1.rate_hz), (play_1.period == 0u));
}

fn throng_fade_weight(start_1: u32, duration_1: u32, now_1: u32) -> f32 {
    if (duration_1 == 0u) {
        return 0f;
    }
    let running_1 = clamp((f32(bitcast<i32>((now_1 - start_1))) / f32(duration_1)), 0f, 1f);
    return select(running_1, bitcast<f32>(start_1), (duration_1 == throng_HELD_FADE));
}

fn throng_grid_texel(grid_1: throng_Grid, frame_1: u32, item_1: u32) -> vec3<u32> {
    var column_1: u32;
    var row_1: u32;
    var layer_1: u32 = 0u;

    column_1 = item_1;
    row_1 = (grid_1.first_row + (frame_1 * grid_1.rows_per_frame));
    if (grid_1.by_columns != 0u) {
        column_1 = frame_1;
        row_1 = (grid_1.first_row + item_1);
        if (grid_1.layers > 1u) {
            let _e20 = throng_divide(frame_1, grid_1.columns);
            let _e21 = column_1;
            column_1 = (_e21 - (_e20 * grid_1.columns));
            let _e25 = row_1;
            row_1 = (_e25 + (_e20 * grid_1.rows_per_frame));
        }
    } else {
        if (grid_1.rows_per_frame > 1u) {
            let _e33 = throng_divide(item_1, grid_1.columns);
            let _e34 = column_1;
            column_1 = (_e34 - (_e33 * grid_1.columns));
            let _e38 = row_1;
            row_1 = (_e38 + _e33);
        }
    }
    if (grid_1.layers > 1u) {
        let _e43 = row_1;
        let _e45 = throng_divide(_e43, grid_1.height);
        layer_1 = _e45;
        let _e46 = row_1;
        let _e47 = layer_1;
        row_1 = (_e46 - (_e47 * grid_1.height));
    }
    let _e52 = column_1;
    let _e54 = row_1;
    let _e55 = layer_1;
    return vec3<u32>((grid_1.first_column + _e52), _e54, _e55);
}

fn throng_frame_pair(timing_1: throng_ClipTiming, frames_1: f32) -> throng_FramePair {
    let last_1 = (i32(timing_1.frames) - 1i);
    let position_1 = clamp(frames_1, 0f, f32(last_1));
    let index_1 = min(i32(position_1), (max(last_1, 1i) - 1i));
    return throng_FramePair((timing_1.first_frame + u32(index_1)), (timing_1.first_frame + u32(min((index_1 + 1i), last_1))), (position_1 - f32(index_1)));
}

fn throng_bits_get(texels_1: texture_2d<u32>, at_1: u32) -> vec4<u32> {
    let _e8 = textureLoad(texels_1, vec2<u32>((at_1 & 2047u), (at_1 >> 11u)), 0i);
    return _e8;
}

fn throng_table_get(tables_1: texture_2d<u32>, at_1: u32) -> vec4<u32> {
    let _e2 = throng_bits_get(tables_1, at_1);
    return _e2;
}

fn throng_table_floats(tables_1: texture_2d<u32>, at_1: u32) -> vec4<f32> {
    let _e2 = throng_table_get(tables_1, at_1);
    return bitcast<vec4<f32>>(_e2);
}

fn throng_clip_timing(tables_1: texture_2d<u32>, first_1: u32, clip_1: u32) -> throng_ClipTiming {
    let _e6 = throng_table_get(tables_1, (first_1 + (clip_1 & 2147483647u)));
    return throng_ClipTiming(_e6.x, (_e6.y & 2147483647u), bitcast<f32>(_e6.z), bitcast<f32>(_e6.w), ((_e6.y >> 31u) != 0u));
}

fn throng_table_affine(tables_1: texture_2d<u32>, at_1: u32) -> throng_Affine {
    let _e2 = throng_table_floats(tables_1, at_1);
    let _e5 = throng_table_floats(tables_1, (at_1 + 1u));
    let _e8 = throng_table_floats(tables_1, (at_1 + 2u));
    let _e10 = throng_affine_from_rows(mat3x4<f32>(_e2, _e5, _e8));
    return _e10;
}

fn throng_codec_unit(codec_1: throng_Codec, raw_1: vec4<f32>) -> vec4<f32> {
    return (vec4(codec_1.unit_offset) + (codec_1.unit_scale * raw_1));
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

fn throng_play_timing(play_1: throng_Play) -> throng_ClipTiming {
    let _e4 = throng_set_info.clip_table;
    let _e6 = throng_clip_timing(throng_tables, _e4, play_1.clip);
    return _e6;
}

fn throng_codec_of_bone(codec_1: throng_Codec, tables_1: texture_2d<u32>, bone_1: u32) -> throng_Codec {
    var bone_codec_1: throng_Codec;

    if (codec_1.range_table == 0u) {
        return codec_1;
    }
    bone_codec_1 = codec_1;
    let _e12 = throng_table_floats(tables_1, (codec_1.range_table + (2u * bone_1)));
    bone_codec_1.offset = _e12;
    let _e20 = throng_table_floats(tables_1, ((codec_1.range_table + (2u * bone_1)) + 1u));
    bone_codec_1.scale = _e20;
    let _e21 = bone_codec_1;
    return _e21;
}

fn throng_play_frames(play_1: throng_Play, now_1: u32) -> throng_FramePair {
    let _e2 = throng_play_timing(play_1);
    let _e3 = throng_play_frame(play_1, _e2, now_1);
    let _e4 = throng_frame_pair(_e2, _e3);
    return _e4;
}

fn throng_instance_fade(instance_1: throng_Instance) -> f32 {
    let _e3 = throng_options.has_fades;
    if !((_e3 != 0u)) {
        return 0f;
    }
    let _e11 = throng_fade_weight(instance_1.fade_start, instance_1.fade_duration, instance_1.now);
    return _e11;
}

fn throng_instance_frames(instance_1: throng_Instance) -> throng_Frames {
    var local_1: bool;

    let _e1 = throng_instance_fade(instance_1);
    let _e4 = throng_play_frames(instance_1.first, instance_1.now);
    let _e7 = throng_options.has_fades;
    if !(!((_e7 != 0u))) {
        local_1 = (_e1 == 0f);
    } else {
        local_1 = true;
    }
    let _e17 = local_1;
    if _e17 {
        return throng_Frames(_e4, _e4, _e1);
    }
    let _e21 = throng_play_frames(instance_1.second, instance_1.now);
    return throng_Frames(_e4, _e21, _e1);
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

fn throng_texel_read(texels_1: texture_2d_array<u32>, grid_1: throng_Grid, frame_1: u32, item_1: u32) -> vec4<f32> {
    let _e4 = throng_grid_texel(grid_1, frame_1, item_1);
    let _e5 = throng_texels_load(texels_1, _e4);
    return _e5;
}

fn throng_bone_read(texels_1: texture_2d_array<u32>, grid_1: throng_Grid, frame_1: u32, offset_1: u32) -> throng_RawBone {
    let _e6 = throng_texel_read(texels_1, grid_1, frame_1, (offset_1 / 2u));
    let _e11 = throng_texel_read(texels_1, grid_1, frame_1, ((offset_1 / 2u) + 1u));
    let is_odd_1 = ((offset_1 & 1u) != 0u);
    return throng_RawBone(select(_e6.xyz, vec3<f32>(_e6.zw, _e11.x), is_odd_1), select(vec3<f32>(_e6.w, _e11.xy), _e11.yzw, is_odd_1));
}

fn throng_rotation_between(from_mrp_1: vec3<f32>, to_mrp_1: vec3<f32>, f_1: f32) -> vec4<f32> {
    if false {
        let _e4 = throng_quat_from_mrp(from_mrp_1);
        let _e5 = throng_quat_from_mrp(to_mrp_1);
        let _e6 = throng_quat_slerp(_e4, _e5, f_1);
        return _e6;
    }
    let a_square_1 = dot(from_mrp_1, from_mrp_1);
    let b_square_1 = dot(to_mrp_1, to_mrp_1);
    let _e9 = throng_quat_from_mrp_unnormalized(from_mrp_1, a_square_1);
    let _e10 = throng_quat_from_mrp_unnormalized(to_mrp_1, b_square_1);
    let b_weight_1 = (f_1 * (1f + a_square_1));
    return ((_e9 * ((1f - f_1) * (1f + b_square_1))) + (_e10 * select(b_weight_1, -(b_weight_1), (dot(_e9, _e10) < 0f))));
}

fn throng_bone_between(texels_1: texture_2d_array<u32>, tables_1: texture_2d<u32>, grid_1: throng_Grid, codec_1: throng_Codec, pair_1: throng_FramePair, offset_1: u32) -> throng_Bone {
    let _e8 = throng_codec_of_bone(codec_1, tables_1, (offset_1 / 3u));
    let _e10 = throng_bone_read(texels_1, grid_1, pair_1.first, offset_1);
    let _e12 = throng_bone_read(texels_1, grid_1, pair_1.second, offset_1);
    let _e16 = throng_codec_unit(_e8, vec4<f32>(_e10.mrp, 0f));
    let from_mrp_1 = _e16.xyz;
    let _e21 = throng_codec_unit(_e8, vec4<f32>(_e12.mrp, 0f));
    let to_mrp_1 = _e21.xyz;
    let _e24 = throng_rotation_between(from_mrp_1, to_mrp_1, pair_1.fraction);
    return throng_Bone(_e24, (_e8.offset.xyz + (_e8.scale.xyz * mix(_e10.position, _e12.position, pair_1.fraction))));
}

fn throng_rotation_fade(from_rotation_1: vec4<f32>, to_rotation_1: vec4<f32>, f_1: f32) -> vec4<f32> {
    let a_1 = normalize(from_rotation_1);
    let b_1 = normalize(to_rotation_1);
    if false {
        let _e6 = throng_quat_slerp(a_1, b_1, f_1);
        return _e6;
    }
    let _e7 = throng_quat_aligned(a_1, b_1);
    return mix(a_1, _e7, f_1);
}

fn throng_bone_fade(from_bone_1: throng_Bone, to_bone_1: throng_Bone, f_1: f32) -> throng_Bone {
    let _e5 = throng_rotation_fade(from_bone_1.rotation, to_bone_1.rotation, f_1);
    return throng_Bone(_e5, mix(from_bone_1.translation, to_bone_1.translation, f_1));
}

fn throng_bone_to_affine(bone_1: throng_Bone) -> throng_Affine {
    let _e2 = throng_mat3_from_quat(bone_1.rotation);
    return throng_Affine(_e2, bone_1.translation);
}

fn throng_bone_of(pair_1: throng_FramePair, bone_offset_1: u32) -> throng_Bone {
    let _e6 = throng_set_info.grid;
    let _e9 = throng_set_info.codec;
    let _e10 = throng_bone_between(throng_texels, throng_tables, _e6, _e9, pair_1, bone_offset_1);
    return _e10;
}

fn throng_pose_of(instance_1: throng_Instance) -> throng_Frames {
    let _e1 = throng_instance_frames(instance_1);
    return _e1;
}

fn throng_pose_bone(pose_1: throng_Frames, bone_offset_1: u32) -> throng_Bone {
    var local_1: bool;

    let _e3 = throng_bone_of(pose_1.first, bone_offset_1);
    let _e6 = throng_options.has_fades;
    if !(!((_e6 != 0u))) {
        local_1 = (pose_1.fade == 0f);
    } else {
        local_1 = true;
    }
    let _e17 = local_1;
    if _e17 {
        return _e3;
    }
    let _e19 = throng_bone_of(pose_1.second, bone_offset_1);
    let _e21 = throng_bone_fade(_e3, _e19, pose_1.fade);
    return _e21;
}

fn throng_joint_affine(pose_1: throng_Frames, joint_1: u32) -> throng_Affine {
    let _e4 = throng_pose_bone(pose_1, (joint_1 >> 16u));
    let _e5 = throng_bone_to_affine(_e4);
    let palette_index_1 = (joint_1 & 65535u);
    let _e10 = throng_set_info.inverse_binds_are_matrices;
    if (_e10 == 0u) {
        let _e16 = throng_set_info.inverse_bind_table;
        let _e18 = throng_table_floats(throng_tables, (_e16 + palette_index_1));
        let translation_1 = _e18.xyz;
        let _e21 = throng_affine_point(_e5, translation_1);
        return throng_Affine(_e5.linear, _e21);
    }
    let _e26 = throng_set_info.inverse_bind_table;
    let _e30 = throng_table_affine(throng_tables, (_e26 + (3u * palette_index_1)));
    let _e31 = throng_affine_mul(_e5, _e30);
    return _e31;
}

fn throng_influence_read(at_1: u32) -> throng_Influence {
    let texel_1 = textureLoad(throng_influences, vec2<u32>((at_1 & 2047u), (at_1 >> 11u)), 0i);
    return throng_Influence(texel_1.x, bitcast<f32>(texel_1.y));
}

fn throng_method_first(pose_1: throng_Frames, joint_1: u32, weight_1: f32) -> throng_Affine {
    let _e3 = throng_joint_affine(pose_1, joint_1);
    let _e4 = throng_affine_scaled(_e3, weight_1);
    return _e4;
}

fn throng_accumulate_first(pose_1: throng_Frames, joint_1: u32, weight_1: f32) -> throng_Accumulator {
    let _e3 = throng_method_first(pose_1, joint_1, weight_1);
    return throng_Accumulator(_e3);
}

fn throng_method_add(sum_1: throng_Affine, pose_1: throng_Frames, joint_1: u32, weight_1: f32) -> throng_Affine {
    let _e4 = throng_joint_affine(pose_1, joint_1);
    let _e5 = throng_affine_add_scaled(sum_1, _e4, weight_1);
    return _e5;
}

fn throng_accumulate(sum_1: throng_Accumulator, pose_1: throng_Frames, joint_1: u32, weight_1: f32) -> throng_Accumulator {
    let _e5 = throng_method_add(sum_1.method, pose_1, joint_1, weight_1);
    return throng_Accumulator(_e5);
}

fn throng_accumulate_influences(pose_1: throng_Frames, vertex_1: throng_BindVertex) -> throng_Accumulator {
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

fn throng_vertex_at(position_1: vec4<f32>, normal_1: vec3<f32>, joints_1: vec4<u32>, weights_1: vec4<f32>, indices_1: vec4<u32>, clip_1: u32, time_secs_1: f32) -> ThrongVertex {
    var instance_1: throng_Instance;

    instance_1.first = throng_Play(clip_1, bitcast<u32>(time_secs_1), 0u);
    instance_1.fraction = 1f;
    let _e14 = throng_vertex_in(position_1, normal_1, joints_1, weights_1, indices_1);
    let _e15 = instance_1;
    let _e16 = throng_vertex_posed(_e14, _e15);
    return _e16;
}
