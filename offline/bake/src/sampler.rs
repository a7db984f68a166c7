//! All vertices of a character at a time, through the fast kernels where possible.

use glam::{DVec3, Vec3};
use rayon::prelude::*;
use throng_rig::{Bounds, Character, CharacterPose, Mesh, Method, Part, RestVertices, Skinning};
use throng_simd::{F32x8, Lanes, Level};
use throng_skin::fast::{BATCH, FastMesh, FastPalette, FastSkinned, SkinnedBatch, skin_in_pieces};
use throng_skin::reference::{Skinned, skin_part};
use throng_skin::rest_vertices;

use crate::Progress;
use crate::measured::Measured;
use crate::plan::FrameTime;

/// Eight vertices of a pose.
pub(crate) struct VertexBatch<'a> {
    /// Positions in model space.
    pub positions: &'a [Lanes; 3],
    /// Unit normals.
    pub normals: &'a [Lanes; 3],
    /// Positions in the rest pose.
    pub rest: &'a [Lanes; 3],
    /// Indices of unique positions, counted through all parts.
    pub position_items: &'a [u32; BATCH],
    /// Indices of unique normals, counted through all parts.
    pub normal_items: &'a [u32; BATCH],
}

impl VertexBatch<'_> {
    /// Returns the offsets of the vertices from the rest pose along an axis.
    #[inline(always)]
    pub fn offset<V: F32x8>(&self, axis: usize) -> V {
        V::load(&self.positions[axis]) - V::load(&self.rest[axis])
    }
}

/// Consecutive batches of a pose, as the kernels produce them.
pub(crate) struct VertexPiece<'a> {
    /// Index of the first batch.
    pub first_batch: usize,
    skinned: &'a [SkinnedBatch],
    rest: &'a [[Lanes; 3]],
    position_items: &'a [[u32; BATCH]],
    normal_items: &'a [[u32; BATCH]],
}

impl<'a> VertexPiece<'a> {
    /// Number of batches.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.skinned.len()
    }

    /// Returns a batch, counted from the first.
    #[inline(always)]
    pub fn batch(&self, index: usize) -> VertexBatch<'a> {
        let SkinnedBatch { positions, normals } = &self.skinned[index];
        VertexBatch {
            positions,
            normals,
            rest: &self.rest[index],
            position_items: &self.position_items[index],
            normal_items: &self.normal_items[index],
        }
    }
}

/// Skins a character: one vertex per unique normal, which covers all unique positions.
pub(crate) struct VertexSampler<'c> {
    character: &'c Character,
    skinning: Skinning,
    parts: Vec<PartSampler>,
    rest: RestVertices,
    size: f64,
}

struct PartSampler {
    kernel: Kernel,
    first_batch: usize,
    rest: Vec<[Lanes; 3]>,
    position_items: Vec<[u32; BATCH]>,
    normal_items: Vec<[u32; BATCH]>,
    /// Vertices of each batch; only for [`Kernel::Reference`].
    vertices: Vec<[u32; BATCH]>,
}

enum Kernel {
    /// One method for all vertices, no morphs and no vertex cache.
    Fast(Box<FastMesh>, Method),
    /// Any mesh.
    Reference,
}

/// Buffers of one thread.
pub(crate) struct Scratch {
    pose: CharacterPose,
    palette: Option<FastPalette>,
    fast: FastSkinned,
    reference: Skinned,
    piece: Vec<SkinnedBatch>,
}

/// Batches per piece of [`Kernel::Reference`].
const PIECE_BATCHES: usize = 128;

impl<'c> VertexSampler<'c> {
    /// Prepares the meshes for skinning.
    pub fn new(character: &'c Character, skinning: Skinning) -> Self {
        let (rest, kernels) = rayon::join(
            || rest_vertices(character, skinning),
            || {
                character
                    .parts()
                    .iter()
                    .map(|part| Kernel::of(character.mesh_of(part), skinning))
                    .collect::<Vec<_>>()
            },
        );
        let mut bounds = Bounds::EMPTY;
        for position in &rest.positions {
            bounds.add(position.as_dvec3());
        }
        let (mut first_position, mut first_normal, mut first_batch) = (0, 0, 0);
        let mut parts = Vec::new();
        for (part, kernel) in character.parts().iter().zip(kernels) {
            let mesh = character.mesh_of(part);
            let first = [first_position, first_normal];
            let mut sampler = PartSampler::new(mesh, kernel, &rest.positions, first);
            sampler.first_batch = first_batch;
            first_batch += sampler.rest.len();
            parts.push(sampler);
            first_position += mesh.unique().position_count() as u32;
            first_normal += mesh.unique().normal_count() as u32;
        }
        Self {
            character,
            skinning,
            parts,
            rest,
            size: bounds.extent().max_element(),
        }
    }

