//! A character: skeleton, skins, meshes, materials and clips.

use std::ops::Range;

use thiserror::Error;

use crate::{AlphaMode, Clip, Image, Material, Mesh, Skeleton, Skin, VertexFramesError};

/// Morph weights of one node, or the frame position of its vertex cache; see [`crate::VertexCache`].
#[derive(Debug, Clone, PartialEq)]
pub struct MorphSet {
    /// Name of the node; may be empty.
    pub name: String,
    rest_weights: Vec<f32>,
    first: usize,
}

impl MorphSet {
    /// Weights in the rest pose.
    pub fn rest_weights(&self) -> &[f32] {
        &self.rest_weights
    }

    /// Range of the set's weights in [`crate::LocalPose::morph_weights`].
    pub fn range(&self) -> Range<usize> {
        self.first..self.first + self.rest_weights.len()
    }
}

/// A mesh under a skin: the unit that is drawn. Several parts may share a mesh.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Index of the node in the file.
    pub node: usize,
    /// Name of the node; may be empty.
    pub node_name: String,
    /// Index of the primitive in the node's mesh.
    pub primitive: usize,
    /// Index into [`Character::meshes`].
    pub mesh: usize,
    /// Index into [`Character::skins`].
    pub skin: usize,
    /// Index into [`Character::morph_sets`].
    pub morph_set: Option<usize>,
}

/// A skeleton with its skins, meshes, materials and clips. Indices are checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Character {
    /// Name of the file or of the built-in character.
    pub name: String,
    skeleton: Skeleton,
    skins: Vec<Skin>,
    meshes: Vec<Mesh>,
    parts: Vec<Part>,
    morph_sets: Vec<MorphSet>,
    clips: Vec<Clip>,
    materials: Vec<Material>,
    images: Vec<Image>,
}

/// An inconsistency between the pieces of a character.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CharacterError {
    /// An index is out of range.
    #[error("{owner} uses {what} {index}, but there are only {len}")]
    OutOfRange {
        /// Holder of the index.
        owner: String,
        /// Kind of the indexed thing.
        what: &'static str,
        /// The index.
        index: usize,
        /// Number of them.
        len: usize,
    },
    /// A vertex uses a joint that the skin does not have.
    #[error(
        "mesh '{node_name}' uses palette index {joint}, but its skin has {len} joints: re-export the skin"
    )]
    JointOutOfRange {
        /// Name of the node that holds the mesh.
        node_name: String,
        /// Palette index.
        joint: usize,
        /// Number of joints of the skin.
        len: usize,
    },
    /// The numbers of morph targets and of morph weights differ.
    #[error("mesh '{node_name}' has {targets} morph targets, but {weights} morph weights")]
    MorphMismatch {
        /// Name of the node that holds the mesh.
        node_name: String,
        /// Number of morph targets.
        targets: usize,
        /// Number of morph weights.
        weights: usize,
    },
    /// A part with a vertex cache has no morph set of one weight.
    #[error(
        "mesh '{node_name}' has a vertex cache, which takes one morph weight (its frame), but has {weights}"
    )]
    CacheMismatch {
        /// Name of the node that holds the mesh.
        node_name: String,
        /// Number of morph weights.
        weights: usize,
    },
    /// A number is infinite or NaN.
    #[error("{owner} has {what} that is not finite")]
    NotFinite {
        /// Holder of the number.
        owner: String,
        /// Kind of the number.
        what: &'static str,
    },
}

/// Pieces of a character, not yet checked against each other.
#[derive(Debug, Clone)]
pub struct CharacterParts {
    /// Name of the file or of the built-in character.
    pub name: String,
    /// All joints.
    pub skeleton: Skeleton,
    /// Skins over the skeleton.
    pub skins: Vec<Skin>,
    /// Meshes.
    pub meshes: Vec<Mesh>,
    /// Meshes under skins.
    pub parts: Vec<Part>,
    /// Name and rest weights of each morph set.
    pub morph_sets: Vec<(String, Vec<f32>)>,
    /// Clips.
    pub clips: Vec<Clip>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Images that materials use.
    pub images: Vec<Image>,
}

