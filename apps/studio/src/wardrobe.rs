//! Clothes, hair and skin that differ between instances: a table of colours, and the choice of an instance.
//!
//! A character takes part if its vertex colours name a slot in their alpha, as those of the built-in humanoid do: 255 - n
//! in units of 1/255 is slot n. An instance chooses by its user word ([`Outfit::word`]); a word of 0 keeps the colours of
//! the mesh.

use std::collections::HashMap;

use glam::Vec3;
use throng_rig::{Character, Mesh};

use crate::Random;

/// Slots of a character, in the order of their numbers from 1: skin, hair, shirt, stripe, trousers, shoe, sole, eye, iris
/// and lips.
const SLOTS: u8 = 10;
/// Set in every word of an outfit, so that 0 is none.
const IS_OUTFIT: u32 = 1 << 31;
/// Keeps outfits independent of the other random numbers of an instance.
const OUTFIT_STREAM: u64 = 0x6f75_7466_6974_7331;

/// Skin colours of a [`Wardrobe`].
const SKINS: usize = 8;
/// Hair colours of a [`Wardrobe`]; the last is a shaved head.
const HAIRS: usize = 8;
/// Shirt colours of a [`Wardrobe`].
const SHIRTS: usize = 16;
/// Trouser colours of a [`Wardrobe`].
const TROUSERS: usize = 8;
/// Shoe colours of a [`Wardrobe`].
const SHOES: usize = 8;
/// Colours in the table of the shader, with a colour of lips per skin.
pub(crate) const TABLE: usize = 2 * SKINS + HAIRS + SHIRTS + TROUSERS + SHOES;

/// Colours that outfits choose from, as sRGB `0xrrggbb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wardrobe {
    /// Skins, from light to dark.
    pub skins: [u32; SKINS],
    /// Hair: six natural colours, grey, and a shaved head, which takes a darker shade of the skin instead.
    pub hairs: [u32; HAIRS],
    /// Shirts, and stripes on them.
    pub shirts: [u32; SHIRTS],
    /// Trousers.
    pub trousers: [u32; TROUSERS],
    /// Shoes.
    pub shoes: [u32; SHOES],
}

impl Default for Wardrobe {
    fn default() -> Self {
        Self {
            skins: [
                0xf0cdb4, 0xe6b898, 0xd9a27e, 0xc68863, 0xa86b47, 0x8a5236, 0x6b3d28, 0x4b2a1c,
            ],
            hairs: [
                0x1b1411, 0x2e1c13, 0x53351f, 0x85572f, 0xb98a4e, 0x7a2f1a, 0x9a9794, 0x000000,
            ],
            shirts: [
                0xf2efe8, 0xc4c8cd, 0x3a3d42, 0x24344f, 0x4a6d94, 0x8fb3cf, 0x1f7a7a, 0x2f5d46,
                0x7c7a45, 0xd6c29a, 0xd1982f, 0xb9573a, 0xa8322f, 0x6b2233, 0xd79aa0, 0x8d86b5,
            ],
            trousers: [
                0x1f2b44, 0x22252a, 0x43474d, 0x3f5d86, 0x7590b4, 0xb09a72, 0x5a4433, 0x55583c,
            ],
            shoes: [
                0x1c1c1e, 0x5a3a25, 0x9a6b3f, 0xe9e7e2, 0x85888c, 0x2b3a55, 0xa33a2c, 0x3f6a55,
            ],
        }
    }
}

impl Wardrobe {
    /// Returns the table of the shader: skins, lips, hair, shirts, trousers and shoes, linear. Alpha is the part of hair
    /// that takes the colour of the skin.
    pub(crate) fn table(&self) -> [[f32; 4]; TABLE] {
        let mut table = [[0.0; 4]; TABLE];
        let lips = self.skins.map(|skin| linear(skin) * LIPS_PER_SKIN);
        let shaved = |index| if index == HAIRS - 1 { 1.0 } else { 0.0 };
        let hairs = self.hairs.iter().enumerate();
        let colors = (self.skins.map(linear).into_iter().chain(lips))
            .map(|color| color.extend(0.0))
            .chain(hairs.map(|(index, &hair)| linear(hair).extend(shaved(index))))
            .chain(
                (self.shirts.iter().chain(&self.trousers).chain(&self.shoes))
                    .map(|&color| linear(color).extend(0.0)),
            );
        for (entry, color) in table.iter_mut().zip(colors) {
            *entry = color.to_array();
        }
        table
    }
}

/// Colour of lips relative to the skin.
const LIPS_PER_SKIN: Vec3 = Vec3::new(0.72, 0.46, 0.50);

/// Returns a colour of sRGB as linear.
fn linear(srgb: u32) -> Vec3 {
    let [_, r, g, b] = srgb.to_be_bytes();
    let channel = |byte: u8| match f32::from(byte) / 255.0 {
        dark @ ..=0.04045 => dark / 12.92,
        light => ((light + 0.055) / 1.055).powf(2.4),
    };
    Vec3::new(channel(r), channel(g), channel(b))
}

/// The choice of an instance from a [`Wardrobe`], as indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outfit {
    /// Skin, and lips with it.
    pub skin: u8,
    /// Hair and eyebrows.
    pub hair: u8,
    /// Shirt.
    pub shirt: u8,
    /// Stripe of the shirt; the colour of the shirt is none.
    pub stripe: u8,
    /// Trousers.
    pub trousers: u8,
    /// Shoes.
    pub shoe: u8,
}

