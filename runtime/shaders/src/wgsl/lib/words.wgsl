// An R32Uint texture that is indexed as one array of words, through its rows and layers. Needs divide.

fn words_get(words: texture_2d_array<u32>, word: u32) -> u32 {
    let size = textureDimensions(words);
    let row = divide(word, size.x);
    let layer = divide(row, size.y);
    return textureLoad(words, vec2(word - row * size.x, row - layer * size.y), layer, 0).x;
}

// 32 bits from bit `shift` of `low` on, which go on in `high`. `shift` is at most 31.
fn words_join(low: u32, high: u32, shift: u32) -> u32 {
    // Two shifts: one of 32 bits is undefined.
    return (low >> shift) | ((high << 1u) << (31u - shift));
}

// Number of bits that are set. Not every shading language has a function for it.
fn words_ones(bits: u32) -> u32 {
    let pairs = bits - ((bits >> 1u) & 0x55555555u);
    let fours = (pairs & 0x33333333u) + ((pairs >> 2u) & 0x33333333u);
    return (((fours + (fours >> 4u)) & 0x0f0f0f0fu) * 0x01010101u) >> 24u;
}

fn words_float(words: texture_2d_array<u32>, word: u32) -> f32 {
    return bitcast<f32>(words_get(words, word));
}

// Three consecutive floats.
fn words_vector(words: texture_2d_array<u32>, word: u32) -> vec3<f32> {
    return vec3(words_float(words, word), words_float(words, word + 1u), words_float(words, word + 2u));
}
