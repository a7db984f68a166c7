//! Conversion of materials: diffuse colour and its texture, embedded or a side file.

use throng_rig::{Image, ImageFormat, Material, Texture, Wrap};
use ufbx::{Scene, WrapMode};

use super::label;
use crate::Warning;
use crate::asset_files::AssetFiles;
use crate::image_format::{format_name, unsupported};

/// Materials of a file and their images.
pub(super) struct Materials {
    pub materials: Vec<Material>,
    pub images: Vec<Image>,
}

pub(super) fn build(scene: &Scene, files: &AssetFiles, warnings: &mut Vec<Warning>) -> Materials {
    let mut images: Vec<Image> = Vec::new();
    // Image by texture, loaded on first use; Some(None) if it could not be read.
    let mut image_of: Vec<Option<Option<usize>>> = vec![None; scene.textures.len()];
    let mut materials = Vec::new();
    for material in &scene.materials {
        let map = &material.fbx.diffuse_color;
        let factor = &material.fbx.diffuse_factor;
        let strength = if factor.has_value {
            factor.value_vec4.x
        } else {
            1.0
        };
        let color = map.value_vec4;
        // In FBX a texture replaces the colour.
        let texture = map.texture.as_ref().filter(|_| map.texture_enabled);
        let base = if texture.is_some() || !map.has_value {
            [1.0; 3]
        } else {
            [color.x, color.y, color.z].map(|c| c * strength)
        };
        let texture = texture.and_then(|texture| {
            let slot = &mut image_of[texture.element.typed_id as usize];
            let image = *slot.get_or_insert_with(|| load(texture, files, &mut images, warnings));
            Some(Texture {
                image: image?,
                wrap_u: wrap(texture.wrap_u),
                wrap_v: wrap(texture.wrap_v),
            })
        });
        // A large number of the file may overflow float32.
        let finite = |c: f32| if c.is_finite() { c } else { 1.0 };
        let [r, g, b] = base.map(|c| finite(c as f32));
        materials.push(Material {
            name: material.element.name.to_string(),
            base_color: [r, g, b, 1.0],
            texture,
            ..Material::default()
        });
    }
    Materials { materials, images }
}

/// Loads the image of a texture, appends it to `images` and returns its index. An unreadable image is a
/// warning.
fn load(
    texture: &ufbx::Texture,
    files: &AssetFiles,
    images: &mut Vec<Image>,
    warnings: &mut Vec<Warning>,
) -> Option<usize> {
    let object = label("texture", &texture.element.name);
    let bytes = if texture.content.is_empty() {
        read_side_file(texture, files, &object)
    } else {
        Ok(texture.content.to_vec())
    };
    let checked = bytes.and_then(|bytes| match ImageFormat::of(&bytes) {
        Some(format) => Ok((format, bytes)),
        None => Err(unsupported(format_name(&bytes))),
    });
    match checked {
        Ok((format, bytes)) => {
            images.push(Image {
                name: texture.element.name.to_string(),
                format,
                bytes,
            });
            Some(images.len() - 1)
        }
        Err(reason) => {
            warnings.push(Warning::ImageDropped {
                image: object,
                reason,
            });
            None
        }
    }
}

/// Reads a texture below the folder of the file: first by its relative path, then by its file name alone.
fn read_side_file(
    texture: &ufbx::Texture,
    files: &AssetFiles,
    object: &str,
) -> Result<Vec<u8>, String> {
    let [given, name] = side_file_names(texture);
    files
        .locate(&given, &given, object)
        .or_else(|_| files.locate(&name, &name, object))
        .and_then(|path| files.read(&path, object))
        .map_err(|fault| fault.to_string())
}

/// Returns the relative path of a texture, and its file name alone.
pub(super) fn side_file_names(texture: &ufbx::Texture) -> [String; 2] {
    let given = texture.relative_filename.replace('\\', "/");
    let name = given.rsplit('/').next().unwrap_or_default().to_owned();
    [given, name]
}

fn wrap(mode: WrapMode) -> Wrap {
    match mode {
        WrapMode::Repeat => Wrap::Repeat,
        WrapMode::Clamp => Wrap::Clamp,
    }
}
