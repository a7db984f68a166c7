// Compressed curves. Needs words and quat.

const BLOCK_CURVES: u32 = 64u;
const HEADER_WORDS: u32 = 3u;
const CLIP_WORDS: u32 = 4u;

// Storage of the keys of one curve in one segment.
struct CurveHeader {
    reference: vec3<f32>,
    widths: vec3<u32>,
    offset: u32,
    spans: u32,
    degree: u32,
    step: u32,
}

fn curve_header_unpack(a: u32, b: u32, c: u32) -> CurveHeader {
    let reference = vec3(a & 0xffffu, a >> 16u, b & 0xffffu);
    return CurveHeader(
        (vec3<f32>(reference) - 32768.0) / 32768.0,
        vec3((b >> 16u) & 31u, (b >> 21u) & 31u, (b >> 26u) & 31u),
        c & 0x7ffffu,
        ((c >> 19u) & 63u) + 1u,
        (c >> 25u) & 3u,
        c >> 27u,
    );
}

// Value of one unit of a key, for a stored step: a power of two, built from its exponent.
fn step_size(step: u32) -> f32 {
    return bitcast<f32>((123u - step) << 23u);
}

// Weights of the keys of a span, for a uniform B-spline. `f` is the position in the span, from 0 to 1.
fn spline_weights(degree: u32, f: f32) -> vec4<f32> {
    let g = 1.0 - f;
    switch degree {
        case 0u: {
            return vec4(1.0, 0.0, 0.0, 0.0);
        }
        case 1u: {
            return vec4(g, f, 0.0, 0.0);
        }
        case 2u: {
            return vec4(0.5 * g * g, 0.5 + f * g, 0.5 * f * f, 0.0);
        }
        default: {
            return vec4(
                g * g * g,
                4.0 - 3.0 * f * f * (1.0 + g),
                4.0 - 3.0 * g * g * (1.0 + f),
                f * f * f,
            ) / 6.0;
        }
    }
}

// A component of a key, in units of the step. `width` is its number of bits.
fn key_component(words: texture_2d_array<u32>, first_key_word: u32, bit: u32, width: u32) -> f32 {
    if width == 0u {
        return 0.0;
    }
    let middle = 1u << (width - 1u);
    return f32(bitcast<i32>(words_bits(words, first_key_word, bit, width) - middle));
}

// Reads a key, relative to the reference.
fn read_key(words: texture_2d_array<u32>, first_key_word: u32, header: CurveHeader, key: u32) -> vec3<f32> {
    let w = header.widths;
    let bit = header.offset + key * (w.x + w.y + w.z);
    return vec3(
        key_component(words, first_key_word, bit, w.x),
        key_component(words, first_key_word, bit + w.x, w.y),
        key_component(words, first_key_word, bit + w.x + w.y, w.z),
    ) * step_size(header.step);
}

// A span of a segment, and the weights of its keys.
struct SpanWeights {
    span: u32,
    weights: vec4<f32>,
}

fn span_weights(header: CurveHeader, position: f32) -> SpanWeights {
    let spans = bitcast<i32>(header.spans);
    let along = position * f32(spans);
    let span = min(i32(along), spans - 1);
    return SpanWeights(bitcast<u32>(span), spline_weights(header.degree, along - f32(span)));
}

// The value of a curve of translation, scale or offsets, relative to its reference. `position` is the position in the
// segment, from 0 to 1.
fn vector_curve(
    words: texture_2d_array<u32>,
    first_key_word: u32,
    header: CurveHeader,
    position: f32,
) -> vec3<f32> {
    let at = span_weights(header, position);
    var sum = vec3(0.0);
    for (var key = 0u; key <= header.degree; key++) {
        sum += at.weights[key] * read_key(words, first_key_word, header, at.span + key);
    }
    return sum;
}

// The value of a curve of rotation, relative to its reference. Keys are rotations; they are blended as quaternions, and
// the sum is normalised.
fn rotation_curve(
    words: texture_2d_array<u32>,
    first_key_word: u32,
    header: CurveHeader,
    position: f32,
) -> vec4<f32> {
    let at = span_weights(header, position);
    var sum = vec4(0.0);
    for (var key = 0u; key <= header.degree; key++) {
        let mrp = read_key(words, first_key_word, header, at.span + key);
        sum += at.weights[key] * quat_from_mrp(mrp);
    }
    return sum / length(sum);
}

// Number of words of a segment's headers, including the first key word of each block.
fn row_words(curves: u32) -> u32 {
    return curves * HEADER_WORDS + (curves + BLOCK_CURVES - 1u) / BLOCK_CURVES;
}

// A record of the clip table.
struct ClipRecord {
    first_row: u32,
    segments: u32,
    segments_per_sec: f32,
    duration_secs: f32,
}

fn clip_record_read(words: texture_2d_array<u32>, clip_table: u32, clip: u32) -> ClipRecord {
    let at = clip_table + clip * CLIP_WORDS;
    return ClipRecord(
        words_get(words, at),
        words_get(words, at + 1u),
        words_float(words, at + 2u),
        words_float(words, at + 3u),
    );
}

// A time of a clip, as a position in the compressed curves.
struct Moment {
    // First word of the segment's headers.
    row: u32,
    // Position in the segment, from 0 to 1.
    position: f32,
}

// Finds the segment of a time, in seconds from the start of the clip. Clamped to the clip.
fn moment_find(
    words: texture_2d_array<u32>,
    clip_table: u32,
    curves: u32,
    clip: u32,
    time_secs: f32,
) -> Moment {
    let record = clip_record_read(words, clip_table, clip);
    let position = clamp(time_secs, 0.0, record.duration_secs) * record.segments_per_sec;
    let segment = min(i32(position), bitcast<i32>(record.segments) - 1);
    let row = record.first_row + bitcast<u32>(segment) * row_words(curves);
    return Moment(row, min(position - f32(segment), 1.0));
}

// The header of a curve, and the first key word of its block.
struct FoundHeader {
    first_key_word: u32,
    header: CurveHeader,
}

fn moment_header(words: texture_2d_array<u32>, moment: Moment, curve: u32) -> FoundHeader {
    let block = moment.row + curve / BLOCK_CURVES * (BLOCK_CURVES * HEADER_WORDS + 1u);
    let at = block + 1u + curve % BLOCK_CURVES * HEADER_WORDS;
    let header = curve_header_unpack(
        words_get(words, at),
        words_get(words, at + 1u),
        words_get(words, at + 2u),
    );
    return FoundHeader(words_get(words, block), header);
}

// The value of a curve of translation, scale or offsets.
fn moment_vector(words: texture_2d_array<u32>, moment: Moment, curve: u32) -> vec3<f32> {
    let found = moment_header(words, moment, curve);
    let delta = vector_curve(words, found.first_key_word, found.header, moment.position);
    return found.header.reference + delta;
}

// The value of a curve of rotation.
fn moment_rotation(words: texture_2d_array<u32>, moment: Moment, curve: u32) -> vec4<f32> {
    let found = moment_header(words, moment, curve);
    let delta = rotation_curve(words, found.first_key_word, found.header, moment.position);
    return quat_mul(quat_from_mrp(found.header.reference), delta);
}
