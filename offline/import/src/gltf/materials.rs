//! Conversion of materials: base colour, its texture and alpha mode.

use std::collections::HashMap;

use glam::{Mat2, Vec2};
use throng_rig::{AlphaMode, Image, ImageFormat, Material, Texture, Wrap};

use super::document::Document;
use super::schema;
use crate::Warning;
use crate::error::Outcome;
use crate::image_format::{format_name, unsupported};

/// Materials of a file and their images.
pub(super) struct Materials {
    pub materials: Vec<Material>,
    pub images: Vec<Image>,
}

/// Texture coordinate set of a base-colour texture, and the transform of its coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct UvUse {
    pub set: usize,
    matrix: Mat2,
    offset: Vec2,
}

impl UvUse {
    pub(super) const DEFAULT: Self = Self {
        set: 0,
        matrix: Mat2::IDENTITY,
        offset: Vec2::ZERO,
    };

    pub(super) fn apply(&self, uv: Vec2) -> Vec2 {
        self.matrix * uv + self.offset
    }
}

pub(super) fn build(document: &Document, warnings: &mut Vec<Warning>) -> Outcome<Materials> {
    let mut images = Images {
        document,
        list: Vec::new(),
        by_source: HashMap::new(),
        by_bytes: HashMap::new(),
    };
    let mut materials = Vec::new();
    for (index, material) in document.root.materials.iter().enumerate() {
        let object = super::document::label("material", index, &material.name);
        let (factor, info) = base_color(material);
        let texture = match info {
            Some(info) => images.texture(info, &object, warnings)?,
            None => None,
        };
        let alpha = match material.alpha_mode.as_deref() {
            Some("MASK") => AlphaMode::Mask {
                cutoff: material
                    .alpha_cutoff
                    .filter(|cutoff| cutoff.is_finite())
                    .unwrap_or(0.5),
            },
            Some("BLEND") => AlphaMode::Blend,
            _ => AlphaMode::Opaque,
        };
        materials.push(Material {
            name: material.name.clone(),
            base_color: factor
                .filter(|c| c.iter().all(|x| x.is_finite()))
                .unwrap_or([1.0; 4]),
            texture,
            alpha,
            double_sided: material.double_sided,
        });
    }
    Ok(Materials {
        materials,
        images: images.list,
    })
}

/// Returns the base colour and its texture, also of the older specular-glossiness model.
fn base_color(material: &schema::Material) -> (Option<[f32; 4]>, Option<&schema::TextureInfo>) {
    if let Some(old) = &material.extensions.specular_glossiness {
        return (old.diffuse_factor, old.diffuse_texture.as_ref());
    }
    match &material.pbr_metallic_roughness {
        Some(pbr) => (pbr.base_color_factor, pbr.base_color_texture.as_ref()),
        None => (None, None),
    }
}

/// Returns the use of texture coordinates by a material.
pub(super) fn uv_use(material: &schema::Material) -> UvUse {
    let Some(info) = base_color(material).1 else {
        return UvUse::DEFAULT;
    };
    let Some(transform) = info.extensions.transform else {
        return UvUse {
            set: info.tex_coord,
            ..UvUse::DEFAULT
        };
    };
    // V points down, so a positive angle rotates opposite to a matrix in a right-handed plane.
    let rotation = Mat2::from_angle(-transform.rotation.unwrap_or(0.0));
    let scale = Mat2::from_diagonal(transform.scale.map_or(Vec2::ONE, Vec2::from_array));
    UvUse {
        set: transform.tex_coord.unwrap_or(info.tex_coord),
        matrix: rotation * scale,
        offset: transform.offset.map_or(Vec2::ZERO, Vec2::from_array),
    }
}

struct Images<'d, 'a> {
    document: &'d Document<'a>,
    list: Vec<Image>,
    by_source: HashMap<usize, Option<usize>>,
    /// Index in `list` by buffer view and URI. Several images of a file may share their bytes.
    by_bytes: HashMap<(Option<usize>, Option<String>), usize>,
}

impl Images<'_, '_> {
    fn texture(
        &mut self,
        info: &schema::TextureInfo,
        object: &str,
        warnings: &mut Vec<Warning>,
    ) -> Outcome<Option<Texture>> {
        let root = &self.document.root;
        let texture = self
            .document
            .get(&root.textures, "texture", info.index, object)?;
        let Some(source) = texture.source else {
            warnings.push(Warning::ImageDropped {
                image: object.to_owned(),
                reason: match &texture.extensions {
                    e if e.webp.is_some() => unsupported(Some("WebP (EXT_texture_webp)")),
                    e if e.basisu.is_some() => unsupported(Some("KTX2 (KHR_texture_basisu)")),
                    _ => "its texture has no PNG or JPEG source".into(),
                },
            });
            return Ok(None);
        };
        self.document.get(&root.images, "image", source, object)?;
        let sampler = match texture.sampler {
            Some(index) => Some(
                self.document
                    .get(&root.samplers, "sampler", index, object)?,
            ),
            None => None,
        };
        let image = match self.by_source.get(&source) {
            Some(&known) => known,
            None => self.load(source, warnings),
        };
        Ok(image.map(|image| Texture {
            image,
            wrap_u: wrap(sampler.and_then(|s| s.wrap_s)),
            wrap_v: wrap(sampler.and_then(|s| s.wrap_t)),
        }))
    }

    /// Loads an image. An unreadable image is a warning, not an error.
    fn load(&mut self, source: usize, warnings: &mut Vec<Warning>) -> Option<usize> {
        let image = &self.document.root.images[source];
        let key = (image.buffer_view, image.uri.clone());
        if let Some(&shared) = self.by_bytes.get(&key) {
            self.by_source.insert(source, Some(shared));
            return Some(shared);
        }
        let loaded = self
            .document
            .image(source)
            .map_err(|fault| fault.to_string());
        let checked = loaded.and_then(|bytes| match ImageFormat::of(&bytes) {
            Some(format) => Ok((format, bytes)),
            None => Err(unsupported(format_name(&bytes))),
        });
        let index = match checked {
            Ok((format, bytes)) => {
                self.list.push(Image {
                    name: self.document.root.images[source].name.clone(),
                    format,
                    bytes,
                });
                self.by_bytes.insert(key, self.list.len() - 1);
                Some(self.list.len() - 1)
            }
            Err(reason) => {
                warnings.push(Warning::ImageDropped {
                    image: self.document.image_name(source),
                    reason,
                });
                None
            }
        };
        self.by_source.insert(source, index);
        index
    }
}

fn wrap(code: Option<u32>) -> Wrap {
    match code {
        Some(33071) => Wrap::Clamp,
        Some(33648) => Wrap::Mirror,
        _ => Wrap::Repeat,
    }
}
