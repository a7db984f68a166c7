// An R32Uint texture that is indexed as one array of words, through its rows and layers. Needs divide.

fn words_get(words: texture_2d_array<u32>, word: u32) -> u32 {
    let size = textureDimensions(words);
    let row = divide(word, size.x);
    let layer = divide(row, size.y);
    return textureLoad(words, vec2(word - row * size.x, row - layer * size.y), layer, 0).x;
}

// Up to 24 bits, lowest first. `bit` counts from `first_word`.
fn words_bits(words: texture_2d_array<u32>, first_word: u32, bit: u32, width: u32) -> u32 {
    if width == 0u {
        return 0u;
    }
    let word = first_word + bit / 32u;
    let shift = bit % 32u;
    var bits = words_get(words, word) >> shift;
    if shift + width > 32u {
        bits |= words_get(words, word + 1u) << (32u - shift);
    }
    return bits & ((1u << width) - 1u);
}

fn words_float(words: texture_2d_array<u32>, word: u32) -> f32 {
    return bitcast<f32>(words_get(words, word));
}

// Three consecutive floats.
fn words_vector(words: texture_2d_array<u32>, word: u32) -> vec3<f32> {
    return vec3(words_float(words, word), words_float(words, word + 1u), words_float(words, word + 2u));
}
