// Packed curves. Needs words and quat.

const BLOCK_TRACKS: u32 = 64u;
const HEADER_WORDS: u32 = 3u;
const CLIP_WORDS: u32 = 4u;

// How the keys of one track are stored in one segment.
struct TrackHeader {
    reference: vec3<f32>,
    widths: vec3<u32>,
    offset: u32,
    spans: u32,
    degree: u32,
    step: u32,
}

fn track_header_unpack(a: u32, b: u32, c: u32) -> TrackHeader {
    let reference = vec3(a & 0xffffu, a >> 16u, b & 0xffffu);
    return TrackHeader(
        (vec3<f32>(reference) - 32768.0) / 32768.0,
        vec3((b >> 16u) & 31u, (b >> 21u) & 31u, (b >> 26u) & 31u),
        c & 0x7ffffu,
        ((c >> 19u) & 63u) + 1u,
        (c >> 25u) & 3u,
        c >> 27u,
    );
}

// What a key of one counts, for a stored step: a power of two, made of its exponent.
fn step_size(step: u32) -> f32 {
    return bitcast<f32>((123u - step) << 23u);
}

// Weights of the keys of a span at a place in it, for a uniform B-spline of a degree.
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

// A component of a key of so many bits, in units of the step.
fn key_component(words: texture_2d_array<u32>, first_key_word: u32, bit: u32, width: u32) -> f32 {
    if width == 0u {
        return 0.0;
    }
    let middle = 1u << (width - 1u);
    return f32(bitcast<i32>(words_bits(words, first_key_word, bit, width) - middle));
}

// A key.
fn read_key(words: texture_2d_array<u32>, first_key_word: u32, header: TrackHeader, key: u32) -> vec3<f32> {
    let w = header.widths;
    let bit = header.offset + key * (w.x + w.y + w.z);
    return vec3(
        key_component(words, first_key_word, bit, w.x),
        key_component(words, first_key_word, bit + w.x, w.y),
        key_component(words, first_key_word, bit + w.x + w.y, w.z),
    ) * step_size(header.step);
}

// The span of a place in a segment, and the weights of its keys.
struct SpanWeights {
    span: u32,
    weights: vec4<f32>,
}

fn span_weights(header: TrackHeader, place: f32) -> SpanWeights {
    let spans = bitcast<i32>(header.spans);
    let along = place * f32(spans);
    let span = min(i32(along), spans - 1);
    return SpanWeights(bitcast<u32>(span), spline_weights(header.degree, along - f32(span)));
}

// What a track of translation, scale or offsets adds to its reference at a place in its segment, from 0
// to 1.
fn vector_curve(
    words: texture_2d_array<u32>,
    first_key_word: u32,
    header: TrackHeader,
    place: f32,
) -> vec3<f32> {
    let at = span_weights(header, place);
    var sum = vec3(0.0);
    for (var key = 0u; key <= header.degree; key++) {
        sum += at.weights[key] * read_key(words, first_key_word, header, at.span + key);
    }
    return sum;
}

// What a track of rotation turns its reference by: keys are rotations, which are blended as quaternions
// and brought back to unit length.
fn rotation_curve(
    words: texture_2d_array<u32>,
    first_key_word: u32,
    header: TrackHeader,
    place: f32,
) -> vec4<f32> {
    let at = span_weights(header, place);
    var sum = vec4(0.0);
    for (var key = 0u; key <= header.degree; key++) {
        let mrp = read_key(words, first_key_word, header, at.span + key);
        sum += at.weights[key] * quat_from_mrp(mrp);
    }
    return sum / length(sum);
}

// Words of a segment's headers, the words of its blocks' first keys among them.
fn row_words(tracks: u32) -> u32 {
    return tracks * HEADER_WORDS + (tracks + BLOCK_TRACKS - 1u) / BLOCK_TRACKS;
}

// A clip in the clip table.
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

// Where in a stream one time of one clip is.
struct Moment {
    // Word of the segment's row of headers.
    row: u32,
    // From 0 to 1 in the segment.
    place: f32,
}

// The segment of a time, in seconds from the clip's start, held inside the clip.
fn moment_find(
    words: texture_2d_array<u32>,
    clip_table: u32,
    tracks: u32,
    clip: u32,
    time_secs: f32,
) -> Moment {
    let record = clip_record_read(words, clip_table, clip);
    let place = clamp(time_secs, 0.0, record.duration_secs) * record.segments_per_sec;
    let segment = min(i32(place), bitcast<i32>(record.segments) - 1);
    let row = record.first_row + bitcast<u32>(segment) * row_words(tracks);
    return Moment(row, min(place - f32(segment), 1.0));
}

// A header, and the first key word of its block.
struct FoundHeader {
    first_key_word: u32,
    header: TrackHeader,
}

fn moment_header(words: texture_2d_array<u32>, moment: Moment, track: u32) -> FoundHeader {
    let block = moment.row + track / BLOCK_TRACKS * (BLOCK_TRACKS * HEADER_WORDS + 1u);
    let at = block + 1u + track % BLOCK_TRACKS * HEADER_WORDS;
    let header = track_header_unpack(
        words_get(words, at),
        words_get(words, at + 1u),
        words_get(words, at + 2u),
    );
    return FoundHeader(words_get(words, block), header);
}

// The value of a track of translation, scale or offsets.
fn moment_vector(words: texture_2d_array<u32>, moment: Moment, track: u32) -> vec3<f32> {
    let found = moment_header(words, moment, track);
    let delta = vector_curve(words, found.first_key_word, found.header, moment.place);
    return found.header.reference + delta;
}

// The value of a track of rotation.
fn moment_rotation(words: texture_2d_array<u32>, moment: Moment, track: u32) -> vec4<f32> {
    let found = moment_header(words, moment, track);
    let delta = rotation_curve(words, found.first_key_word, found.header, moment.place);
    return quat_mul(quat_from_mrp(found.header.reference), delta);
}