impl Outfit {
    /// Chooses the outfit of an instance at random. Dark skins have dark hair, grey hair or none; most shirts are plain.
    pub fn of_instance(seed: u64, index: u32) -> Self {
        let mut random = Random::of_instance(seed ^ OUTFIT_STREAM, index);
        let mut below = |count: usize| ((random.unit() * count as f32) as u8).min(count as u8 - 1);
        let (skin, hair) = (below(SKINS), below(2 * HAIRS));
        let (shirt, stripe) = (below(SHIRTS), below(SHIRTS));
        let is_plain = below(5) > 0;
        Self {
            skin,
            hair: match (hair, usize::from(skin) < SKINS / 2) {
                // Each colour, and brown more often.
                (0..8, true) => hair,
                (8..12, true) => 1,
                (_, true) => 2,
                (0, false) => 6,
                (1 | 2, false) => 7,
                (3..9, false) => 1,
                (_, false) => 0,
            },
            shirt,
            stripe: if is_plain { shirt } else { stripe },
            trousers: below(TROUSERS),
            shoe: below(SHOES),
        }
    }

    /// User word of an instance with this outfit; never 0.
    pub fn word(self) -> u32 {
        let fields = [
            (self.skin, 0, SKINS),
            (self.hair, 3, HAIRS),
            (self.shirt, 6, SHIRTS),
            (self.stripe, 10, SHIRTS),
            (self.trousers, 14, TROUSERS),
            (self.shoe, 17, SHOES),
        ];
        let fields = fields.map(|(index, shift, count)| u32::from(index % count as u8) << shift);
        fields
            .into_iter()
            .fold(IS_OUTFIT, |word, field| word | field)
    }

    /// Returns true if instances of a character can have outfits: all vertices name a slot, at least three slots are named,
    /// and all vertices of a slot have one colour.
    pub fn fits(character: &Character) -> bool {
        let mut colors = HashMap::new();
        let mut parts = character.parts().iter();
        parts.all(|part| has_slots(character.mesh_of(part), &mut colors)) && colors.len() >= 3
    }
}

/// Returns true if all vertices name a slot of one colour.
fn has_slots(mesh: &Mesh, colors: &mut HashMap<u8, [f32; 3]>) -> bool {
    !mesh.colors().is_empty()
        && mesh.colors().iter().all(|&[r, g, b, alpha]| {
            let slot = 255.0 * (1.0 - alpha);
            // Meshes on disk have 16 bits per channel.
            let is_slot = (slot - slot.round()).abs() < 0.01;
            let slot = slot.round() as u8;
            let color = colors.entry(slot).or_insert([r, g, b]);
            is_slot && (1..=SLOTS).contains(&slot) && *color == [r, g, b]
        })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn outfits_differ_between_instances_and_are_stable_under_the_seed() {
        let words = |seed| (0..1000).map(move |index| Outfit::of_instance(seed, index).word());
        let distinct: HashSet<u32> = words(0).collect();
        assert!(distinct.len() > 900, "{}", distinct.len());
        assert!(words(3).eq(words(3)) && words(3).ne(words(4)));
        assert!(words(5).all(|word| word != 0));
    }

    #[test]
    fn every_colour_is_chosen() {
        let outfits: Vec<Outfit> = (0..2000).map(|i| Outfit::of_instance(9, i)).collect();
        let chosen = |of: fn(&Outfit) -> u8| outfits.iter().map(of).collect::<HashSet<_>>().len();
        assert_eq!(chosen(|o| o.skin), SKINS);
        assert_eq!(chosen(|o| o.hair), HAIRS);
        assert_eq!(chosen(|o| o.shirt), SHIRTS);
        assert_eq!(chosen(|o| o.trousers), TROUSERS);
        assert_eq!(chosen(|o| o.shoe), SHOES);
    }

    #[test]
    fn only_the_humanoid_has_slots() {
        let builtin = |name| throng_import::builtin::builtin(name).unwrap();
        assert!(Outfit::fits(&builtin("humanoid:600")));
        for name in ["bar", "cylinder", "box"] {
            assert!(!Outfit::fits(&builtin(name)), "{name}");
        }
    }

    /// Compact meshes of sets have 16 bits per channel.
    #[test]
    fn slots_survive_a_bake() {
        let humanoid = throng_import::builtin::builtin("humanoid:600").unwrap();
        let settings = throng_bake::BakeSettings::default();
        let source = throng_format::Source::in_memory("humanoid");
        let baked = throng_bake::bake(&humanoid, &settings, &source, &()).unwrap();
        let model = baked.set.model();
        assert!(Outfit::fits(model));
        let slots = |character: &Character| {
            let colors = character.meshes()[0].colors().iter();
            let slots: HashSet<u32> = colors.map(|c| (255.0 * c[3]).round() as u32).collect();
            slots
        };
        assert_eq!(slots(model), slots(&humanoid));
        // The writer stores this many bits: no colour is rounded twice.
        let stored = |x: f32| (x * 65535.0).round() / 65535.0;
        let mut colors = model.meshes()[0].colors().as_flattened().iter();
        assert!(colors.all(|&x| stored(x) == x));
    }

    /// Two mid greys of sRGB, by the definition of IEC 61966-2-1.
    #[test]
    fn colours_are_converted_from_srgb() {
        let grey = linear(0x808080);
        assert!((grey.x - 0.215_861).abs() < 1e-5, "{grey}");
        assert!((linear(0x0a0a0a).x - 0.003_035).abs() < 1e-5);
    }
}
