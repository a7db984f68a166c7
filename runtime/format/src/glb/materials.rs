//! Materials, textures and images of a document, each written once and only where used.

use throng_rig::{AlphaMode, Character, ImageFormat, Material, Mesh, Wrap};

use super::F32;
use super::document::{self, PbrMetallicRoughness, Sampler, Texture, TextureInfo};

/// Non-metallic, as cloth and skin are.
const METALLIC_FACTOR: f64 = 0.0;
/// Mostly rough.
const ROUGHNESS_FACTOR: f64 = 0.8;

/// Materials, textures, samplers and images that primitives use, without duplicates.
#[derive(Default)]
pub struct MaterialTable {
    /// Materials of the document.
    pub materials: Vec<document::Material>,
    /// Textures of the document.
    pub textures: Vec<Texture>,
    /// Samplers of the document.
    pub samplers: Vec<Sampler>,
    /// Indices into the character's images.
    images: Vec<usize>,
}

impl MaterialTable {
    /// Adds the material of a mesh, or a default one, and returns its index in the document.
    ///
    /// The texture is omitted where the mesh has no texture coordinates or the image is neither PNG nor JPEG.
    pub fn material_of(&mut self, character: &Character, mesh: &Mesh) -> usize {
        let plain = Material::default();
        let material = mesh.material.map_or(&plain, |i| &character.materials()[i]);
        let texture = material.texture.filter(|texture| {
            let bytes = &character.images()[texture.image].bytes;
            !mesh.uvs().is_empty() && ImageFormat::of(bytes).is_some()
        });
        let base_color_texture = texture.map(|texture| TextureInfo {
            index: self.texture(texture),
        });
        let (alpha_mode, alpha_cutoff) = match material.alpha {
            AlphaMode::Opaque => ("OPAQUE", None),
            AlphaMode::Mask { cutoff } => ("MASK", Some(F32(alpha_cutoff(cutoff)))),
            AlphaMode::Blend => ("BLEND", None),
        };
        let material = document::Material {
            name: material.name.clone(),
            pbr_metallic_roughness: PbrMetallicRoughness {
                base_color_factor: material.base_color.map(|x| F32(saturate(x))),
                base_color_texture,
                metallic_factor: METALLIC_FACTOR,
                roughness_factor: ROUGHNESS_FACTOR,
            },
            alpha_mode,
            alpha_cutoff,
            double_sided: material.double_sided,
        };
        index_of(&mut self.materials, material)
    }

    fn texture(&mut self, texture: throng_rig::Texture) -> usize {
        let sampler = Sampler {
            wrap_s: wrap_mode(texture.wrap_u),
            wrap_t: wrap_mode(texture.wrap_v),
        };
        let texture = Texture {
            sampler: index_of(&mut self.samplers, sampler),
            source: index_of(&mut self.images, texture.image),
        };
        index_of(&mut self.textures, texture)
    }

    /// Images of the document. `view_of` returns the buffer view of one of the character's images.
    pub fn images(
        &self,
        character: &Character,
        mut view_of: impl FnMut(usize) -> usize,
    ) -> Vec<document::Image> {
        let image = |&index: &usize| {
            let image = &character.images()[index];
            let format = ImageFormat::of(&image.bytes).unwrap_or(image.format);
            document::Image {
                name: image.name.clone(),
                mime_type: format.mime(),
                buffer_view: view_of(index),
            }
        };
        self.images.iter().map(image).collect()
    }
}

/// Clamps to 0 to 1; NaN becomes 0.
pub fn saturate(value: f32) -> f32 {
    if value > 0.0 { value.min(1.0) } else { 0.0 }
}

/// Clamps to at least 0. A cutoff above 1 hides everything, as in glTF.
fn alpha_cutoff(cutoff: f32) -> f32 {
    if cutoff > 0.0 {
        cutoff.min(f32::MAX)
    } else {
        0.0
    }
}

fn wrap_mode(wrap: Wrap) -> u32 {
    match wrap {
        Wrap::Repeat => 10497,
        Wrap::Clamp => 33071,
        Wrap::Mirror => 33648,
    }
}

/// Index of a value in a list, appended if missing.
fn index_of<T: PartialEq>(list: &mut Vec<T>, value: T) -> usize {
    list.iter()
        .position(|known| *known == value)
        .unwrap_or_else(|| {
            list.push(value);
            list.len() - 1
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saturate_clamps_to_zero_and_one() {
        assert_eq!(
            [-1.0, 0.5, 7.0, f32::NAN].map(saturate),
            [0.0, 0.5, 1.0, 0.0]
        );
    }
}
