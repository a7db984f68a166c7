//! Skinning of one instance by the fast kernels.

use glam::{Vec3, Vec4};
use throng_rig::{Method, Palette};
use throng_skin::fast::{Cores, FastOptions, FastPalette, FastSkinned, StoreMode, skin};

use crate::cpu::mesh::MeshMethod;
use crate::cpu::morph::MorphedMesh;
use crate::cpu::poses::CpuPoses;
use crate::cpu::source::CpuSource;

/// Memory of a task.
#[derive(Debug, Default)]
pub(crate) struct SkinScratch {
    weights: Vec<f32>,
    split: Palette,
    palette: FastPalette,
    /// Skin and method of `palette`.
    palette_of: Option<(usize, MeshMethod)>,
    skinned: FastSkinned,
    skinned_tips: FastSkinned,
    /// For methods that add an offset to a vertex, which its tip does not share: the method without the offset, and vertices
    /// skinned by it.
    affine_palette: FastPalette,
    skinned_bases: FastSkinned,
    /// Morphed copies of the meshes that have morph targets.
    morphed: Vec<Option<Box<MorphedMesh>>>,
}

/// A vertex in the bind pose or in a pose.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CpuVertex {
    pub position: Vec3,
    pub normal: Vec3,
    /// `None` if its mesh has none.
    pub tangent: Option<Vec4>,
}

/// Destination of skinned vertices.
pub(crate) trait VertexSink {
    /// Writes a vertex, given in the bind pose and skinned.
    fn put(&mut self, vertex: usize, bind: CpuVertex, skinned: CpuVertex);
}

/// Settings of a frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SkinFrame {
    /// Blend between LBS (0) and DQS (1), for methods that blend.
    pub deform_factor: f32,
    pub cores: Cores,
}

impl SkinScratch {
    /// Skins all parts of an instance.
    pub fn skin(
        &mut self,
        source: &CpuSource,
        poses: &CpuPoses,
        instance: usize,
        frame: SkinFrame,
        out: &mut impl VertexSink,
    ) {
        let character = &*source.character;
        poses.morph_weights(source, instance, &mut self.weights);
        self.palette_of = None;
        self.morphed.resize_with(source.meshes.len(), || None);
        let options = FastOptions {
            store_mode: StoreMode::Cached,
            cores: frame.cores,
            ..FastOptions::default()
        };
        let mut first_vertex = 0;
        for part in character.parts() {
            let fast = &source.meshes[part.mesh];
            self.set_palette(source, poses, instance, part.skin, fast.method, frame);
            let weights = &self.weights[character.morph_range(part)];
            let (mesh, tips) = match weights.iter().all(|&weight| weight == 0.0) {
                true => (&fast.mesh, fast.tips.as_ref().map(|tips| &tips.mesh)),
                false => {
                    let morphed = self.morphed[part.mesh]
                        .get_or_insert_with(|| Box::new(MorphedMesh::new(fast)));
                    morphed.update(character.mesh_of(part), fast, weights);
                    (&morphed.mesh, morphed.tips.as_ref())
                }
            };
            skin(mesh, &self.palette, options, &mut self.skinned);
            let has_offset = fast.method == MeshMethod::Same(Method::DqsBulgeFree);
            match tips {
                Some(tips) if has_offset => {
                    self.affine_palette.update(Method::Dqs, &self.split);
                    skin(mesh, &self.affine_palette, options, &mut self.skinned_bases);
                    skin(tips, &self.affine_palette, options, &mut self.skinned_tips);
                }
                Some(tips) => skin(tips, &self.palette, options, &mut self.skinned_tips),
                None => {}
            }
            let bind = character.mesh_of(part);
            for (vertex, &slot) in mesh.slot_of().iter().enumerate() {
                let slot = slot as usize;
                let (position, normal) = (self.skinned.position(slot), self.skinned.normal(slot));
                let tangent = fast.tips.as_ref().map(|tips| {
                    let base = match has_offset {
                        true => self.skinned_bases.position(slot),
                        false => position,
                    };
                    let along = self.skinned_tips.position(slot) - base;
                    tangent_on_surface(along, normal).extend(tips.signs[vertex])
                });
                let bind = CpuVertex {
                    position: bind.positions()[vertex],
                    normal: bind.normals()[vertex],
                    tangent: bind.tangents().get(vertex).copied(),
                };
                let skinned = CpuVertex {
                    position,
                    normal,
                    tangent,
                };
                out.put(first_vertex + vertex, bind, skinned);
            }
            first_vertex += mesh.vertex_count();
        }
    }

    fn set_palette(
        &mut self,
        source: &CpuSource,
        poses: &CpuPoses,
        instance: usize,
        skin: usize,
        method: MeshMethod,
        frame: SkinFrame,
    ) {
        if self.palette_of.replace((skin, method)) == Some((skin, method)) {
            return;
        }
        let matrices = poses.palette(skin);
        if method == MeshMethod::Same(Method::Lbs) {
            self.palette.update_linear(matrices.instance(instance));
            return;
        }
        matrices.split_into(instance, &source.character.skins()[skin], &mut self.split);
        let factor = f64::from(frame.deform_factor);
        match method {
            MeshMethod::BlendByVertex => self.palette.update_blended_by_vertex(factor, &self.split),
            MeshMethod::Same(method) => {
                let method = match method {
                    Method::Blend(_) => Method::Blend(factor),
                    Method::BlendPositions(_) => Method::BlendPositions(factor),
                    method => method,
                };
                self.palette.update(method, &self.split);
            }
        }
    }
}

/// Makes a tangent orthogonal to the normal, with unit length. CPU twin of the shader's tangents.
fn tangent_on_surface(along: Vec3, normal: Vec3) -> Vec3 {
    let flat = along - normal * normal.dot(along);
    // The rest of a tangent along the normal is rounding, not a direction.
    match flat.length() > 1e-5 * along.length() {
        true => flat.normalize(),
        false => normal.any_orthonormal_vector(),
    }
}
