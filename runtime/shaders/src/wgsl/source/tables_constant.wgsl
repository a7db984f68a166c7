// Records of a set that are compiled in, as `TABLES`. There is nothing to bind: a number stands for the texture.

alias Tables = u32;

const tables: Tables = 0u;

fn table_get(nothing: Tables, at: u32) -> vec4<u32> {
    return TABLES[min(at, TABLE_RECORDS - 1u)];
}
