// A word of a texture whose size is compiled in, with a width of a power of two. Replaces the function of words.
fn words_get(words: texture_2d_array<u32>, word: u32) -> u32 {
    let column = word & ((1u << WORD_COLUMN_BITS) - 1u);
    var row = word >> WORD_COLUMN_BITS;
    var layer = 0u;
    if WORD_LAYERS > 1u {
        layer = divide(row, WORD_ROWS);
        row -= layer * WORD_ROWS;
    }
    return textureLoad(words, vec2(column, row), layer, 0).x;
}
