// A record of the clip table, from the tables of the set. Replaces the function of curves.
fn clip_record_read(words: texture_2d_array<u32>, clip_table: u32, clip: u32) -> ClipRecord {
    let a = table_get(tables, CLIP_RECORDS + 2u * clip);
    let present = table_get(tables, CLIP_RECORDS + 2u * clip + 1u).x;
    return ClipRecord(a.x, a.y, bitcast<f32>(a.z), bitcast<f32>(a.w), present);
}
