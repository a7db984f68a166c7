// Colour of a vertex with the outfit of its instance. Alpha of the vertex colour names a slot, the user word of the
// instance an entry of the table for each slot.

@group(3) @binding(5) var<uniform> wardrobe: array<vec4<f32>, 56>;

// Strength of light on outlines.
const OUTLINE: f32 = 1.0;

// First entries of the table.
const LIPS: u32 = 8u;
const HAIRS: u32 = 16u;
const SHIRTS: u32 = 24u;
const TROUSERS: u32 = 40u;
const SHOES: u32 = 48u;

fn outfit_color(slot: u32, outfit: u32, painted: vec3<f32>) -> vec3<f32> {
    let skin = outfit & 7u;
    switch slot {
        case 1u: { return wardrobe[skin].rgb; }
        case 2u: {
            let hair = wardrobe[HAIRS + ((outfit >> 3u) & 7u)];
            return mix(hair.rgb, 0.62 * wardrobe[skin].rgb, hair.a);
        }
        case 3u: { return wardrobe[SHIRTS + ((outfit >> 6u) & 15u)].rgb; }
        case 4u: { return wardrobe[SHIRTS + ((outfit >> 10u) & 15u)].rgb; }
        case 5u: { return wardrobe[TROUSERS + ((outfit >> 14u) & 7u)].rgb; }
        case 6u: { return wardrobe[SHOES + ((outfit >> 17u) & 7u)].rgb; }
        case 10u: { return wardrobe[LIPS + skin].rgb; }
        default: { return painted; }
    }
}

fn body_color(in: VertexOut) -> vec4<f32> {
    var color = in.color.rgb;
    if in.user != 0u {
        color = outfit_color(u32(255.0 * (1.0 - in.color.a) + 0.5), in.user, color);
    }
    return vec4(color, 1.0) * in.tint;
}
