// Compressed curves. Needs words and quat.

const BLOCK_CURVES: u32 = 32u;
const HEADER_WORDS: u32 = 2u;
const MASK_WORDS: u32 = 2u;
const CLIP_WORDS: u32 = 5u;
const REFERENCE_WIDTH: u32 = 10u;

// Storage of the keys of one curve in one segment.
struct CurveHeader {
    widths: vec3<u32>,
    residual_widths: vec3<u32>,
    offset: u32,
    spans: u32,
    degree: u32,
    step: u32,
    has_reference: bool,
}

fn curve_header_unpack(a: u32, b: u32) -> CurveHeader {
    return CurveHeader(
        vec3(a & 31u, (a >> 5u) & 31u, (a >> 10u) & 31u),
        vec3((a >> 15u) & 31u, (a >> 20u) & 31u, (a >> 25u) & 31u),
        b & 0x3ffffu,
        ((b >> 18u) & 63u) + 1u,
        a >> 30u,
        (b >> 24u) & 127u,
        b >> 31u == 1u,
    );
}

// Value of one unit of a key, for a stored step: exponent and the two highest bits of the mantissa of a float.
fn step_size(step: u32) -> f32 {
    return bitcast<f32>((492u - step) << 21u);
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

// Weight of the second of two unit quaternions whose normalised linear interpolation is the spherical one at `f`.
// `cosine` is that of the angle between them, at least 0.
fn slerp_weight(cosine: f32, f: f32) -> f32 {
    let u = 1.0 - cosine;
    let h = f - 0.5;
    let a = u * (-0.07579292 + 0.8732116 * u);
    let b = u * (0.6748337 + u * (0.09039828 + 0.09375652 * u));
    return f + f * h * (f - 1.0) * (a * h * h + b);
}

// Three integers of up to 24 bits each and 64 bits in all, each around the middle of its range.
fn read_vector(words: texture_2d_array<u32>, first_word: u32, bit: u32, widths: vec3<u32>) -> vec3<f32> {
    let word = first_word + bit / 32u;
    let shift = bit % 32u;
    let next = words_get(words, word + 1u);
    let low = words_join(words_get(words, word), next, shift);
    let high = words_join(next, words_get(words, word + 2u), shift);
    let second = words_join(low, high, widths.x);
    let third = words_join(second, high >> widths.x, widths.y);
    let bits = vec3(low, second, third) & ((vec3(1u) << widths) - 1u);
    // A component of no bits is 0, and so is its middle.
    let middle = (vec3(1u) << widths) >> vec3(1u);
    return vec3<f32>(bitcast<vec3<i32>>(bits - middle));
}

// A key: full, or a residual.
fn read_key(words: texture_2d_array<u32>, first_key_word: u32, header: CurveHeader, key: u32) -> vec3<f32> {
    let w = header.widths;
    let v = header.residual_widths;
    let full_bits = w.x + w.y + w.z;
    let is_odd = (key & 1u) == 1u;
    let is_residual = is_odd && key + 1u < header.spans + header.degree;
    let reference = select(0u, 3u * REFERENCE_WIDTH, header.has_reference);
    let bit = header.offset + reference + (key >> 1u) * (full_bits + v.x + v.y + v.z) + select(0u, full_bits, is_odd);
    return read_vector(words, first_key_word, bit, select(w, v, is_residual));
}

// The keys of a span that determine its value, in units of the step, and their weights.
struct SpanKeys {
    keys: mat4x3<f32>,
    weights: vec4<f32>,
    // Position in the span, from 0 to 1.
    f: f32,
}

fn span_keys(words: texture_2d_array<u32>, first_key_word: u32, header: CurveHeader, position: f32) -> SpanKeys {
    let spans = bitcast<i32>(header.spans);
    let along = position * f32(spans);
    let span = min(i32(along), spans - 1);
    let f = along - f32(span);
    let first = bitcast<u32>(span);
    let last = header.spans + header.degree - 1u;
    let end = first + header.degree;
    // Full keys have even indices. A residual is between two of them, so each full key is read once.
    let start = first & ~1u;
    var full = read_key(words, first_key_word, header, start);
    var keys = mat4x3<f32>();
    for (var pair = start; pair <= end; pair += 2u) {
        if pair >= first {
            keys[pair - first] = full;
        }
        let odd = pair + 1u;
        if odd > end {
            break;
        }
        var key = read_key(words, first_key_word, header, odd);
        if odd < last {
            let next = read_key(words, first_key_word, header, odd + 1u);
            key += 0.5 * (full + next);
            full = next;
        }
        keys[odd - first] = key;
    }
    return SpanKeys(keys, spline_weights(header.degree, f), f);
}

// The value of a curve of translation, scale or offsets, relative to its reference. `position` is the position in the
// segment, from 0 to 1.
fn vector_curve(
    words: texture_2d_array<u32>,
    first_key_word: u32,
    header: CurveHeader,
    position: f32,
) -> vec3<f32> {
    let spans = bitcast<i32>(header.spans);
    let along = position * f32(spans);
    let span = min(i32(along), spans - 1);
    let first = bitcast<u32>(span);
    let last = header.spans + header.degree - 1u;
    let end = first + header.degree;
    // As `span_keys`, but keys are added up as they are read: some devices are slow to index arrays.
    let start = first & ~1u;
    let span_weights = spline_weights(header.degree, along - f32(span));
    let is_odd = first != start;
    // Weights of the even and the odd key of a pair, then of the next pair.
    var weights = select(span_weights, vec4(0.0, span_weights.xyz), is_odd);
    var last_weight = select(0.0, span_weights.w, is_odd);
    var full = read_key(words, first_key_word, header, start);
    var sum = weights.x * full;
    for (var odd = start + 1u; odd <= end; odd += 2u) {
        var key = read_key(words, first_key_word, header, odd);
        if odd < last {
            let next = read_key(words, first_key_word, header, odd + 1u);
            key += 0.5 * (full + next);
            full = next;
        }
        // A key past the end has the weight 0.
        sum += weights.y * key + weights.z * full;
        weights = vec4(weights.zw, last_weight, 0.0);
        last_weight = 0.0;
    }
    return sum * step_size(header.step);
}

// The value of a curve of rotation, relative to its reference. Keys are rotations. They are blended as quaternions, and
// the sum is normalised; those of degree 1 are interpolated spherically.
fn rotation_curve(
    words: texture_2d_array<u32>,
    first_key_word: u32,
    header: CurveHeader,
    position: f32,
) -> vec4<f32> {
    let span = span_keys(words, first_key_word, header, position);
    let size = step_size(header.step);
    let first = quat_from_mrp(size * span.keys[0]);
    let second = quat_from_mrp(size * span.keys[1]);
    var weights = span.weights;
    if header.degree == 1u {
        let weight = slerp_weight(clamp(dot(first, second), 0.0, 1.0), span.f);
        weights = vec4(1.0 - weight, weight, 0.0, 0.0);
    }
    var sum = weights.x * first + weights.y * second;
    if header.degree > 1u {
        sum += weights.z * quat_from_mrp(size * span.keys[2]) + weights.w * quat_from_mrp(size * span.keys[3]);
    }
    return sum / length(sum);
}

// The reference of a curve that has one of its own.
fn read_reference(words: texture_2d_array<u32>, first_key_word: u32, header: CurveHeader) -> vec3<f32> {
    // Around the middle of its range, 512.
    return read_vector(words, first_key_word, header.offset, vec3(REFERENCE_WIDTH)) / 512.0;
}

// Number of words of a segment's headers, including the first key word of each block.
fn row_words(present: u32) -> u32 {
    return present * HEADER_WORDS + (present + BLOCK_CURVES - 1u) / BLOCK_CURVES;
}

// Number of words of a clip's presence masks.
fn mask_words(curves: u32) -> u32 {
    return (curves + BLOCK_CURVES - 1u) / BLOCK_CURVES * MASK_WORDS;
}

// A record of the clip table.
struct ClipRecord {
    first_word: u32,
    segments: u32,
    segments_per_sec: f32,
    duration_secs: f32,
    present: u32,
}

fn clip_record_read(words: texture_2d_array<u32>, clip_table: u32, clip: u32) -> ClipRecord {
    let at = clip_table + clip * CLIP_WORDS;
    return ClipRecord(
        words_get(words, at),
        words_get(words, at + 1u),
        words_float(words, at + 2u),
        words_float(words, at + 3u),
        words_get(words, at + 4u),
    );
}

// A time of a clip, as a position in the compressed curves.
struct Moment {
    // First word of the clip's presence masks.
    masks: u32,
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
    let row = record.first_word + mask_words(curves) + bitcast<u32>(segment) * row_words(record.present);
    return Moment(record.first_word, row, min(position - f32(segment), 1.0));
}

// The header of a curve, and the first key word of its block.
struct FoundHeader {
    // False where the clip has no such curve.
    is_present: bool,
    first_key_word: u32,
    header: CurveHeader,
}

fn moment_header(words: texture_2d_array<u32>, moment: Moment, curve: u32) -> FoundHeader {
    var found: FoundHeader;
    let at = moment.masks + curve / BLOCK_CURVES * MASK_WORDS;
    let mask = words_get(words, at);
    let bit = 1u << (curve % BLOCK_CURVES);
    found.is_present = (mask & bit) != 0u;
    if found.is_present {
        let rank = words_get(words, at + 1u) + words_ones(mask & (bit - 1u));
        let block = moment.row + rank / BLOCK_CURVES * (BLOCK_CURVES * HEADER_WORDS + 1u);
        let header = block + 1u + rank % BLOCK_CURVES * HEADER_WORDS;
        found.first_key_word = words_get(words, block);
        found.header = curve_header_unpack(words_get(words, header), words_get(words, header + 1u));
    }
    return found;
}

// The value of a curve of translation, scale or offsets; zero where the clip has no such curve.
fn moment_vector(words: texture_2d_array<u32>, moment: Moment, curve: u32) -> vec3<f32> {
    let found = moment_header(words, moment, curve);
    if !found.is_present {
        return vec3(0.0);
    }
    var value = vector_curve(words, found.first_key_word, found.header, moment.position);
    if found.header.has_reference {
        value += read_reference(words, found.first_key_word, found.header);
    }
    return value;
}

// The value of a curve of rotation; `constant` where the clip has no such curve. A curve without a reference of its own
// is relative to `constant`.
fn moment_rotation(words: texture_2d_array<u32>, moment: Moment, curve: u32, constant: vec4<f32>) -> vec4<f32> {
    let found = moment_header(words, moment, curve);
    if !found.is_present {
        return constant;
    }
    var reference = constant;
    if found.header.has_reference {
        reference = quat_from_mrp(read_reference(words, found.first_key_word, found.header));
    }
    return quat_mul(reference, rotation_curve(words, found.first_key_word, found.header, moment.position));
}
