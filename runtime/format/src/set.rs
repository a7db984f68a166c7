//! A texture set whose parts have been checked against each other.

use glam::Vec2;
use thiserror::Error;
use throng_rig::{Bounds, Character, RestVertices, Skinning};

use crate::check::check;
use crate::{Grid, Layout, Lod, Manifest, MeshStorage, SharedTextures, Texture};

/// Animation textures, their manifest and the mesh that they move.
#[derive(Debug, Clone)]
pub struct TextureSet {
    manifest: Manifest,
    textures: SharedTextures,
    mesh: SetMesh,
}

/// The meshes that textures move, and vertex data that only sets have.
#[derive(Debug, Clone, PartialEq)]
pub struct SetMesh {
    /// Meshes with skeleton and skins, without clips.
    pub character: Character,
    /// Vertices that the offsets of a vertex set are added to. Empty for bone sets.
    pub rest: RestVertices,
    /// Bone indices of the vertices of each mesh, where [`crate::BoneLayout::color_bones`] is not 0; else empty lists, or
    /// no lists.
    pub bone_colors: Vec<Vec<[u8; 4]>>,
    /// Storage of the mesh file.
    pub storage: MeshStorage,
    /// Triangles of the levels of detail below the full mesh, one entry per [`Manifest::lods`].
    pub lods: Vec<LodTriangles>,
}

/// Triangles of a level of detail.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LodTriangles {
    /// Triangles of each mesh of the character: indices of its vertices.
    pub meshes: Vec<Vec<[u32; 3]>>,
}

impl From<Character> for SetMesh {
    fn from(character: Character) -> Self {
        Self {
            character,
            rest: RestVertices::default(),
            bone_colors: Vec::new(),
            storage: MeshStorage::Exact,
            lods: Vec::new(),
        }
    }
}

/// An inconsistency in a set.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{location}: {problem}")]
pub struct SetError {
    /// Path of the field in the manifest, such as `clips[0].bounds`.
    pub location: String,
    /// Description of the problem: found and expected values.
    pub problem: String,
}

impl SetError {
    /// A problem at a location.
    pub fn new(location: impl Into<String>, problem: impl Into<String>) -> Self {
        Self {
            location: location.into(),
            problem: problem.into(),
        }
    }
}

impl TextureSet {
    /// Checks the manifest against textures and meshes, so that decoding never reads out of bounds.
    pub fn new(
        manifest: Manifest,
        textures: impl Into<SharedTextures>,
        mesh: impl Into<SetMesh>,
    ) -> Result<Self, SetError> {
        let (textures, mesh) = (textures.into(), mesh.into());
        check(&manifest, &textures, &mesh)?;
        Ok(Self {
            manifest,
            textures,
            mesh,
        })
    }

    /// Rest pose of a vertex set: positions that offsets are added to, and normals. Empty for bone sets.
    pub fn rest(&self) -> &RestVertices {
        &self.mesh.rest
    }

    /// Bone indices of the vertices of each mesh: `COLOR_0` of the mesh file, a byte per channel. Empty lists, or no lists,
    /// where vertices have joints only.
    pub fn bone_colors(&self) -> &[Vec<[u8; 4]>] {
        &self.mesh.bone_colors
    }

    /// The meshes with all vertex data of the set.
    pub fn mesh(&self) -> &SetMesh {
        &self.mesh
    }

    /// Returns the meshes alone.
    pub(crate) fn into_mesh(self) -> SetMesh {
        self.mesh
    }

    /// Description of the textures.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns the set with other levels of detail below the full mesh, finest first.
    pub fn with_lods(
        self,
        lods: impl IntoIterator<Item = (Lod, LodTriangles)>,
    ) -> Result<Self, SetError> {
        let (mut manifest, mut mesh) = (self.manifest, self.mesh);
        (manifest.lods, mesh.lods) = lods.into_iter().unzip();
        Self::new(manifest, self.textures, mesh)
    }

