// decode_joints, made from WGSL by naga: do not edit.
//   texture(0)  words
//   buffer(1)   joint_tracks
//   buffer(2)   clip_times
//   buffer(3)   model_from_joint
//   buffer(8)   lengths of the arrays in buffers, in bytes, as u32

// language: metal2.0
#include <metal_stdlib>
#include <simd/simd.h>

using metal::uint;

struct _mslBufferSizes {
    uint size2;
    uint size3;
};

struct Affine {
    metal::float3x3 linear;
    metal::float3 translation;
};
struct TrackHeader {
    metal::float3 reference;
    metal::packed_uint3 widths;
    uint offset;
    uint spans;
    uint degree;
    uint step;
    char _pad6[4];
};
struct SpanWeights {
    uint span;
    char _pad1[12];
    metal::float4 weights;
};
struct ClipRecord {
    uint first_row;
    uint segments;
    float segments_per_sec;
    float duration_secs;
};
struct Moment {
    uint row;
    float place;
};
struct FoundHeader {
    uint first_key_word;
    char _pad1[12];
    TrackHeader header;
};
struct JointTracks {
    uint clip_table;
    uint joint_table;
    uint record_words;
    uint tracks;
    uint joints;
    char _pad5[12];
};
struct JointRecord {
    uint parent;
    uint first_track;
    metal::bool3 curves;
    char _pad3[4];
    metal::packed_float3 translation;
    float translation_extent;
    metal::float3 rotation;
    metal::packed_float3 scale;
    float scale_extent;
};
struct LocalJoint {
    metal::float3 translation;
    metal::float4 rotation;
    metal::float3 scale;
};
struct ClipTime {
    uint clip;
    float time_secs;
};
typedef ClipTime type_12[1];
typedef metal::float3x4 type_13[1];
struct Link {
    uint parent;
    char _pad1[12];
    Affine parent_from_joint;
};
struct type_14 {
    Link inner[32];
};
constant uint BLOCK_TRACKS = 64u;
constant uint HEADER_WORDS = 3u;
constant uint CLIP_WORDS = 4u;
constant uint SCALED_RECORD_WORDS = 12u;
constant uint JOINTS_AT_ONCE = 32u;

uint naga_div(uint lhs, uint rhs) {
    return lhs / metal::select(rhs, 1u, rhs == 0u);
}

uint words_get(
    metal::texture2d_array<uint, metal::access::sample> words,
    uint word
) {
    metal::uint2 size = metal::uint2(words.get_width(), words.get_height());
    uint row = naga_div(word, size.x);
    uint layer = naga_div(row, size.y);
    metal::uint4 _e15 = words.read(metal::uint2(metal::uint2(word - (row * size.x), row - (layer * size.y))), layer, 0);
    return _e15.x;
}

uint naga_mod(uint lhs, uint rhs) {
    return lhs % metal::select(rhs, 1u, rhs == 0u);
}

uint words_bits(
    metal::texture2d_array<uint, metal::access::sample> words_1,
    uint first_word,
    uint bit,
    uint width
) {
    uint bits = {};
    if (width == 0u) {
        return 0u;
    }
    uint word_3 = first_word + naga_div(bit, 32u);
    uint shift = naga_mod(bit, 32u);
    uint _e12 = words_get(words_1, word_3);
    bits = _e12 >> shift;
    if ((shift + width) > 32u) {
        uint _e18 = bits;
        uint _e21 = words_get(words_1, word_3 + 1u);
        bits = _e18 | (_e21 << (32u - shift));
    }
    uint _e26 = bits;
    return _e26 & ((1u << width) - 1u);
}

float words_float(
    metal::texture2d_array<uint, metal::access::sample> words_2,
    uint word_1
) {
    uint _e2 = words_get(words_2, word_1);
    return as_type<float>(_e2);
}

metal::float3 words_vector(
    metal::texture2d_array<uint, metal::access::sample> words_3,
    uint word_2
) {
    float _e2 = words_float(words_3, word_2);
    float _e5 = words_float(words_3, word_2 + 1u);
    float _e8 = words_float(words_3, word_2 + 2u);
    return metal::float3(_e2, _e5, _e8);
}

