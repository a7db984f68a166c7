//! One panel of an image: a technique and its crowd.

use std::sync::Arc;

use throng_bake::{BakeSettings, bake};
use throng_format::{Encoding, Storage};
use throng_rig::{Character, Method, Skinning};
use throng_wgpu::{Crowd, Fades, Gpu, ModelSettings, Motion, Technique};

use super::subject::{Content, Source};
use crate::cli::RenderArgs;
use crate::command::CommandError;
use crate::command::gpu::{crowd_of_character, crowd_of_set};
use crate::command::progress::Bar;

/// A technique with its crowd.
pub struct Panel {
    pub technique: Technique,
    /// Storage of a texture technique.
    pub storage: Option<Storage>,
    /// Skinning of the crowd.
    pub skinning: Skinning,
    pub crowd: Crowd,
}

/// Returns the technique to use if none is named.
pub fn default_technique(args: &RenderArgs, source: &Source) -> Technique {
    match &source.content {
        Content::Set(set) => Technique::Texture(set.manifest().encoding),
        Content::Character(_) if source.clips.is_empty() => Technique::Control,
        Content::Character(character) if args.instances == 1 => {
            if is_dual(character, args.method) {
                Technique::PaletteDq
            } else {
                Technique::PaletteMatrix
            }
        }
        Content::Character(_) => Technique::Texture(Encoding::BoneQt),
    }
}

fn is_dual(character: &Character, skinning: Skinning) -> bool {
    let mut meshes = character.meshes().iter();
    meshes.any(|mesh| skinning.method_of(mesh, 0) != Method::Lbs)
}

impl Panel {
    /// Bakes the character for a texture technique, and uploads the crowd.
    pub fn new(
        gpu: &Gpu,
        args: &RenderArgs,
        source: &Source,
        technique: Technique,
    ) -> Result<Self, CommandError> {
        let settings = ModelSettings {
            instancing: args.instancing,
            decode: args.decode,
            fades: Fades::None,
            motion: Motion::None,
        };
        match &source.content {
            Content::Set(set) => {
                let baked = Technique::Texture(set.manifest().encoding);
                if technique != baked {
                    return Err(CommandError::Usage(format!(
                        "{} is a texture set baked as {baked}: leave --technique out, or name the file of the character",
                        args.source
                    )));
                }
                Ok(Self {
                    technique,
                    storage: Some(set.manifest().storage()),
                    skinning: set.manifest().method,
                    crowd: crowd_of_set(gpu, set, settings)?,
                })
            }
            Content::Character(character) => {
                let mut storage = None;
                let crowd = match technique {
                    Technique::Texture(encoding) => {
                        let set = bake_in_memory(args, character, encoding)?;
                        storage = Some(set.manifest().storage());
                        crowd_of_set(gpu, &set, settings)?
                    }
                    _ => crowd_of_character(
                        gpu,
                        character,
                        &source.loops(),
                        technique,
                        args.method,
                        settings,
                    )?,
                };
                Ok(Self {
                    technique,
                    storage,
                    skinning: args.method,
                    crowd,
                })
            }
        }
    }

    /// Title of the panel.
    pub fn title(&self) -> String {
        match self.storage {
            Some(storage) => format!("{} {storage}", self.technique),
            None => self.technique.to_string(),
        }
    }
}

fn bake_in_memory(
    args: &RenderArgs,
    character: &Arc<Character>,
    encoding: Encoding,
) -> Result<throng_format::TextureSet, CommandError> {
    if character.clips().is_empty() {
        return Err(CommandError::Usage(format!(
            "--technique {encoding}: '{}' has no clip to bake: use --technique control",
            character.name
        )));
    }
    let settings = BakeSettings {
        encoding,
        storage: args.storage.of(encoding),
        skinning: args.method,
        ..BakeSettings::default()
    };
    // A set that is not written needs no digests.
    let source = throng_format::Source::in_memory(args.source.clone());
    let bar = Bar::new(&format!("baking {encoding}"));
    let baked = bake(character, &settings, &source, &bar).map_err(|error| CommandError::Bake {
        source_name: args.source.clone(),
        error,
    })?;
    Ok(baked.set)
}
