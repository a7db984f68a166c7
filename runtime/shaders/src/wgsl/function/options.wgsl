// Properties of a set and its instances that make code unnecessary. A variable here, so that nothing is computed from its
// values; printed functions declare it as a constant, which packages replace.

struct Options {
    // Largest number of influences of a vertex: 1 to 4, or 5 for any number.
    max_influences: u32,
    // 1 if instances may cross-fade, 0 if none does.
    has_fades: u32,
    // Size of the texture of compressed curves: logarithm of the width, or 0 to ask the texture; rows; layers.
    word_column_bits: u32,
    word_rows: u32,
    word_layers: u32,
    // Largest number of bits of a key of compressed curves.
    max_key_bits: u32,
    // First record in tables of the clips of compressed curves, two each; 0 to read them from the curves.
    @size(8) clip_records: u32,
}

@group(1) @binding(17) var<uniform> options: Options;
