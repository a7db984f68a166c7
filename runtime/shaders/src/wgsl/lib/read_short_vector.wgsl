// Three integers of up to 24 bits each and 32 bits in all, each around the middle of its range. Two words always contain
// them. Replaces the function of curves.
fn read_vector(words: texture_2d_array<u32>, first_word: u32, bit: u32, widths: vec3<u32>) -> vec3<f32> {
    let word = first_word + bit / 32u;
    let first = words_join(words_get(words, word), words_get(words, word + 1u), bit % 32u);
    let second = first >> widths.x;
    let bits = vec3(first, second, second >> widths.y) & ((vec3(1u) << widths) - 1u);
    // A component of no bits is 0, and so is its middle.
    let middle = (vec3(1u) << widths) >> vec3(1u);
    return vec3<f32>(bitcast<vec3<i32>>(bits - middle));
}