metal::float4 quat_mul(
    metal::float4 a,
    metal::float4 b
) {
    return metal::float4(((a.w * b.xyz) + (b.w * a.xyz)) + metal::cross(a.xyz, b.xyz), (a.w * b.w) - metal::dot(a.xyz, b.xyz));
}

metal::float3x3 mat3_from_quat(
    metal::float4 q
) {
    metal::float3 double_ = q.xyz + q.xyz;
    float xx = q.x * double_.x;
    float xy = q.x * double_.y;
    float xz = q.x * double_.z;
    float yy = q.y * double_.y;
    float yz = q.y * double_.z;
    float zz = q.z * double_.z;
    metal::float3 w = q.w * double_;
    return metal::float3x3(metal::float3(1.0 - (yy + zz), xy + w.z, xz - w.y), metal::float3(xy - w.z, 1.0 - (xx + zz), yz + w.x), metal::float3(xz + w.y, yz - w.x, 1.0 - (xx + yy)));
}

metal::float4 quat_from_mrp(
    metal::float3 p
) {
    float square = metal::dot(p, p);
    float scale = 1.0 / (1.0 + square);
    return metal::float4(p * (2.0 * scale), (1.0 - square) * scale);
}

Affine affine_mul(
    Affine a_1,
    Affine b_1
) {
    return Affine {a_1.linear * b_1.linear, (a_1.linear * b_1.translation) + a_1.translation};
}

metal::float3x4 affine_to_rows(
    Affine a_2
) {
    return metal::transpose(metal::float4x3(a_2.linear[0], a_2.linear[1], a_2.linear[2], a_2.translation));
}

Affine affine_from_rows(
    metal::float3x4 rows
) {
    metal::float4x3 columns = metal::transpose(rows);
    return Affine {metal::float3x3(columns[0], columns[1], columns[2]), columns[3]};
}

TrackHeader track_header_unpack(
    uint a_3,
    uint b_2,
    uint c
) {
    metal::uint3 reference = metal::uint3(a_3 & 65535u, a_3 >> 16u, b_2 & 65535u);
    return TrackHeader {(static_cast<metal::float3>(reference) - metal::float3(32768.0)) / metal::float3(32768.0), metal::uint3((b_2 >> 16u) & 31u, (b_2 >> 21u) & 31u, (b_2 >> 26u) & 31u), c & 524287u, ((c >> 19u) & 63u) + 1u, (c >> 25u) & 3u, c >> 27u};
}

float step_size(
    uint step
) {
    return as_type<float>((123u - step) << 23u);
}

metal::float4 spline_weights(
    uint degree,
    float f
) {
    float g = 1.0 - f;
    switch(degree) {
        case 0u: {
            return metal::float4(1.0, 0.0, 0.0, 0.0);
        }
        case 1u: {
            return metal::float4(g, f, 0.0, 0.0);
        }
        case 2u: {
            return metal::float4((0.5 * g) * g, 0.5 + (f * g), (0.5 * f) * f, 0.0);
        }
        default: {
            return metal::float4((g * g) * g, 4.0 - (((3.0 * f) * f) * (1.0 + g)), 4.0 - (((3.0 * g) * g) * (1.0 + f)), (f * f) * f) / metal::float4(6.0);
        }
    }
}

float key_component(
    metal::texture2d_array<uint, metal::access::sample> words_4,
    uint first_key_word,
    uint bit_1,
    uint width_1
) {
    if (width_1 == 0u) {
        return 0.0;
    }
    uint _e7 = words_bits(words_4, first_key_word, bit_1, width_1);
    return static_cast<float>(_e7) - static_cast<float>(1u << (width_1 - 1u));
}

metal::float3 read_key(
    metal::texture2d_array<uint, metal::access::sample> words_5,
    uint first_key_word_1,
    TrackHeader header,
    uint key
) {
    metal::uint3 w_1 = header.widths;
    uint bit_2 = header.offset + (key * ((header.widths[0] + header.widths[1]) + header.widths[2]));
    float _e14 = key_component(words_5, first_key_word_1, bit_2, header.widths[0]);
    float _e18 = key_component(words_5, first_key_word_1, bit_2 + header.widths[0], header.widths[1]);
    float _e24 = key_component(words_5, first_key_word_1, (bit_2 + header.widths[0]) + header.widths[1], header.widths[2]);
    float _e27 = step_size(header.step);
    return metal::float3(_e14, _e18, _e24) * _e27;
}

