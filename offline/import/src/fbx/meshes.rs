//! Conversion of meshes: one mesh per material of a node's mesh, with vertices split at seams, bound to
//! clusters.

use std::collections::HashMap;

use glam::{DAffine3, DVec3, Vec2, Vec3};
use throng_rig::{
    AuthoredMethod, ControlPoints, Influences, Mesh, MeshError, MorphTarget, Part, Skin,
};
use ufbx::{Node, SkinDeformer, SkinningMethod};

use super::skeleton::{Joints, id};
use super::{affine, label, vec3};
use crate::error::{Fault, Outcome};
use crate::{ImportOptions, PositionSharing, Warning, weights};

/// Meshes, parts and morph sets of a character.
#[derive(Default)]
pub(super) struct Geometry {
    pub meshes: Vec<Mesh>,
    pub parts: Vec<Part>,
    pub morph_sets: Vec<(String, Vec<f32>)>,
    /// Blend channels of each morph set, in the order of its weights.
    pub morph_channels: Vec<Vec<u32>>,
}

/// A node's mesh and its skin deformer.
struct MeshSource<'a> {
    mesh: &'a ufbx::Mesh,
    skin: Option<&'a SkinDeformer>,
    /// Palette index for vertices without a cluster: the mesh's own node.
    fallback_palette_index: u32,
    object: String,
}

impl Geometry {
    /// Adds a part for each material of a node's mesh.
    pub(super) fn add_node(
        &mut self,
        node: &Node,
        mesh: &ufbx::Mesh,
        joints: &Joints,
        skins: &mut Vec<Skin>,
        options: &ImportOptions,
        warnings: &mut Vec<Warning>,
    ) -> Outcome<()> {
        let object = label("mesh", &node.element.name);
        if mesh.skin_deformers.len() > 1 {
            warnings.push(Warning::Unused {
                what: format!("{object}: has several skins; only the first is used"),
            });
        }
        if !mesh.cache_deformers.is_empty() {
            warnings.push(Warning::Unused {
                what: format!("{object}: ignored its geometry cache, which is not supported"),
            });
        }
        if mesh.generated_normals {
            warnings.push(Warning::NormalsComputed {
                mesh: object.clone(),
                vertices: mesh.num_vertices,
            });
        }
        let deformer = mesh.skin_deformers.first().map(AsRef::as_ref);
        if let Some(deformer) = deformer {
            check_clusters(deformer, mesh.num_vertices, &object, warnings);
        }
        let skin = build_skin(node, deformer, joints, &object)?;
        let source = MeshSource {
            mesh,
            skin: deformer,
            fallback_palette_index: skin.len() as u32 - 1,
            object,
        };
        skins.push(skin);
        // Once per control point, so that warnings count the control points of the file.
        let of_points = weights::influences(
            &source.object,
            (0..mesh.num_vertices).map(|point| source.weights_of(point)),
            options,
            warnings,
        )
        .map_err(|error| Fault::data(source.object.as_str(), error))?;
        let morph_set = self.add_morph_set(node, mesh, &source.object)?;
        let mut primitives = split_vertices(mesh, options.positions);
        if let Some(first) = primitives.first_mut() {
            first.add_unused_points(mesh);
        }
        for (primitive, vertices) in primitives.into_iter().enumerate() {
            let mut built = source.build(&vertices, &of_points)?;
            built.material = vertices.material.map(|m| m as usize);
            if options.positions == PositionSharing::Shared {
                built.share_positions();
            }
            self.meshes.push(built);
            self.parts.push(Part {
                node: id(node),
                node_name: node.element.name.to_string(),
                primitive,
                mesh: self.meshes.len() - 1,
                skin: skins.len() - 1,
                morph_set,
            });
        }
        Ok(())
    }

