// Tables of a set, in a texture. Needs bits.

alias Tables = texture_2d<u32>;

@group(1) @binding(1) var tables: Tables;

fn table_get(tables: Tables, at: u32) -> vec4<u32> {
    return bits_get(tables, at);
}
