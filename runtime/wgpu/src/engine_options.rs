//! Options of functions for engines, for one set.

use throng_format::TextureSet;
use throng_shaders::EngineOptions;

use crate::GpuError;
use crate::curve_texture::curve_texture;
use crate::mesh::MeshData;
use crate::set_shaders::set_tables_of;

/// Returns options that drop code which a set does not need, and appends the records of its compressed clips to `tables`,
/// which are those of [`crate::SetShaders`]. Cross-fades stay.
pub fn engine_options(
    set: &TextureSet,
    tables: &mut Vec<[u32; 4]>,
) -> Result<EngineOptions, GpuError> {
    let skinning = set.manifest().method;
    let mesh = MeshData::of_set(set, skinning, &set_tables_of(set, skinning)?);
    let mut options = EngineOptions {
        max_influences: mesh.max_influences.clamp(1, 5) as u32,
        ..EngineOptions::default()
    };
    if let Some(texture) = curve_texture(set, tables) {
        options.word_texture = texture.size;
        options.max_key_bits = texture.max_key_bits;
        options.clip_records = texture.clip_records;
    }
    Ok(options)
}