    /// Adds a morph set with one weight per shape of each channel, including in-between shapes.
    fn add_morph_set(
        &mut self,
        node: &Node,
        mesh: &ufbx::Mesh,
        object: &str,
    ) -> Outcome<Option<usize>> {
        let channels = || mesh.blend_deformers.iter().flat_map(|b| &b.channels);
        let keys = || channels().flat_map(|channel| &channel.keyframes);
        if keys().next().is_none() {
            return Ok(None);
        }
        let weights: Vec<f32> = keys().map(|key| key.effective_weight as f32).collect();
        if !weights.iter().all(|weight| weight.is_finite()) {
            return Err(Fault::data(
                object,
                "has a blend channel whose DeformPercent is not finite",
            ));
        }
        self.morph_sets
            .push((node.element.name.to_string(), weights));
        self.morph_channels
            .push(channels().map(|channel| channel.element.typed_id).collect());
        Ok(Some(self.morph_sets.len() - 1))
    }
}

/// Reports weights of control points that do not exist, and singular bind matrices.
fn check_clusters(skin: &SkinDeformer, points: usize, object: &str, warnings: &mut Vec<Warning>) {
    let clusters = || (&skin.clusters).into_iter();
    let out_of_range = |&&point: &&u32| point as usize >= points;
    let invalid = clusters()
        .flat_map(|cluster| &cluster.vertices)
        .filter(out_of_range)
        .count();
    if invalid > 0 {
        warnings.push(Warning::WeightsWithoutVertex {
            mesh: object.to_owned(),
            weights: invalid,
        });
    }
    let singular = |c: &&ufbx::SkinCluster| {
        let bind = affine(&c.bind_to_world).matrix3.determinant();
        bind == 0.0 || affine(&c.geometry_to_bone).matrix3.determinant() == 0.0
    };
    let singular = clusters().filter(singular).count();
    if singular > 0 {
        warnings.push(Warning::BindMatrixSingular {
            skin: object.to_owned(),
            matrices: singular,
        });
    }
}

/// Builds a skin of the joints of all clusters, followed by the mesh's own node for vertices without a
/// cluster.
fn build_skin(
    node: &Node,
    deformer: Option<&SkinDeformer>,
    joints: &Joints,
    object: &str,
) -> Outcome<Skin> {
    let mut list = Vec::new();
    let mut joint_from_bind: Vec<DAffine3> = Vec::new();
    for cluster in deformer.iter().flat_map(|skin| &skin.clusters) {
        // The vertices of a cluster without a bone follow the node of the mesh.
        let (bone, matrix) = match &cluster.bone_node {
            Some(bone) => (&**bone, affine(&cluster.geometry_to_bone)),
            None => (node, affine(&node.geometry_to_node)),
        };
        if !matrix.is_finite() {
            return Err(Fault::data(
                object,
                format_args!(
                    "the inverse bind matrix of cluster '{}' is not finite",
                    cluster.element.name.escape_debug()
                ),
            ));
        }
        list.push(joints.of(bone)?);
        joint_from_bind.push(matrix);
    }
    list.push(joints.of(node)?);
    joint_from_bind.push(affine(&node.geometry_to_node));
    let name = deformer.map_or(String::new(), |skin| skin.element.name.to_string());
    Skin::new(name, &joints.skeleton, list, joint_from_bind)
        .map_err(|error| Fault::data(object, error))
}

/// Vertices and triangles of one material.
#[derive(Default)]
struct SplitVertices {
    material: Option<u32>,
    /// Control point of each vertex, and a face corner with its normal, texture coordinates and colour.
    vertices: Vec<(u32, Option<u32>)>,
    triangles: Vec<[u32; 3]>,
}

/// Identity of a vertex: control point, and the bits of normal, texture coordinates and colour; or a corner of a
/// polygon.
#[derive(PartialEq, Eq, Hash)]
enum VertexKey {
    Attributes(u32, [u32; 3], [u32; 2], [u32; 4]),
    Corner(u32),
}

