//! Mixed crowds: the characters of a folder of sets, drawn from the textures that they share.

use std::path::Path;

use throng_format::disk::{PartySet, read_party};
use throng_format::{SharedTextures, TextureSet};
use throng_wgpu::{Crowd, CrowdModel, Gpu, GpuError, Instance, ModelSettings, MotionTextures};

use crate::command::CommandError;
use crate::command::party::sets_of_party;
use throng_studio::Random;

/// Keeps the choice of characters independent of the other random numbers of an instance.
const CHARACTER_STREAM: u64 = 0x6368_6172_6163_7465;

/// Reads the characters of a folder of sets; `None` for any other path.
pub fn read_characters(path: &Path) -> Result<Option<Vec<PartySet>>, CommandError> {
    if sets_of_party(path)?.is_none() {
        return Ok(None);
    }
    let mut sets = read_party(path)?;
    sets.retain(|set| !set.set.manifest().is_motion());
    match sets.is_empty() {
        false => Ok(Some(sets)),
        true => Err(CommandError::Usage(format!(
            "{} contains motion sets without a mesh only: bake characters with --share, and without --motion-only",
            path.display()
        ))),
    }
}

/// Returns whether all sets have a clip of this name.
pub fn is_common(name: &str, sets: &[PartySet]) -> bool {
    let has = |set: &PartySet| {
        set.set
            .manifest()
            .clips
            .iter()
            .any(|clip| clip.name == name)
    };
    sets.iter().all(has)
}

/// Textures on the device, each once.
#[derive(Default)]
pub struct Uploads {
    motions: Vec<(SharedTextures, MotionTextures)>,
}

impl Uploads {
    /// Makes a crowd of a set. Sets with the same copy of textures use one upload.
    pub fn crowd_of_set(
        &mut self,
        gpu: &Gpu,
        set: &TextureSet,
        settings: ModelSettings,
    ) -> Result<Crowd, GpuError> {
        let (device, queue) = (gpu.device(), gpu.queue());
        let mut known = self.motions.iter();
        let known = known.position(|(textures, _)| textures.is_same(set.shared_textures()));
        gpu.checked(|| {
            let index = match known {
                Some(index) => index,
                None => {
                    let motion = MotionTextures::new(device, queue, set)?;
                    self.motions.push((set.shared_textures().clone(), motion));
                    self.motions.len() - 1
                }
            };
            let motion = &self.motions[index].1;
            CrowdModel::with_motion(device, queue, set, motion, settings)?.crowd()
        })?
    }
}

/// Distributes instances over characters, at random by the seed. A single instance is of the first.
pub fn distribute(instances: &[Instance], characters: usize, seed: u64) -> Vec<Vec<Instance>> {
    let mut of_character = vec![Vec::new(); characters];
    for (index, instance) in (0..).zip(instances) {
        let mut random = Random::of_instance(seed ^ CHARACTER_STREAM, index);
        let character = match instances.len() {
            1 => 0,
            _ => (random.unit() * characters as f32) as usize,
        };
        of_character[character.min(characters - 1)].push(*instance);
    }
    of_character
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_are_distributed_evenly_and_by_seed() {
        let instances: Vec<Instance> = (0..3000)
            .map(|group| Instance {
                group,
                ..Instance::default()
            })
            .collect();
        let of = |seed| distribute(&instances, 3, seed);
        let groups = |seed| {
            let lists = of(seed).into_iter();
            lists
                .map(|list| list.iter().map(|i| i.group).collect::<Vec<_>>())
                .collect::<Vec<_>>()
        };
        for list in groups(0) {
            assert!((850..1150).contains(&list.len()), "{}", list.len());
            assert!(list.is_sorted());
        }
        assert_eq!(groups(0).iter().map(Vec::len).sum::<usize>(), 3000);
        assert_eq!(groups(7), groups(7));
        assert_ne!(groups(7), groups(8));
        assert_eq!(distribute(&instances[..1], 3, 5)[0].len(), 1);
    }
}
