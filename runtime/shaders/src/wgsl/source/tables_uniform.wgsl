// Tables of a set, in a uniform block of 16 KiB, which every device supports. `Tables` is an unused number.

alias Tables = u32;

const tables: Tables = 0u;

@group(1) @binding(1) var<uniform> table_records: array<vec4<u32>, 1024>;

fn table_get(unused: Tables, at: u32) -> vec4<u32> {
    return table_records[at];
}