uint naga_f2u32(float value) {
    return static_cast<uint>(metal::clamp(value, 0.0, 4294967000.0));
}

SpanWeights span_weights(
    TrackHeader header_1,
    float place
) {
    float along = place * static_cast<float>(header_1.spans);
    uint span = metal::min(naga_f2u32(along), header_1.spans - 1u);
    metal::float4 _e13 = spline_weights(header_1.degree, along - static_cast<float>(span));
    return SpanWeights {span, {}, _e13};
}

metal::float3 vector_curve(
    metal::texture2d_array<uint, metal::access::sample> words_6,
    uint first_key_word_2,
    TrackHeader header_2,
    float place_1
) {
    metal::float3 sum = metal::float3(0.0);
    uint key_1 = 0u;
    SpanWeights _e4 = span_weights(header_2, place_1);
    bool loop_init = true;
    while(true) {
        if (!loop_init) {
            uint _e24 = key_1;
            key_1 = _e24 + 1u;
        }
        loop_init = false;
        uint _e10 = key_1;
        if (_e10 <= header_2.degree) {
        } else {
            break;
        }
        {
            metal::float3 _e13 = sum;
            uint _e15 = key_1;
            uint _e18 = key_1;
            metal::float3 _e20 = read_key(words_6, first_key_word_2, header_2, _e4.span + _e18);
            sum = _e13 + (_e4.weights[_e15] * _e20);
        }
    }
    metal::float3 _e26 = sum;
    return _e26;
}

metal::float4 rotation_curve(
    metal::texture2d_array<uint, metal::access::sample> words_7,
    uint first_key_word_3,
    TrackHeader header_3,
    float place_2
) {
    metal::float4 sum_1 = metal::float4(0.0);
    uint key_2 = 0u;
    SpanWeights _e4 = span_weights(header_3, place_2);
    bool loop_init_1 = true;
    while(true) {
        if (!loop_init_1) {
            uint _e25 = key_2;
            key_2 = _e25 + 1u;
        }
        loop_init_1 = false;
        uint _e10 = key_2;
        if (_e10 <= header_3.degree) {
        } else {
            break;
        }
        {
            uint _e14 = key_2;
            metal::float3 _e16 = read_key(words_7, first_key_word_3, header_3, _e4.span + _e14);
            metal::float4 _e17 = sum_1;
            uint _e19 = key_2;
            metal::float4 _e21 = quat_from_mrp(_e16);
            sum_1 = _e17 + (_e4.weights[_e19] * _e21);
        }
    }
    metal::float4 _e27 = sum_1;
    metal::float4 _e28 = sum_1;
    return _e27 / metal::float4(metal::length(_e28));
}

uint row_words(
    uint tracks
) {
    return (tracks * HEADER_WORDS) + naga_div((tracks + BLOCK_TRACKS) - 1u, BLOCK_TRACKS);
}

ClipRecord clip_record_read(
    metal::texture2d_array<uint, metal::access::sample> words_8,
    uint clip_table,
    uint clip
) {
    uint at_1 = clip_table + (clip * CLIP_WORDS);
    uint _e6 = words_get(words_8, at_1);
    uint _e9 = words_get(words_8, at_1 + 1u);
    float _e12 = words_float(words_8, at_1 + 2u);
    float _e15 = words_float(words_8, at_1 + 3u);
    return ClipRecord {_e6, _e9, _e12, _e15};
}

Moment moment_find(
    metal::texture2d_array<uint, metal::access::sample> words_9,
    uint clip_table_1,
    uint tracks_1,
    uint clip_1,
    float time_secs
) {
    ClipRecord _e5 = clip_record_read(words_9, clip_table_1, clip_1);
    float place_3 = metal::clamp(time_secs, 0.0, _e5.duration_secs) * _e5.segments_per_sec;
    uint segment = metal::min(naga_f2u32(place_3), _e5.segments - 1u);
    uint _e17 = row_words(tracks_1);
    return Moment {_e5.first_row + (segment * _e17), metal::min(place_3 - static_cast<float>(segment), 1.0)};
}

