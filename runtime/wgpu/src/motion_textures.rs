//! Textures of a motion set on the device, shared by the models of a party.

use std::sync::Arc;

use throng_format::TextureSet;

use crate::bindings::Resource;
use crate::set_shaders::{SetTexture, set_textures};
use crate::texture::upload;
use crate::{Gpu, GpuError};

/// The animation textures of a set on a device, uploaded once and bound by several models. Cheap to clone.
///
/// Made of the motion set of a party or of any set that uses it, as all hold the same textures.
/// [`CrowdModel::with_motion`](crate::CrowdModel::with_motion) makes the model of a character.
///
/// ```
/// use throng_bake::share::{ShareGoal, SharedCharacter, bake_shared};
/// use throng_bake::{BakeSettings, DEFAULT_ERROR_OF_SIZE};
/// use throng_format::Source;
/// use throng_import::builtin::builtin;
/// use throng_wgpu::{CrowdModel, ModelSettings, MotionTextures};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let Ok(gpu) = throng_wgpu::Gpu::headless() else { return Ok(()) };
/// # let (device, queue) = (gpu.device(), gpu.queue());
/// // Two characters of one skeleton; `disk::read_party` reads them from a folder.
/// let meshes = [builtin("bar:100")?, builtin("bar:60")?];
/// # let member = |character| SharedCharacter {
/// #     label: "bar", character, reference: character, source: Source::in_memory("bar"),
/// #     max_error_of_size: DEFAULT_ERROR_OF_SIZE,
/// # };
/// # let goal = ShareGoal::Bake(BakeSettings::default());
/// let members = [member(&meshes[0]), member(&meshes[1])];
/// let party = bake_shared(&members, &goal, &Source::in_memory("bar"), &())?;
///
/// let motion = MotionTextures::new(device, queue, &party.motion.set)?;
/// let settings = ModelSettings::default();
/// for character in &party.characters {
///     let model = CrowdModel::with_motion(device, queue, &character.set, &motion, settings)?;
///     assert!(model.uses(&motion));
/// }
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct MotionTextures {
    data: Arc<Uploaded>,
}

#[derive(Debug)]
struct Uploaded {
    /// Digest of formats, sizes and texels.
    digest: String,
    /// How shaders read the textures.
    textures: Vec<SetTexture>,
    resources: Vec<(u32, Resource)>,
}

impl MotionTextures {
    /// Uploads the textures of a set.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        set: &TextureSet,
    ) -> Result<Self, GpuError> {
        let data = Uploaded {
            digest: set.shared_textures().digest().to_owned(),
            textures: set_textures(set),
            resources: upload_textures(&Gpu::new(device, queue), set)?,
        };
        Ok(Self {
            data: Arc::new(data),
        })
    }

    /// The resources for the model of a set, which must have these textures.
    pub(crate) fn of_set(&self, set: &TextureSet) -> Result<&[(u32, Resource)], GpuError> {
        let is_same = self.data.textures == set_textures(set)
            && self.data.digest == set.shared_textures().digest();
        match is_same {
            true => Ok(&self.data.resources),
            false => Err(GpuError::OtherTextures {
                set: set.manifest().name.clone(),
            }),
        }
    }

    /// Returns true if resources contain the textures themselves, not copies.
    pub(crate) fn are_among(&self, resources: &[(u32, Resource)]) -> bool {
        let view = |resource: &Resource| match resource {
            Resource::Texels(view, _) => Some(view.clone()),
            _ => None,
        };
        let mut own = self.data.resources.iter();
        own.all(|(binding, shared)| {
            let mut resources = resources.iter();
            resources.any(|(at, resource)| at == binding && view(resource) == view(shared))
        })
    }
}

/// Uploads the textures that shaders of a set read, with their bindings.
pub(crate) fn upload_textures(
    gpu: &Gpu,
    set: &TextureSet,
) -> Result<Vec<(u32, Resource)>, GpuError> {
    let textures = set_textures(set);
    let uploaded = textures.iter().map(|texture| {
        let view = upload(gpu, &texture.device_texels(set))?;
        Ok((texture.binding, Resource::Texels(view, texture.texels)))
    });
    uploaded.collect()
}