    /// Size of the character: the largest extent of the rest pose.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// Vertices of the rest pose.
    pub fn rest(&self) -> &RestVertices {
        &self.rest
    }

    /// Returns buffers for a thread.
    pub fn scratch(&self) -> Scratch {
        Scratch {
            pose: CharacterPose::rest(self.character),
            palette: None,
            fast: FastSkinned::default(),
            reference: Skinned::default(),
            piece: Vec::new(),
        }
    }

    /// Passes all vertices at a time of a clip to `take`. A vertex may occur more than once, with equal values.
    pub fn sample(
        &self,
        clip: usize,
        time_secs: f64,
        scratch: &mut Scratch,
        mut take: impl FnMut(&VertexBatch<'_>),
    ) {
        self.sample_pieces(clip, time_secs, scratch, |piece| {
            for index in 0..piece.len() {
                take(&piece.batch(index));
            }
        });
    }

    /// [`Self::sample`], many batches at a time.
    pub fn sample_pieces(
        &self,
        clip: usize,
        time_secs: f64,
        scratch: &mut Scratch,
        mut take: impl FnMut(&VertexPiece<'_>),
    ) {
        let clip = &self.character.clips()[clip];
        scratch.pose.sample(self.character, clip, time_secs);
        for (part, sampler) in self.character.parts().iter().zip(&self.parts) {
            match &sampler.kernel {
                Kernel::Fast(mesh, method) => {
                    let palette = &scratch.pose.palettes[part.skin];
                    let fast_palette = scratch
                        .palette
                        .get_or_insert_with(|| FastPalette::new(*method, palette));
                    fast_palette.update(*method, palette);
                    let (level, out) = (Level::detect(), &mut scratch.fast);
                    skin_in_pieces(mesh, fast_palette, level, out, |first, skinned| {
                        take(&sampler.piece(first, skinned));
                    });
                }
                Kernel::Reference => self.sample_reference(part, sampler, scratch, &mut take),
            }
        }
    }

    fn sample_reference(
        &self,
        part: &Part,
        sampler: &PartSampler,
        scratch: &mut Scratch,
        take: &mut impl FnMut(&VertexPiece<'_>),
    ) {
        let (out, piece) = (&mut scratch.reference, &mut scratch.piece);
        skin_part(self.character, part, &scratch.pose, self.skinning, out);
        for (index, vertices) in sampler.vertices.chunks(PIECE_BATCHES).enumerate() {
            piece.clear();
            piece.extend(vertices.iter().map(|vertices| SkinnedBatch {
                positions: lanes(vertices, |vertex| out.positions[vertex]),
                normals: lanes(vertices, |vertex| out.normals[vertex]),
            }));
            take(&sampler.piece(index * PIECE_BATCHES, piece));
        }
    }

    /// Returns the indices of unique positions and unique normals of each batch.
    pub fn batch_items(&self) -> impl Iterator<Item = [&[u32; BATCH]; 2]> {
        self.parts.iter().flat_map(|part| {
            let items = part.position_items.iter().zip(&part.normal_items);
            items.map(|(positions, normals)| [positions, normals])
        })
    }

    /// The character.
    pub fn character(&self) -> &'c Character {
        self.character
    }

    /// Returns unique positions and unique normals at a time.
    pub fn vertices(&self, clip: usize, time_secs: f64) -> (Vec<Vec3>, Vec<Vec3>) {
        let mut positions = vec![Vec3::ZERO; self.rest.positions.len()];
        let mut normals = self.rest.normals.clone();
        self.sample(clip, time_secs, &mut self.scratch(), |batch| {
            let items = batch.position_items.iter().zip(batch.normal_items);
            for (lane, (&position, &normal)) in items.enumerate() {
                positions[position as usize] = vector(batch.positions, lane);
                normals[normal as usize] = vector(batch.normals, lane);
            }
        });
        (positions, normals)
    }

    /// Returns unique positions at a time.
    pub fn positions(&self, clip: usize, time_secs: f64) -> Vec<Vec3> {
        let mut out = vec![Vec3::ZERO; self.rest.positions.len()];
        self.sample(clip, time_secs, &mut self.scratch(), |batch| {
            for (lane, &item) in batch.position_items.iter().enumerate() {
                out[item as usize] = vector(batch.positions, lane);
            }
        });
        out
    }

    /// Returns the bounding boxes of all positions and of all offsets from the rest pose, at each frame.
    pub fn measure(&self, frames: &[FrameTime], done: &Counter<'_>) -> Vec<Measured> {
        let one = |scratch: &mut Scratch, frame: &FrameTime| {
            let mut out = Measured::EMPTY;
            self.sample_pieces(frame.clip, frame.time_secs, scratch, |piece| {
                out.add_piece(piece);
            });
            done.step();
            out
        };
        frames.par_iter().map_init(|| self.scratch(), one).collect()
    }
}

impl Kernel {
    /// Chooses the fastest kernel that can skin a mesh.
    fn of(mesh: &Mesh, skinning: Skinning) -> Self {
        match skinning.method_of_mesh(mesh) {
            Some(method) if mesh.weight_count() == 0 => {
                Self::Fast(Box::new(FastMesh::new(&unique_vertices(mesh))), method)
            }
            _ => Self::Reference,
        }
    }
}

impl PartSampler {
    fn new(
        mesh: &Mesh,
        kernel: Kernel,
        rest: &[Vec3],
        [first_position, first_normal]: [u32; 2],
    ) -> Self {
        let unique = mesh.unique();
        let vertices = unique.first_of_normal();
        // Slots hold indices into the unique normals.
        let slots: Vec<u32> = match &kernel {
            Kernel::Fast(mesh, _) => mesh.source_of().to_vec(),
            Kernel::Reference => {
                let mut slots: Vec<u32> = (0..vertices.len() as u32).collect();
                let filled = slots.len().next_multiple_of(BATCH);
                slots.resize(filled, 0);
                slots
            }
        };
        let (batches, _) = slots.as_chunks::<BATCH>();
        let vertex_of = |normal: u32| vertices[normal as usize];
        let position_of =
            |normal: u32| first_position + unique.position_of()[vertex_of(normal) as usize];
        let position_items: Vec<_> = batches.iter().map(|b| b.map(position_of)).collect();
        let at_rest = |item: usize| rest[item].as_dvec3();
        Self {
            first_batch: 0,
            rest: position_items.iter().map(|b| lanes(b, at_rest)).collect(),
            position_items,
            normal_items: batches
                .iter()
                .map(|b| b.map(|normal| first_normal + normal))
                .collect(),
            vertices: match kernel {
                Kernel::Fast(..) => Vec::new(),
                Kernel::Reference => batches.iter().map(|b| b.map(vertex_of)).collect(),
            },
            kernel,
        }
    }

    /// Returns skinned batches with their data, from a batch of this part on.
    fn piece<'a>(&'a self, first: usize, skinned: &'a [SkinnedBatch]) -> VertexPiece<'a> {
        let batches = first..first + skinned.len();
        VertexPiece {
            first_batch: self.first_batch + first,
            skinned,
            rest: &self.rest[batches.clone()],
            position_items: &self.position_items[batches.clone()],
            normal_items: &self.normal_items[batches],
        }
    }
}

/// Returns the first vertex of each unique normal as a mesh, without triangles and morphs.
fn unique_vertices(mesh: &Mesh) -> Mesh {
    let vertices = mesh.unique().first_of_normal().iter();
    let vertices = vertices.map(|&vertex| vertex as usize);
    let positions = vertices.clone().map(|v| mesh.positions()[v]).collect();
    let influences = mesh.influences().select(vertices.clone());
    let mut out = Mesh::new(positions, Vec::new(), influences)
        .expect("a checked mesh stays valid with fewer vertices");
    if !mesh.rotation_centers().is_empty() {
        let centers = vertices.clone().map(|v| mesh.rotation_centers()[v]);
        out.set_rotation_centers(centers.collect())
            .expect("one centre per vertex");
    }
    out.set_normals(vertices.map(|v| mesh.normals()[v]).collect())
        .expect("one normal per vertex");
    out
}

fn lanes(items: &[u32; BATCH], of: impl Fn(usize) -> DVec3) -> [Lanes; 3] {
    let mut out = [Lanes::ZERO; 3];
    for (lane, &item) in items.iter().enumerate() {
        let vector = of(item as usize).as_vec3();
        for axis in 0..3 {
            out[axis].0[lane] = vector[axis];
        }
    }
    out
}

/// Returns one vertex of a batch.
pub(crate) fn vector(axes: &[Lanes; 3], lane: usize) -> Vec3 {
    Vec3::new(axes[0].0[lane], axes[1].0[lane], axes[2].0[lane])
}

/// Counts frames over all threads.
pub(crate) struct Counter<'p> {
    done: std::sync::atomic::AtomicUsize,
    total: usize,
    progress: &'p dyn Progress,
}

impl<'p> Counter<'p> {
    pub fn new(total: usize, progress: &'p dyn Progress) -> Self {
        Self {
            done: std::sync::atomic::AtomicUsize::new(0),
            total,
            progress,
        }
    }

    pub fn step(&self) {
        let done = self.done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        self.progress.step(done + 1, self.total);
    }
}