FoundHeader moment_header(
    metal::texture2d_array<uint, metal::access::sample> words_10,
    Moment moment,
    uint track
) {
    uint block = moment.row + (naga_div(track, BLOCK_TRACKS) * 193u);
    uint at_2 = (block + 1u) + (naga_mod(track, BLOCK_TRACKS) * HEADER_WORDS);
    uint _e16 = words_get(words_10, at_2);
    uint _e19 = words_get(words_10, at_2 + 1u);
    uint _e22 = words_get(words_10, at_2 + 2u);
    TrackHeader _e23 = track_header_unpack(_e16, _e19, _e22);
    uint _e24 = words_get(words_10, block);
    return FoundHeader {_e24, {}, _e23};
}

metal::float3 moment_vector(
    metal::texture2d_array<uint, metal::access::sample> words_11,
    Moment moment_1,
    uint track_1
) {
    FoundHeader _e3 = moment_header(words_11, moment_1, track_1);
    metal::float3 _e7 = vector_curve(words_11, _e3.first_key_word, _e3.header, moment_1.place);
    return _e3.header.reference + _e7;
}

metal::float4 moment_rotation(
    metal::texture2d_array<uint, metal::access::sample> words_12,
    Moment moment_2,
    uint track_2
) {
    FoundHeader _e3 = moment_header(words_12, moment_2, track_2);
    metal::float4 _e7 = rotation_curve(words_12, _e3.first_key_word, _e3.header, moment_2.place);
    metal::float4 _e10 = quat_from_mrp(_e3.header.reference);
    metal::float4 _e11 = quat_mul(_e10, _e7);
    return _e11;
}

JointRecord joint_record_read(
    metal::texture2d_array<uint, metal::access::sample> words_13,
    uint joint_table,
    uint record_words,
    uint joint
) {
    JointRecord record = {};
    uint at_3 = joint_table + (joint * record_words);
    uint _e6 = words_get(words_13, at_3);
    uint _e9 = words_get(words_13, at_3 + 1u);
    record.parent = _e6 & 16777215u;
    record.first_track = _e9 & 536870911u;
    record.curves = (metal::uint3(_e9) & metal::uint3(536870912u, 1073741824u, 2147483648u)) != metal::uint3(0u);
    metal::float3 _e30 = words_vector(words_13, at_3 + 2u);
    record.translation = _e30;
    record.translation_extent = as_type<float>((_e6 >> 24u) << 23u);
    metal::float3 _e40 = words_vector(words_13, at_3 + 5u);
    record.rotation = _e40;
    record.scale = metal::float3(1.0);
    if (record_words == SCALED_RECORD_WORDS) {
        metal::float3 _e49 = words_vector(words_13, at_3 + 8u);
        record.scale = _e49;
        float _e53 = words_float(words_13, at_3 + 11u);
        record.scale_extent = _e53;
    }
    JointRecord _e54 = record;
    return _e54;
}

Affine local_joint_to_affine(
    LocalJoint joint_1
) {
    metal::float3x3 _e2 = mat3_from_quat(joint_1.rotation);
    metal::float3 s = joint_1.scale;
    return Affine {metal::float3x3(_e2[0] * joint_1.scale.x, _e2[1] * joint_1.scale.y, _e2[2] * joint_1.scale.z), joint_1.translation};
}

