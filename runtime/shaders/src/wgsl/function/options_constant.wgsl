// Options that fit every set.

struct Options {
    max_influences: u32,
    has_fades: u32,
    word_column_bits: u32,
    word_rows: u32,
    word_layers: u32,
    max_key_bits: u32,
    clip_records: u32,
}

const options: Options = Options(5u, 1u, 0u, 0u, 0u, 64u, 0u);
