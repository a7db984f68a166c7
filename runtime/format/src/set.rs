//! A whole set, checked.

use glam::Vec2;
use thiserror::Error;
use throng_rig::{Character, RestVertices};

use crate::check::check;
use crate::{Grid, Layout, Manifest, Texture};

/// Textures, what they mean, and the mesh that they move.
#[derive(Debug, Clone)]
pub struct TextureSet {
    manifest: Manifest,
    textures: Vec<Texture>,
    model: Character,
    rest: RestVertices,
}

/// Why pieces are not a set.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{place}: {fault}")]
pub struct SetError {
    /// Where in the manifest.
    pub place: String,
    /// What is wrong with it.
    pub fault: String,
}

impl SetError {
    /// A fault at a place.
    pub fn new(place: impl Into<String>, fault: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            fault: fault.into(),
        }
    }
}

impl TextureSet {
    /// Checks the manifest against textures, model and rest vertices, so that decoding never reads outside them.
    ///
    /// `rest` holds the vertices that the offsets of a vertex set are added to; it is empty for bone sets.
    pub fn new(
        manifest: Manifest,
        textures: Vec<Texture>,
        model: Character,
        rest: RestVertices,
    ) -> Result<Self, SetError> {
        check(&manifest, &textures, &model, &rest)?;
        Ok(Self {
            manifest,
            textures,
            model,
            rest,
        })
    }

    /// Rest pose of a vertex set: positions that offsets are added to, and normals. Empty for bone sets.
    pub fn rest(&self) -> &RestVertices {
        &self.rest
    }

    /// What texels mean.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Texels, in the order of [`Manifest::textures`].
    pub fn textures(&self) -> &[Texture] {
        &self.textures
    }

    /// The mesh that they move, with its skeleton and skins, without clips.
    pub fn model(&self) -> &Character {
        &self.model
    }

    /// The texture that a grid is in.
    pub fn texture_of(&self, grid: &Grid) -> &Texture {
        &self.textures[grid.texture]
    }

    /// For each mesh of the model, where each vertex finds its weights in the texture of weights; none
    /// where there is no such texture. `TEXCOORD_1` of the mesh's file.
    pub fn second_uvs(&self) -> Vec<Vec<Vec2>> {
        let mut uvs = vec![Vec::new(); self.model.meshes().len()];
        if let Layout::Bones(layout) = &self.manifest.layout
            && let Some(weights) = &layout.weights
        {
            let mut first = 0;
            for part in self.model.parts() {
                let end = first + self.model.mesh_of(part).vertex_count();
                uvs[part.mesh] = (first..end).map(|vertex| weights.uv(vertex)).collect();
                first = end;
            }
        }
        uvs
    }

    /// How many frames all clips have together.
    pub fn frames(&self) -> u32 {
        self.manifest.clips.iter().map(|clip| clip.frames).sum()
    }

    /// Bytes on a GPU: texels with their padding, and ranges that are kept beside them.
    pub fn gpu_bytes(&self) -> u64 {
        let texels: u64 = self.textures.iter().map(Texture::gpu_bytes).sum();
        let numbers = match &self.manifest.layout {
            Layout::Vertices(layout) => layout.range.iter().map(|r| 2 * r.center.len()).sum(),
            Layout::Bones(layout) => layout
                .ranges
                .iter()
                .chain(&layout.scale_range)
                .map(|range| 2 * range.center.len())
                .sum(),
            Layout::JointCurves(_) => 0,
            Layout::VertexCurves(_) => 4,
        };
        let morphs = self.manifest.morphs.as_ref();
        let morphs = morphs
            .and_then(|m| m.range.as_ref())
            .map_or(0, |r| 2 * r.center.len());
        texels + 4 * (numbers + morphs) as u64
    }
}
