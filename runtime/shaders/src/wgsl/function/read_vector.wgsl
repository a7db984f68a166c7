// Three integers of up to 24 bits each and 64 bits in all, each around the middle of its range. Two words always contain
// those of up to 32 bits in all. Replaces the function of curves.
fn read_vector(words: texture_2d_array<u32>, first_word: u32, bit: u32, widths: vec3<u32>) -> vec3<f32> {
    let word = first_word + bit / 32u;
    let shift = bit % 32u;
    let next = words_get(words, word + 1u);
    let low = words_join(words_get(words, word), next, shift);
    var high = 0u;
    if options.max_key_bits > 32u {
        high = words_join(next, words_get(words, word + 2u), shift);
    }
    let second = words_join(low, high, widths.x);
    let third = words_join(second, high >> widths.x, widths.y);
    let bits = vec3(low, second, third) & ((vec3(1u) << widths) - 1u);
    // A component of no bits is 0, and so is its middle.
    let middle = (vec3(1u) << widths) >> vec3(1u);
    return vec3<f32>(bitcast<vec3<i32>>(bits - middle));
}
