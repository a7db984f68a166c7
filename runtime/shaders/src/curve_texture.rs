//! Shaders of compressed curves with the layout of their texture compiled in.

use crate::Shader;
use crate::compose::text_of;

/// Properties of a texture of compressed curves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurveTexture {
    /// Width, height and layers in texels.
    pub size: [u32; 3],
    /// Largest number of bits of a key or a reference.
    pub max_key_bits: u32,
    /// First of the tables' records of clips: two per clip, its words and zeros.
    pub clip_records: u32,
}

/// Longest key that is read from two words.
const SHORT_KEY_BITS: u32 = 32;

impl Shader {
    /// Compiles the layout of a texture of compressed curves in: words are found without divisions, short keys are read from
    /// two words instead of three, and records of clips from tables. Shaders that read no curves are returned unchanged.
    pub fn with_curve_texture(mut self, texture: &CurveTexture) -> Self {
        let [width, height, layers] = texture.size;
        if !self.source.contains("\nfn clip_record_read(") {
            return self;
        }
        if width.is_power_of_two() {
            let constants = format!(
                "const WORD_COLUMN_BITS: u32 = {}u;\n\
                 const WORD_ROWS: u32 = {height}u;\n\
                 const WORD_LAYERS: u32 = {layers}u;\n\n",
                width.ilog2()
            );
            self.replace_function("words_get", &(constants + text_of("lib/words_sized")));
        }
        if texture.max_key_bits <= SHORT_KEY_BITS {
            self.replace_function("read_vector", text_of("lib/read_short_vector"));
        }
        let constant = format!("const CLIP_RECORDS: u32 = {}u;\n\n", texture.clip_records);
        let text = constant + text_of("source/clip_records_tables");
        self.replace_function("clip_record_read", &text);
        self
    }
}