    /// Returns the set with another skinning method, and without the measured error, which was that of the old method.
    /// Levels of detail are left out with it where the method changes.
    ///
    /// Bone sets hold joints, which every method can blend. Vertex sets hold vertices that are skinned already, and are
    /// refused.
    pub fn with_skinning(self, skinning: Skinning) -> Result<Self, SetError> {
        let mut manifest = self.manifest;
        if manifest.encoding.is_vertex() && manifest.method != skinning {
            return Err(SetError::new(
                "method",
                format!(
                    "a set of {} holds vertices skinned by {}: bake it again for {skinning}",
                    manifest.encoding, manifest.method
                ),
            ));
        }
        let mut mesh = self.mesh;
        if manifest.method != skinning {
            manifest.lods.clear();
            mesh.lods.clear();
        }
        manifest.method = skinning;
        manifest.max_error_of_size = None;
        Self::new(manifest, self.textures, mesh)
    }

    /// Stores the largest measured error in the manifest, as a fraction of the size. Bounding boxes of clips grow by it, so
    /// that they hold decoded vertices.
    pub fn record_error(&mut self, max_error_of_size: f64) {
        let clips = (0..self.manifest.clips.len()).map(|clip| self.measured_bounds(clip));
        let clips: Vec<Bounds> = clips.collect();
        self.manifest.max_error_of_size = Some(max_error_of_size);
        let error_m = max_error_of_size * self.manifest.size;
        self.manifest.bounds = Bounds::EMPTY;
        for (clip, bounds) in self.manifest.clips.iter_mut().zip(clips) {
            clip.bounds = grown(bounds, error_m);
            self.manifest.bounds.union(&clip.bounds);
        }
    }

    /// Bounding box of a clip without the growth by [`Self::record_error`].
    pub fn measured_bounds(&self, clip: usize) -> Bounds {
        let error_of_size = self.manifest.max_error_of_size.unwrap_or_default();
        grown(
            self.manifest.clips[clip].bounds,
            -error_of_size * self.manifest.size,
        )
    }

    /// Stores digests in the manifest, by which clips can be added later: [`Manifest::base_digest`], and
    /// [`crate::ClipEntry::content_digest`] of each clip.
    pub fn record_digests(&mut self, base: String, clips: impl IntoIterator<Item = String>) {
        self.manifest.base_digest = Some(base);
        for (clip, digest) in self.manifest.clips.iter_mut().zip(clips) {
            clip.content_digest = Some(digest);
        }
    }

    /// Textures, in the order of [`Manifest::textures`].
    pub fn textures(&self) -> &[Texture] {
        &self.textures
    }

    /// Textures, as several sets may hold them in common.
    pub fn shared_textures(&self) -> &SharedTextures {
        &self.textures
    }

    /// The meshes that the textures move, with skeleton and skins, without clips.
    pub fn model(&self) -> &Character {
        &self.mesh.character
    }

    /// The texture that holds a grid.
    pub fn texture_of(&self, grid: &Grid) -> &Texture {
        &self.textures[grid.texture]
    }

    /// Texture coordinates of each vertex in the weight texture, for each mesh of the model: `TEXCOORD_1` of the mesh
    /// file. Empty lists where the set has no weight texture.
    pub fn second_uvs(&self) -> Vec<Vec<Vec2>> {
        let mut uvs = vec![Vec::new(); self.model().meshes().len()];
        if let Layout::Bones(layout) = &self.manifest.layout
            && let Some(weights) = &layout.weights
        {
            let mut first = 0;
            for part in self.model().parts() {
                let end = first + self.model().mesh_of(part).vertex_count();
                uvs[part.mesh] = (first..end).map(|vertex| weights.uv(vertex)).collect();
                first = end;
            }
        }
        uvs
    }

    /// Number of frames of all clips.
    pub fn frames(&self) -> u32 {
        self.manifest.clips.iter().map(|clip| clip.frames).sum()
    }

    /// GPU bytes: texels with their padding, and ranges.
    pub fn gpu_bytes(&self) -> u64 {
        let texels: u64 = self.textures.iter().map(Texture::gpu_bytes).sum();
        let range_values = match &self.manifest.layout {
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
        texels + 4 * (range_values + morphs) as u64
    }
}

/// A bounding box that is larger by a distance on each side. It keeps its centre where it would turn inside out.
fn grown(bounds: Bounds, distance_m: f64) -> Bounds {
    let centre = bounds.center();
    Bounds {
        min: (bounds.min - distance_m).min(centre),
        max: (bounds.max + distance_m).max(centre),
    }
}