/// Splits control points whose corners differ in normal, texture coordinates or colour, or at every corner of a
/// polygon. Returns one entry per material, and at least one.
fn split_vertices(mesh: &ufbx::Mesh, positions: PositionSharing) -> Vec<SplitVertices> {
    let key = |corner: u32| match positions {
        PositionSharing::Shared | PositionSharing::Split => attribute_key(mesh, corner),
        PositionSharing::Corners => VertexKey::Corner(corner),
    };
    let mut out = Vec::new();
    let mut indices = Vec::new();
    for part in &mesh.material_parts {
        if part.num_triangles == 0 {
            continue;
        }
        let mut split = SplitVertices {
            material: mesh
                .materials
                .get(part.index as usize)
                .map(|material| material.element.typed_id),
            ..SplitVertices::default()
        };
        let mut index_of: HashMap<VertexKey, u32> = HashMap::new();
        for &face in &part.face_indices {
            let Some(&face) = mesh.faces.get(face as usize) else {
                continue;
            };
            let count = ufbx::triangulate_face_vec(&mut indices, mesh, face) as usize;
            for triangle in indices[..3 * count].as_chunks::<3>().0 {
                let vertices = &mut split.vertices;
                split.triangles.push(triangle.map(|corner| {
                    *index_of.entry(key(corner)).or_insert_with(|| {
                        vertices.push((mesh.vertex_indices[corner as usize], Some(corner)));
                        vertices.len() as u32 - 1
                    })
                }));
            }
        }
        out.push(split);
    }
    if out.is_empty() {
        out.push(SplitVertices::default());
    }
    out
}

fn attribute_key(mesh: &ufbx::Mesh, corner: u32) -> VertexKey {
    let at = corner as usize;
    let (mut normal, mut uv, mut color) = ([0; 3], [0; 2], [0; 4]);
    if mesh.vertex_normal.exists {
        let n = mesh.vertex_normal[at];
        normal = [n.x, n.y, n.z].map(|x| (x as f32).to_bits());
    }
    if mesh.vertex_uv.exists {
        let found = mesh.vertex_uv[at];
        uv = [found.x, found.y].map(|x| (x as f32).to_bits());
    }
    if mesh.vertex_color.exists {
        let c = mesh.vertex_color[at];
        color = [c.x, c.y, c.z, c.w].map(|x| (x as f32).to_bits());
    }
    VertexKey::Attributes(mesh.vertex_indices[at], normal, uv, color)
}

impl SplitVertices {
    /// Adds vertices for the control points that no face uses.
    fn add_unused_points(&mut self, mesh: &ufbx::Mesh) {
        let mut used = vec![false; mesh.num_vertices];
        for part in &mesh.material_parts {
            for &face in &part.face_indices {
                if let Some(face) = mesh.faces.get(face as usize)
                    && face.num_indices >= 3
                {
                    let corners = face.index_begin..face.index_begin + face.num_indices;
                    for corner in corners {
                        used[mesh.vertex_indices[corner as usize] as usize] = true;
                    }
                }
            }
        }
        let unused = (0..mesh.num_vertices).filter(|&point| !used[point]);
        self.vertices
            .extend(unused.map(|point| (point as u32, None)));
    }
}