impl CharacterParts {
    /// A skeleton and its clips, without a mesh. Clips must not animate morph weights.
    pub fn without_mesh(name: String, skeleton: Skeleton, clips: Vec<Clip>) -> Self {
        Self {
            name,
            skeleton,
            clips,
            skins: Vec::new(),
            meshes: Vec::new(),
            parts: Vec::new(),
            morph_sets: Vec::new(),
            materials: Vec::new(),
            images: Vec::new(),
        }
    }
}

impl Character {
    /// Checks that every index is in range, that meshes match their skins, and that every number is finite.
    pub fn new(pieces: CharacterParts) -> Result<Self, CharacterError> {
        let CharacterParts {
            name,
            skeleton,
            skins,
            meshes,
            parts,
            morph_sets,
            clips,
            materials,
            images,
        } = pieces;
        let mut first = 0;
        let morph_sets: Vec<MorphSet> = morph_sets
            .into_iter()
            .map(|(name, rest_weights)| {
                let set = MorphSet {
                    name,
                    first,
                    rest_weights,
                };
                first = set.range().end;
                set
            })
            .collect();
        let character = Self {
            name,
            skeleton,
            skins,
            meshes,
            parts,
            morph_sets,
            clips,
            materials,
            images,
        };
        character.check_parts()?;
        character.check_morph_sets()?;
        character.check_clips()?;
        character.check_materials()?;
        Ok(character)
    }

    /// Returns the pieces, to change them and make a character again.
    pub fn into_parts(self) -> CharacterParts {
        CharacterParts {
            name: self.name,
            skeleton: self.skeleton,
            skins: self.skins,
            meshes: self.meshes,
            parts: self.parts,
            morph_sets: self
                .morph_sets
                .into_iter()
                .map(|set| (set.name, set.rest_weights))
                .collect(),
            clips: self.clips,
            materials: self.materials,
            images: self.images,
        }
    }

    fn check_parts(&self) -> Result<(), CharacterError> {
        for part in &self.parts {
            let owner = || format!("part '{}'", part.node_name);
            let mesh = get(&self.meshes, part.mesh, "mesh", owner)?;
            let skin = get(&self.skins, part.skin, "skin", owner)?;
            if mesh.influences().max_joint() >= skin.len() {
                return Err(CharacterError::JointOutOfRange {
                    node_name: part.node_name.clone(),
                    joint: mesh.influences().max_joint(),
                    len: skin.len(),
                });
            }
            let weights = match part.morph_set {
                Some(set) => get(&self.morph_sets, set, "morph set", owner)?
                    .rest_weights
                    .len(),
                None => 0,
            };
            if mesh.vertex_cache().is_some() && weights != 1 {
                return Err(CharacterError::CacheMismatch {
                    node_name: part.node_name.clone(),
                    weights,
                });
            }
            let targets = mesh.weight_count();
            if weights != targets {
                return Err(CharacterError::MorphMismatch {
                    node_name: part.node_name.clone(),
                    targets,
                    weights,
                });
            }
        }
        Ok(())
    }

    fn check_morph_sets(&self) -> Result<(), CharacterError> {
        for set in &self.morph_sets {
            let owner = || format!("morph set '{}'", set.name);
            check_finite(&set.rest_weights, "a weight", owner)?;
        }
        Ok(())
    }

    fn check_clips(&self) -> Result<(), CharacterError> {
        for clip in &self.clips {
            let owner = || format!("clip '{}'", clip.name);
            let spacing = clip.finest_spacing_secs().unwrap_or(0.0);
            let timing = [clip.start_secs(), clip.end_secs(), spacing];
            check_finite(&timing, "a time", owner)?;
            for tracks in clip.joints() {
                get(self.skeleton.joints(), tracks.joint, "joint", owner)?;
            }
            for track in clip.morphs() {
                let set = get(&self.morph_sets, track.set, "morph set", owner)?;
                if set.rest_weights.len() != track.weight_count() {
                    return Err(CharacterError::MorphMismatch {
                        node_name: set.name.clone(),
                        targets: set.rest_weights.len(),
                        weights: track.weight_count(),
                    });
                }
            }
        }
        Ok(())
    }

