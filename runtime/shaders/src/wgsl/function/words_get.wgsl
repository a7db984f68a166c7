// A word of a texture whose size may be in the options, with a width of a power of two. Replaces the function of words.
fn words_get(words: texture_2d_array<u32>, word: u32) -> u32 {
    if options.word_column_bits == 0u {
        let size = textureDimensions(words);
        let row = divide(word, size.x);
        let layer = divide(row, size.y);
        return textureLoad(words, vec2(word - row * size.x, row - layer * size.y), layer, 0).x;
    }
    let column = word & ((1u << options.word_column_bits) - 1u);
    var row = word >> options.word_column_bits;
    var layer = 0u;
    if options.word_layers > 1u {
        layer = divide(row, options.word_rows);
        row -= layer * options.word_rows;
    }
    return textureLoad(words, vec2(column, row), layer, 0).x;
}
