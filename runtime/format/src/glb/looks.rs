//! Materials, textures and images, each written once and only where something uses it.

use throng_rig::{AlphaMode, Character, ImageFormat, Material, Mesh, Wrap};

use super::F32;
use super::document::{self, PbrMetallicRoughness, Sampler, Texture, TextureInfo};

/// Cloth and skin rather than metal.
const METALLIC_FACTOR: f64 = 0.0;
/// Mostly dull.
const ROUGHNESS_FACTOR: f64 = 0.8;

/// What primitives have asked for so far.
#[derive(Default)]
pub struct Looks {
    /// For the document.
    pub materials: Vec<document::Material>,
    /// For the document.
    pub textures: Vec<Texture>,
    /// For the document.
    pub samplers: Vec<Sampler>,
    /// Indices into the character's images.
    images: Vec<usize>,
}

impl Looks {
    /// The material of a mesh, a plain one where it has none; gives its index in the document.
    ///
    /// The texture is left out where the mesh has no texture coordinates, or the image is neither PNG
    /// nor JPEG.
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
                base_color_factor: material.base_color.map(|x| F32(unit(x))),
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

    /// The images that are used, for the document; `view_of` puts one of the character's into the buffer.
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

/// Held between 0 and 1; NaN is 0.
pub fn unit(value: f32) -> f32 {
    if value > 0.0 { value.min(1.0) } else { 0.0 }
}

/// Not below 0; more than 1 hides everything, as in glTF.
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

/// Where a value is in a list, put at its end if it was not there.
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
    fn a_unit_is_held_between_nought_and_one() {
        assert_eq!([-1.0, 0.5, 7.0, f32::NAN].map(unit), [0.0, 0.5, 1.0, 0.0]);
    }
}
