// Functions of Throng for engines, generated from WGSL by naga: do not edit. Vertices and time are arguments;
// instances and the set are read from textures. The section "Shader functions for engines" of docs/format.md
// describes every argument, texture and table.
// Needs GLSL ES 3.00, `precision highp float` and `precision highp int`.
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
uniform highp usampler2D throng_instances;
uniform highp usampler2D throng_palette;
uniform highp usampler2D throng_influences;
// throng:end bindings

struct throng_Options {
    uint max_influences;
    uint has_fades;
    uint word_column_bits;
    uint word_rows;
    uint word_layers;
    uint max_key_bits;
    uint clip_records;
};

struct throng_Affine {
    mat3x3 linear;
    vec3 translation;
};

struct throng_Play {
    uint clip;
    uint time;
    uint period;
};

struct throng_Grid {
    uint first_column;
    uint first_row;
    uint columns;
    uint rows_per_frame;
    uint by_columns;
    uint height;
    uint layers;
    uint padding;
};

struct throng_Codec {
    vec4 offset;
    vec4 scale;
    vec4 size_offset;
    vec4 size_scale;
    float unit_offset;
    float unit_scale;
    float level_scale;
    float normal_offset;
    float normal_scale;
    uint axis_items;
    uint range_table;
    uint bone_table;
};

struct throng_JointCurves {
    uint clip_table;
    uint joint_table;
    uint record_words;
    uint curves;
    uint joints;
};

struct throng_SetInfo {
    throng_Grid grid;
    throng_Grid normals;
    throng_Grid morphs;
    throng_Codec codec;
    throng_JointCurves joint_curves;
    vec4 vertex_curve_range;
    uint clip_table;
    uint inverse_bind_table;
    uint dual_inverse_bind_table;
    uint morph_table;
    uint palette_len;
    uint palette_stride;
    uint vertices;
    uint position_curves;
    uint bone_offset_table;
    uint inverse_binds_are_matrices;
};

struct throng_BindVertex {
    vec3 position;
    vec3 normal;
    vec3 tangent;
    float deform_factor;
    uvec4 joints;
    vec4 weights;
    uvec2 more;
};

struct throng_Deformed {
    vec3 position;
    vec3 normal;
    vec3 tangent;
};

struct throng_Instance {
    throng_Affine world_from_model;
    vec4 tint;
    throng_Play first;
    throng_Play second;
    uint fade_start;
    uint fade_duration;
    float fraction;
    uint user;
    uint group;
    uint index;
    uint now;
};

struct throng_Influence {
    uint joint;
    float weight;
};

struct throng_Accumulator {
    throng_Affine method;
};

struct throng_VertexIn {
    vec4 position;
    vec3 normal;
    uvec4 joints;
    vec4 weights;
    uvec4 indices;
};

struct ThrongVertex {
    vec3 position;
    vec3 normal;
};

// throng:begin options
const throng_Options throng_options = throng_Options(5u, 1u, 0u, 0u, 0u, 64u, 0u);
// throng:end options