LocalJoint local_joint(
    metal::texture2d_array<uint, metal::access::sample> words_14,
    JointRecord record_1,
    Moment moment_3
) {
    LocalJoint joint_2 = {};
    uint track_3 = {};
    track_3 = record_1.first_track;
    if (record_1.curves.x) {
        uint _e9 = track_3;
        metal::float4 _e10 = moment_rotation(words_14, moment_3, _e9);
        joint_2.rotation = _e10;
        uint _e12 = track_3;
        track_3 = _e12 + 1u;
    } else {
        metal::float4 _e16 = quat_from_mrp(record_1.rotation);
        joint_2.rotation = _e16;
    }
    joint_2.translation = record_1.translation;
    if (record_1.curves.y) {
        metal::float3 _e22 = joint_2.translation;
        uint _e24 = track_3;
        metal::float3 _e25 = moment_vector(words_14, moment_3, _e24);
        joint_2.translation = _e22 + (record_1.translation_extent * _e25);
        uint _e29 = track_3;
        track_3 = _e29 + 1u;
    }
    joint_2.scale = record_1.scale;
    if (record_1.curves.z) {
        metal::float3 _e36 = joint_2.scale;
        uint _e38 = track_3;
        metal::float3 _e39 = moment_vector(words_14, moment_3, _e38);
        joint_2.scale = _e36 + (record_1.scale_extent * _e39);
    }
    LocalJoint _e42 = joint_2;
    return _e42;
}

struct decode_jointsInput {
};
kernel void decode_joints(
  metal::uint3 workgroup [[threadgroup_position_in_grid]]
, uint thread_ [[thread_index_in_threadgroup]]
, metal::texture2d_array<uint, metal::access::sample> words_15 [[texture(0)]]
, constant JointTracks& joint_tracks [[buffer(1)]]
, device type_12 const& clip_times [[buffer(2)]]
, device type_13& model_from_joint [[buffer(3)]]
, threadgroup type_14& links
, constant _mslBufferSizes& _buffer_sizes [[buffer(8)]]
) {
    if (thread_ == 0u) {
        links = {};
    }
    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
    uint first = 0u;
    uint at = {};
    Affine space_from_joint = {};
    bool local = {};
    uint instance = workgroup.x;
    ClipTime time = clip_times[instance];
    JointTracks tables = joint_tracks;
    Moment _e13 = moment_find(words_15, tables.clip_table, tables.tracks, time.clip, time.time_secs);
    uint first_out = instance * tables.joints;
    bool loop_init_2 = true;
    while(true) {
        if (!loop_init_2) {
            uint _e87 = first;
            first = _e87 + JOINTS_AT_ONCE;
        }
        loop_init_2 = false;
        uint _e18 = first;
        if (_e18 < tables.joints) {
        } else {
            break;
        }
        {
            uint _e21 = first;
            uint joint_3 = _e21 + thread_;
            if (joint_3 < tables.joints) {
                JointRecord _e28 = joint_record_read(words_15, tables.joint_table, tables.record_words, joint_3);
                LocalJoint _e30 = local_joint(words_15, _e28, _e13);
                Affine _e31 = local_joint_to_affine(_e30);
                links.inner[thread_] = Link {_e28.parent, {}, _e31};
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
            if (joint_3 < tables.joints) {
                at = joint_3;
                Affine _e42 = links.inner[thread_].parent_from_joint;
                space_from_joint = _e42;
                while(true) {
                    uint _e45 = at;
                    uint _e46 = first;
                    uint parent = links.inner[_e45 - _e46].parent;
                    if (!((parent == 0u))) {
                        uint _e56 = at;
                        local = parent > _e56;
                    } else {
                        local = true;
                    }
                    bool _e59 = local;
                    if (_e59) {
                        break;
                    }
                    at = parent - 1u;
                    uint _e62 = at;
                    uint _e63 = first;
                    if (_e62 < _e63) {
                        uint _e66 = at;
                        metal::float3x4 _e69 = model_from_joint[first_out + _e66];
                        Affine _e70 = affine_from_rows(_e69);
                        Affine _e71 = space_from_joint;
                        Affine _e72 = affine_mul(_e70, _e71);
                        space_from_joint = _e72;
                        break;
                    }
                    uint _e74 = at;
                    uint _e75 = first;
                    Affine _e79 = links.inner[_e74 - _e75].parent_from_joint;
                    Affine _e80 = space_from_joint;
                    Affine _e81 = affine_mul(_e79, _e80);
                    space_from_joint = _e81;
                }
                Affine _e85 = space_from_joint;
                metal::float3x4 _e86 = affine_to_rows(_e85);
                model_from_joint[first_out + joint_3] = _e86;
            }
            metal::threadgroup_barrier(metal::mem_flags::mem_device);
            metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);
        }
    }
    return;
}