    fn check_materials(&self) -> Result<(), CharacterError> {
        for (index, mesh) in self.meshes.iter().enumerate() {
            if let Some(material) = mesh.material {
                get(&self.materials, material, "material", || {
                    format!("mesh {index}")
                })?;
            }
        }
        for material in &self.materials {
            let owner = || format!("material '{}'", material.name);
            check_finite(&material.base_color, "a colour", owner)?;
            if let AlphaMode::Mask { cutoff } = material.alpha {
                check_finite(&[cutoff], "an alpha cutoff", owner)?;
            }
            if let Some(texture) = material.texture {
                get(&self.images, texture.image, "image", owner)?;
            }
        }
        Ok(())
    }

    /// All joints: those of every skin, and nodes that carry rigid parts.
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// Skins over the skeleton. Each rigid part has one of a single joint.
    pub fn skins(&self) -> &[Skin] {
        &self.skins
    }

    /// Meshes.
    pub fn meshes(&self) -> &[Mesh] {
        &self.meshes
    }

    /// Meshes under skins, in the order of the file's nodes and primitives.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Morph sets, one per node that has morph targets.
    pub fn morph_sets(&self) -> &[MorphSet] {
        &self.morph_sets
    }

    /// Clips, in the order of the file.
    pub fn clips(&self) -> &[Clip] {
        &self.clips
    }

    /// Materials.
    pub fn materials(&self) -> &[Material] {
        &self.materials
    }

    /// Images that materials use.
    pub fn images(&self) -> &[Image] {
        &self.images
    }

    /// Returns the mesh of a part.
    pub fn mesh_of(&self, part: &Part) -> &Mesh {
        &self.meshes[part.mesh]
    }

    /// True where vertex caches move vertices.
    pub fn has_vertex_caches(&self) -> bool {
        self.meshes.iter().any(|mesh| mesh.vertex_cache().is_some())
    }

    /// Returns the first part whose vertex cache could not be read, and its failure. Checked after work on a character:
    /// frames are read while it is posed.
    pub fn cache_failure(&self) -> Option<(&Part, &VertexFramesError)> {
        let cache_of = |part| self.mesh_of(part).vertex_cache();
        let parts = self.parts.iter();
        let mut failures = parts.filter_map(|part| Some((part, cache_of(part)?.failure()?)));
        failures.next()
    }

    /// Marks, for each skin, the palette indices that influence vertices.
    pub fn used_palette_indices(&self) -> Vec<Vec<bool>> {
        let skins = self.skins.iter();
        let mut used: Vec<Vec<bool>> = skins.map(|skin| vec![false; skin.len()]).collect();
        for part in &self.parts {
            let influences = self.mesh_of(part).influences();
            for vertex in 0..influences.vertex_count() {
                for &palette_index in influences.run(vertex).0 {
                    used[part.skin][palette_index as usize] = true;
                }
            }
        }
        used
    }

    /// Returns the skin of a part.
    pub fn skin_of(&self, part: &Part) -> &Skin {
        &self.skins[part.skin]
    }

    /// Returns the range of the part's weights in [`crate::LocalPose::morph_weights`]; empty if it has none.
    pub fn morph_range(&self, part: &Part) -> Range<usize> {
        part.morph_set
            .map_or(0..0, |set| self.morph_sets[set].range())
    }
}

fn get<'a, T>(
    list: &'a [T],
    index: usize,
    what: &'static str,
    owner: impl Fn() -> String,
) -> Result<&'a T, CharacterError> {
    list.get(index).ok_or_else(|| CharacterError::OutOfRange {
        owner: owner(),
        what,
        index,
        len: list.len(),
    })
}

fn check_finite<T: Copy + Into<f64>>(
    numbers: &[T],
    what: &'static str,
    owner: impl Fn() -> String,
) -> Result<(), CharacterError> {
    match numbers.iter().all(|&number| number.into().is_finite()) {
        true => Ok(()),
        false => Err(CharacterError::NotFinite {
            owner: owner(),
            what,
        }),
    }
}