impl MeshSource<'_> {
    fn build(&self, split: &SplitVertices, of_points: &Influences) -> Outcome<Mesh> {
        let fault = |error: MeshError| Fault::data(self.object.as_str(), error);
        let points = || split.vertices.iter().map(|&(point, _)| point as usize);
        let positions = points().map(|p| vec3(self.mesh.vertices[p]).as_vec3());
        let influences = of_points.select(points());
        let mut mesh =
            Mesh::new(positions.collect(), split.triangles.clone(), influences).map_err(fault)?;
        self.set_surface_attributes(&mut mesh, split)?;
        mesh.set_control_points(ControlPoints {
            of_vertex: split.vertices.iter().map(|&(point, _)| point).collect(),
            count: self.mesh.num_vertices,
        })
        .map_err(fault)?;
        for key in self
            .mesh
            .blend_deformers
            .iter()
            .flat_map(|b| &b.channels)
            .flat_map(|channel| &channel.keyframes)
        {
            mesh.add_morph_target(morph_target(&key.shape, self.mesh, split))
                .map_err(fault)?;
        }
        self.set_authored_method(&mut mesh, split).map_err(fault)?;
        Ok(mesh)
    }

    /// Returns the palette indices and weights of a control point; the mesh's own node if it has no
    /// cluster.
    fn weights_of(&self, point: usize) -> Vec<(u32, f64)> {
        let run = self.skin.and_then(|skin| {
            let vertex = skin.vertices.get(point)?;
            let first = vertex.weight_begin as usize;
            skin.weights.get(first..first + vertex.num_weights as usize)
        });
        let run = run.unwrap_or_default().iter();
        let mut pairs: Vec<_> = run.map(|w| (w.cluster_index, w.weight)).collect();
        if !pairs
            .iter()
            .any(|(_, weight)| weight.is_finite() && *weight > 0.0)
        {
            pairs.push((self.fallback_palette_index, 1.0));
        }
        pairs
    }

    /// Sets normals, texture coordinates and colours.
    fn set_surface_attributes(&self, mesh: &mut Mesh, split: &SplitVertices) -> Outcome<()> {
        let source = self.mesh;
        let fault = |error: MeshError| Fault::data(self.object.as_str(), error);
        let mut normals = mesh.normals().to_vec();
        if source.vertex_normal.exists {
            for (normal, corner) in normals.iter_mut().zip(&split.vertices) {
                let given = corner.1.map(|c| vec3(source.vertex_normal[c as usize]));
                if let Some(unit) = given.and_then(DVec3::try_normalize) {
                    *normal = unit.as_vec3();
                }
            }
            mesh.set_normals(normals).map_err(fault)?;
        }
        if source.vertex_uv.exists {
            // V points up in FBX and down in a mesh.
            let uv = |&(_, corner): &(u32, Option<u32>)| {
                let uv = corner.map(|c| source.vertex_uv[c as usize]);
                let uv = uv.map_or(Vec2::ZERO, |uv| Vec2::new(uv.x as f32, 1.0 - uv.y as f32));
                if uv.is_finite() { uv } else { Vec2::ZERO }
            };
            mesh.set_uvs(split.vertices.iter().map(uv).collect())
                .map_err(fault)?;
        }
        if source.vertex_color.exists {
            let color = |&(_, corner): &(u32, Option<u32>)| {
                let c = corner.map(|c| source.vertex_color[c as usize]);
                let c = c.map_or([1.0; 4], |c| [c.x, c.y, c.z, c.w].map(|x| x as f32));
                c.map(|x| if x.is_finite() { x } else { 1.0 })
            };
            mesh.set_colors(split.vertices.iter().map(color).collect())
                .map_err(fault)?;
        }
        Ok(())
    }

    fn set_authored_method(&self, mesh: &mut Mesh, split: &SplitVertices) -> Result<(), MeshError> {
        let Some(skin) = self.skin else {
            mesh.authored_method = AuthoredMethod::Rigid;
            return Ok(());
        };
        mesh.authored_method = match skin.skinning_method {
            SkinningMethod::Linear => AuthoredMethod::Linear,
            SkinningMethod::Rigid => AuthoredMethod::Rigid,
            SkinningMethod::DualQuaternion => AuthoredMethod::DualQuaternion,
            SkinningMethod::BlendedDqLinear => AuthoredMethod::Blended,
        };
        if mesh.authored_method == AuthoredMethod::Blended {
            let factor = |&(point, _): &(u32, Option<u32>)| {
                let vertex = skin.vertices.get(point as usize);
                let factor = vertex.map_or(0.0, |v| v.dq_weight as f32);
                if factor.is_finite() {
                    factor.clamp(0.0, 1.0)
                } else {
                    0.0
                }
            };
            mesh.set_blend_factors(split.vertices.iter().map(factor).collect())?;
        }
        Ok(())
    }
}

fn morph_target(shape: &ufbx::BlendShape, mesh: &ufbx::Mesh, split: &SplitVertices) -> MorphTarget {
    let mut of_point = vec![Vec3::ZERO; mesh.num_vertices];
    let offsets = shape.offset_vertices.iter().zip(&shape.position_offsets);
    for (&point, &offset) in offsets {
        let offset = vec3(offset).as_vec3();
        if let Some(slot) = of_point.get_mut(point as usize)
            && offset.is_finite()
        {
            *slot = offset;
        }
    }
    let deltas = split.vertices.iter().map(|&(p, _)| of_point[p as usize]);
    MorphTarget {
        name: shape.element.name.to_string(),
        positions: deltas.collect(),
        normals: Vec::new(),
        tangents: Vec::new(),
    }
}