// throng:begin set_info
const throng_SetInfo throng_set_info = throng_SetInfo(
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

throng_Affine throng_affine_from_rows(mat3x4 rows_1) {
    mat4x3 columns_1 = transpose(rows_1);
    return throng_Affine(mat3x3(columns_1[0], columns_1[1], columns_1[2]), columns_1[3]);
}

throng_Affine throng_affine_scaled(throng_Affine a_1, float weight_1) {
    return throng_Affine((a_1.linear * weight_1), (a_1.translation * weight_1));
}

throng_Affine throng_affine_add_scaled(throng_Affine sum_1, throng_Affine a_1, float weight_1) {
    return throng_Affine((sum_1.linear + (a_1.linear * weight_1)), (sum_1.translation + (a_1.translation * weight_1)));
}

vec3 throng_affine_point(throng_Affine a_1, vec3 point_1) {
    return ((a_1.linear * point_1) + a_1.translation);
}

vec3 throng_unit_or(vec3 v_1, vec3 fallback_1) {
    float square_1 = dot(v_1, v_1);
    return ((square_1 > 0.0) ? (v_1 * inversesqrt(square_1)) : fallback_1);
}

vec3 throng_affine_normal(throng_Affine a_1, vec3 normal_1) {
    mat3x3 m_1 = a_1.linear;
    vec3 _e14 = throng_unit_or((mat3x3(cross(m_1[1], m_1[2]), cross(m_1[2], m_1[0]), cross(m_1[0], m_1[1])) * normal_1), normal_1);
    return _e14;
}

vec3 throng_any_orthonormal(vec3 v_1) {
    float sign_1 = ((v_1.z >= 0.0) ? 1.0 : -1.0);
    float a_1 = (-1.0 / (sign_1 + v_1.z));
    float b_1 = ((v_1.x * v_1.y) * a_1);
    return vec3(b_1, (sign_1 + ((v_1.y * v_1.y) * a_1)), -(v_1.y));
}

uvec4 throng_bits_get(highp usampler2D texels_1, uint at_1) {
    uvec4 _e8 = texelFetch(texels_1, ivec2(uvec2((at_1 & 2047u), (at_1 >> 11u))), 0);
    return _e8;
}

vec4 throng_bits_floats(highp usampler2D texels_1, uint at_1) {
    uvec4 _e2 = throng_bits_get(texels_1, at_1);
    return uintBitsToFloat(_e2);
}

throng_Affine throng_bits_affine(highp usampler2D texels_1, uint at_1) {
    vec4 _e2 = throng_bits_floats(texels_1, at_1);
    vec4 _e5 = throng_bits_floats(texels_1, (at_1 + 1u));
    vec4 _e8 = throng_bits_floats(texels_1, (at_1 + 2u));
    throng_Affine _e10 = throng_affine_from_rows(mat3x4(_e2, _e5, _e8));
    return _e10;
}

vec3 throng_flat_tangent(vec3 tangent_1, vec3 normal_1) {
    vec3 flat_1 = (tangent_1 - (normal_1 * dot(normal_1, tangent_1)));
    bool is_rounding_1 = (dot(flat_1, flat_1) <= (1e-12 * dot(tangent_1, tangent_1)));
    vec3 _e10 = throng_any_orthonormal(normal_1);
    vec3 other_1 = ((dot(tangent_1, tangent_1) > 0.0) ? _e10 : vec3(0.0));
    vec3 _e20 = throng_unit_or((is_rounding_1 ? vec3(0.0) : flat_1), other_1);
    return _e20;
}

vec3 throng_affine_tangent(throng_Affine a_1, vec3 tangent_1, vec3 normal_1) {
    if (true) {
        return vec3(0.0);
    }
    vec3 _e8 = throng_flat_tangent((a_1.linear * tangent_1), normal_1);
    return _e8;
}

throng_Deformed throng_vertex_transform(throng_Affine matrix_1, throng_BindVertex vertex_1) {
    vec3 _e3 = throng_affine_normal(matrix_1, vertex_1.normal);
    vec3 _e5 = throng_affine_point(matrix_1, vertex_1.position);
    vec3 _e7 = throng_affine_tangent(matrix_1, vertex_1.tangent, _e3);
    return throng_Deformed(_e5, _e3, _e7);
}

throng_Instance throng_instance_unpack(uvec4 x_1, uvec4 y_1, uvec4 z_1, uvec4 a_1, uvec4 b_1, uvec4 c_1, uint index_1, uint now_1) {
    mat3x4 rows_1 = mat3x4(uintBitsToFloat(x_1), uintBitsToFloat(y_1), uintBitsToFloat(z_1));
    throng_Affine _e12 = throng_affine_from_rows(rows_1);
    uint _e13 = a_1.x;
    return throng_Instance(_e12, (vec4(_e13 & 0xFFu, _e13 >> 8 & 0xFFu, _e13 >> 16 & 0xFFu, _e13 >> 24) / 255.0), throng_Play(a_1.y, a_1.z, a_1.w), throng_Play(b_1.x, b_1.y, b_1.z), b_1.w, c_1.x, uintBitsToFloat(c_1.y), c_1.z, c_1.w, index_1, now_1);
}

throng_Deformed throng_instance_blend(throng_Instance instance_1, throng_Deformed bind_1, throng_Deformed animated_1) {
    bool is_animated_1 = (instance_1.fraction == 1.0);
    return throng_Deformed((is_animated_1 ? animated_1.position : mix(bind_1.position, animated_1.position, instance_1.fraction)), (is_animated_1 ? animated_1.normal : mix(bind_1.normal, animated_1.normal, instance_1.fraction)), (is_animated_1 ? animated_1.tangent : mix(bind_1.tangent, animated_1.tangent, instance_1.fraction)));
}

throng_Instance throng_instance_read(uint index_1) {
    uint at_1 = (6u * index_1);
    uvec4 _e4 = throng_bits_get(throng_instances, at_1);
    uvec4 _e8 = throng_bits_get(throng_instances, (at_1 + 1u));
    uvec4 _e12 = throng_bits_get(throng_instances, (at_1 + 2u));
    uvec4 _e16 = throng_bits_get(throng_instances, (at_1 + 3u));
    uvec4 _e20 = throng_bits_get(throng_instances, (at_1 + 4u));
    uvec4 _e24 = throng_bits_get(throng_instances, (at_1 + 5u));
    throng_Instance _e30 = throng_instance_unpack(_e4, _e8, _e12, _e16, _e20, _e24, index_1, ((index_1 >= 4294967295u) ? 0u : 0u));
    return _e30;
}

throng_Instance throng_instance_at(uint index_1, uint now_1) {
    throng_Instance instance_1 = throng_Instance(throng_Affine(mat3x3(0.0), vec3(0.0)), vec4(0.0), throng_Play(0u, 0u, 0u), throng_Play(0u, 0u, 0u), 0u, 0u, 0.0, 0u, 0u, 0u, 0u);
    throng_Instance _e2 = throng_instance_read(index_1);
    instance_1 = _e2;
    instance_1.now = now_1;
    throng_Instance _e5 = instance_1;
    return _e5;
}

uint throng_pose_of(throng_Instance instance_1) {
    uint _e4 = throng_set_info.palette_stride;
    return (instance_1.index * _e4);
}

throng_Affine throng_joint_affine(uint pose_1, uint joint_1) {
    throng_Affine _e8 = throng_bits_affine(throng_palette, (pose_1 + (3u * (joint_1 & 65535u))));
    return _e8;
}

throng_Influence throng_influence_read(uint at_1) {
    uvec4 texel_1 = texelFetch(throng_influences, ivec2(uvec2((at_1 & 2047u), (at_1 >> 11u))), 0);
    return throng_Influence(texel_1.x, uintBitsToFloat(texel_1.y));
}

throng_Affine throng_method_first(uint pose_1, uint joint_1, float weight_1) {
    throng_Affine _e3 = throng_joint_affine(pose_1, joint_1);
    throng_Affine _e4 = throng_affine_scaled(_e3, weight_1);
    return _e4;
}

throng_Accumulator throng_accumulate_first(uint pose_1, uint joint_1, float weight_1) {
    throng_Affine _e3 = throng_method_first(pose_1, joint_1, weight_1);
    return throng_Accumulator(_e3);
}

throng_Affine throng_method_add(throng_Affine sum_1, uint pose_1, uint joint_1, float weight_1) {
    throng_Affine _e4 = throng_joint_affine(pose_1, joint_1);
    throng_Affine _e5 = throng_affine_add_scaled(sum_1, _e4, weight_1);
    return _e5;
}

throng_Accumulator throng_accumulate(throng_Accumulator sum_1, uint pose_1, uint joint_1, float weight_1) {
    throng_Affine _e5 = throng_method_add(sum_1.method, pose_1, joint_1, weight_1);
    return throng_Accumulator(_e5);
}

throng_Accumulator throng_accumulate_influences(uint pose_1, throng_BindVertex vertex_1) {
    throng_Accumulator sum_1 = throng_Accumulator(throng_Affine(mat3x3(0.0), vec3(0.0)));
    uvec2 joints_1 = uvec2(0u);
    vec2 weights_1 = vec2(0.0);
    bool local_1 = false;
    uint k_1 = 0u;
    throng_Accumulator _e6 = throng_accumulate_first(pose_1, vertex_1.joints.x, vertex_1.weights.x);
    sum_1 = _e6;
    uint _e10 = throng_options.max_influences;
    if ((_e10 > 1u)) {
        throng_Accumulator _e13 = sum_1;
        throng_Accumulator _e18 = throng_accumulate(_e13, pose_1, vertex_1.joints.y, vertex_1.weights.y);
        sum_1 = _e18;
    }
    joints_1 = vertex_1.joints.zw;
    weights_1 = vertex_1.weights.zw;
    while(true) {
        uint _e27 = throng_options.max_influences;
        if ((_e27 > 2u)) {
            float _e33 = weights_1.x;
            local_1 = (_e33 != 0.0);
        } else {
            local_1 = false;
        }
        bool _e37 = local_1;
        if (_e37) {
        } else {
            break;
        }
        {
            throng_Accumulator _e38 = sum_1;
            uint _e40 = joints_1.x;
            float _e42 = weights_1.x;
            throng_Accumulator _e43 = throng_accumulate(_e38, pose_1, _e40, _e42);
            sum_1 = _e43;
            uint _e45 = joints_1.y;
            joints_1 = uvec2(_e45, 0u);
            float _e49 = weights_1.y;
            weights_1 = vec2(_e49, 0.0);
        }
    }
    uint _e54 = throng_options.max_influences;
    if ((_e54 > 4u)) {
        bool loop_init_1 = true;
        while(true) {
            if (!loop_init_1) {
                uint _e73 = k_1;
                k_1 = (_e73 + 1u);
            }
            loop_init_1 = false;
            uint _e59 = k_1;
            if ((_e59 < vertex_1.more.y)) {
            } else {
                break;
            }
            {
                uint _e65 = k_1;
                throng_Influence _e67 = throng_influence_read((vertex_1.more.x + _e65));
                throng_Accumulator _e68 = sum_1;
                throng_Accumulator _e71 = throng_accumulate(_e68, pose_1, _e67.joint, _e67.weight);
                sum_1 = _e71;
            }
        }
    }
    throng_Accumulator _e75 = sum_1;
    return _e75;
}

throng_Deformed throng_skin_vertex(throng_Accumulator sum_1, throng_BindVertex vertex_1) {
    throng_Deformed _e3 = throng_vertex_transform(sum_1.method, vertex_1);
    return _e3;
}

throng_BindVertex throng_morphed(throng_BindVertex vertex_1, throng_Instance instance_1, uvec2 morph_1) {
    return vertex_1;
}

vec3 throng_vertex_tangent(throng_VertexIn v_1) {
    return vec3(0.0);
}

throng_BindVertex throng_bind_vertex(throng_VertexIn v_1) {
    float deform_factor_1 = (1.0 * v_1.position.w);
    vec3 _e8 = throng_vertex_tangent(v_1);
    return throng_BindVertex(v_1.position.xyz, v_1.normal, _e8, deform_factor_1, v_1.joints, v_1.weights, v_1.indices.xy);
}

throng_Deformed throng_deform(throng_VertexIn v_1, throng_Instance instance_1) {
    throng_BindVertex _e2 = throng_bind_vertex(v_1);
    throng_BindVertex _e5 = throng_morphed(_e2, instance_1, v_1.indices.zw);
    uint _e6 = throng_pose_of(instance_1);
    throng_Accumulator _e7 = throng_accumulate_influences(_e6, _e5);
    throng_Deformed _e8 = throng_skin_vertex(_e7, _e5);
    return _e8;
}

throng_VertexIn throng_vertex_in(vec4 position_1, vec3 normal_1, uvec4 joints_1, vec4 weights_1, uvec4 indices_1) {
    return throng_VertexIn(position_1, normal_1, joints_1, weights_1, indices_1);
}

ThrongVertex throng_vertex_posed(throng_VertexIn v_1, throng_Instance instance_1) {
    throng_Deformed bind_1 = throng_Deformed(v_1.position.xyz, v_1.normal, vec3(0.0));
    throng_Deformed _e8 = throng_deform(v_1, instance_1);
    throng_Deformed _e9 = throng_instance_blend(instance_1, bind_1, _e8);
    vec3 _e13 = throng_unit_or(_e9.normal, v_1.normal);
    return ThrongVertex(_e9.position, _e13);
}

ThrongVertex throng_vertex(vec4 position_1, vec3 normal_1, uvec4 joints_1, vec4 weights_1, uvec4 indices_1, uint instance_1, uint now_1) {
    throng_VertexIn _e7 = throng_vertex_in(position_1, normal_1, joints_1, weights_1, indices_1);
    throng_Instance _e8 = throng_instance_at(instance_1, now_1);
    ThrongVertex _e9 = throng_vertex_posed(_e7, _e8);
    return _e9;
}

vec3 throng_position(vec4 position_1, vec3 normal_1, uvec4 joints_1, vec4 weights_1, uvec4 indices_1, uint instance_1, uint now_1) {
    ThrongVertex _e7 = throng_vertex(position_1, normal_1, joints_1, weights_1, indices_1, instance_1, now_1);
    return _e7.position;
}

vec3 throng_normal(vec4 position_1, vec3 normal_1, uvec4 joints_1, vec4 weights_1, uvec4 indices_1, uint instance_1, uint now_1) {
    ThrongVertex _e7 = throng_vertex(position_1, normal_1, joints_1, weights_1, indices_1, instance_1, now_1);
    return _e7.normal;
}

mat4x4 throng_world_from_model(uint instance_1) {
    throng_Instance _e1 = throng_instance_read(instance_1);
    throng_Affine matrix_1 = _e1.world_from_model;
    return mat4x4(vec4(matrix_1.linear[0], 0.0), vec4(matrix_1.linear[1], 0.0), vec4(matrix_1.linear[2], 0.0), vec4(matrix_1.translation, 1.0));
}

ThrongVertex throng_to_world(ThrongVertex vertex_1, uint instance_1) {
    throng_Instance _e2 = throng_instance_read(instance_1);
    throng_Affine matrix_1 = _e2.world_from_model;
    vec3 _e5 = throng_affine_point(matrix_1, vertex_1.position);
    vec3 _e7 = throng_affine_normal(matrix_1, vertex_1.normal);
    return ThrongVertex(_e5, _e7);
}

vec4 throng_tint(uint instance_1) {
    throng_Instance _e1 = throng_instance_read(instance_1);
    return _e1.tint;
}

uint throng_user(uint instance_1) {
    throng_Instance _e1 = throng_instance_read(instance_1);
    return _e1.user;
}
