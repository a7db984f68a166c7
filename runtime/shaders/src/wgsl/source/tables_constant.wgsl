// Tables of a set, compiled in as `TABLES`. Nothing is bound, so `Tables` is an unused number.

alias Tables = u32;

const tables: Tables = 0u;

fn table_get(unused: Tables, at: u32) -> vec4<u32> {
    return TABLES[min(at, TABLE_RECORDS - 1u)];
}
