//! Scenarios and tolerances: `table.json`.

use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Fractions of a clip, from 0 to 1.
    pub times: Vec<f64>,
    pub sets: Vec<SetRow>,
    pub played: Vec<PlayedRow>,
    pub characters: Vec<CharacterRow>,
}

/// A texture set.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetRow {
    pub encoding: String,
    pub storage: String,
    #[serde(default)]
    pub blend: Option<String>,
    #[serde(default)]
    pub preset: Option<String>,
    /// Small sides spread frames over several rows and layers.
    #[serde(default)]
    pub max_side: Option<u32>,
    pub methods: Vec<String>,
    pub decode: Vec<String>,
    /// Only for characters with `thorough`.
    #[serde(default)]
    pub thorough: bool,
}

/// A technique without a texture set.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayedRow {
    pub technique: String,
    pub methods: Vec<String>,
    /// Only for characters with `thorough`.
    #[serde(default)]
    pub thorough: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CharacterRow {
    /// `builtin:NAME`, or a path below the shared assets.
    pub source: String,
    pub tolerance_mm: f64,
    pub tolerance_degrees: f64,
    /// True if joints are rigid, so that bone textures can be skinned by dual quaternions.
    pub rigid: bool,
    /// Encodings that cannot represent the motion of a joint, and presets that cannot represent the character.
    #[serde(default)]
    pub cannot_hold: Vec<String>,
    /// True if all rows are compared.
    #[serde(default)]
    pub thorough: bool,
}

impl CharacterRow {
    /// True if a set of the character cannot be baked.
    pub fn cannot_hold(&self, set: &SetRow) -> bool {
        let names = [Some(&set.encoding), set.preset.as_ref()];
        let mut names = names.into_iter().flatten();
        names.any(|name| self.cannot_hold.contains(name))
    }
}

pub fn table() -> Table {
    serde_json::from_str(include_str!("table.json")).unwrap()
}
