// Records of a set in a block, as many as every device takes. There is no texture: a number stands for it.

alias Tables = u32;

const tables: Tables = 0u;

@group(1) @binding(1) var<uniform> table_records: array<vec4<u32>, 1024>;

fn table_get(nothing: Tables, at: u32) -> vec4<u32> {
    return table_records[at];
}
