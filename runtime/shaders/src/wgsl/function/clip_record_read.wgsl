// A record of the clip table, from the tables of the set if they have it. Replaces the function of curves.
fn clip_record_read(words: texture_2d_array<u32>, clip_table: u32, clip: u32) -> ClipRecord {
    if options.clip_records != 0u {
        let a = table_get(tables, options.clip_records + 2u * clip);
        let present = table_get(tables, options.clip_records + 2u * clip + 1u).x;
        return ClipRecord(a.x, a.y, bitcast<f32>(a.z), bitcast<f32>(a.w), present);
    }
    let at = clip_table + clip * CLIP_WORDS;
    return ClipRecord(
        words_get(words, at),
        words_get(words, at + 1u),
        words_float(words, at + 2u),
        words_float(words, at + 3u),
        words_get(words, at + 4u),
    );
}
