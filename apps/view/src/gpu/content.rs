//! Content of a viewport, uploaded.

use std::sync::Arc;

use throng_rig::{Character, LoopPolicy, Skinning};
use throng_wgpu::{CrowdModel, Fades, ModelSettings, Technique, wgpu};

use crate::document::BakedSet;

/// Character or set that a viewport plays.
#[derive(Debug, Clone)]
pub enum What {
    /// A character, posed by the CPU or static.
    Character {
        /// The character.
        character: Arc<Character>,
        /// Technique without a set.
        technique: Technique,
    },
    /// A texture set.
    Set(Arc<BakedSet>),
}

/// Content of a viewport.
#[derive(Debug, Clone)]
pub struct Content {
    /// Character or set.
    pub what: What,
    /// Skinning method; `None` for that of the technique or set.
    pub skinning: Option<Skinning>,
    /// Support for cross-fades.
    pub fades: Fades,
}

/// Identity of a content: equal keys need no new upload.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContentKey {
    /// Address of the character or set, which the content keeps alive.
    address: usize,
    technique: Option<Technique>,
    skinning: Option<Skinning>,
    fades: Fades,
}

impl Content {
    /// Identity of the content.
    pub fn key(&self) -> ContentKey {
        let (address, technique) = match &self.what {
            What::Character {
                character,
                technique,
            } => (Arc::as_ptr(character) as usize, Some(*technique)),
            What::Set(set) => (Arc::as_ptr(set) as usize, None),
        };
        // A factor of blends changes without a new upload.
        let skinning = self.skinning.map(|skinning| match skinning {
            Skinning::Method(throng_rig::Method::Blend(_)) => {
                Skinning::Method(throng_rig::Method::Blend(0.5))
            }
            Skinning::Method(throng_rig::Method::BlendPositions(_)) => {
                Skinning::Method(throng_rig::Method::BlendPositions(0.5))
            }
            other => other,
        });
        ContentKey {
            address,
            technique,
            skinning,
            fades: self.fades,
        }
    }

    /// Technique that draws it.
    pub fn technique(&self) -> Technique {
        match &self.what {
            What::Character { technique, .. } => *technique,
            What::Set(baked) => Technique::Texture(baked.set.manifest().encoding),
        }
    }

    /// The character whose parts are drawn.
    pub fn character(&self) -> &Character {
        match &self.what {
            What::Character { character, .. } => character,
            What::Set(baked) => baked.set.model(),
        }
    }

    /// Skinning method that is used.
    pub fn skinning(&self) -> Skinning {
        self.skinning.unwrap_or(match &self.what {
            What::Character { technique, .. } => technique.default_skinning(),
            What::Set(baked) => baked.set.manifest().method,
        })
    }

    /// Uploads the content. Nothing waits for the device.
    pub fn upload(&self, device: &wgpu::Device, queue: &wgpu::Queue) -> Result<CrowdModel, String> {
        let settings = ModelSettings {
            fades: self.fades,
            ..ModelSettings::default()
        };
        let model = match &self.what {
            What::Character {
                character,
                technique,
            } => {
                let loops = vec![LoopPolicy::Wrap; character.clips().len()];
                let skinning = self.skinning();
                CrowdModel::of_character(
                    device, queue, character, &loops, *technique, skinning, settings,
                )
            }
            What::Set(baked) => match self.skinning {
                Some(skinning) if skinning != baked.set.manifest().method => {
                    let changed = baked.set.clone().with_skinning(skinning);
                    let changed = changed.map_err(|error| error.to_string())?;
                    CrowdModel::new(device, queue, &changed, settings)
                }
                _ => CrowdModel::new(device, queue, &baked.set, settings),
            },
        };
        model.map_err(|error| error.to_string())
    }
}
