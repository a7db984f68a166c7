//! Meshes: one for each material of a node's mesh, split at corners, bound to its clusters.

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

/// Meshes and parts as they come together.
#[derive(Default)]
pub(super) struct Geometry {
    pub meshes: Vec<Mesh>,
    pub parts: Vec<Part>,
    pub morph_sets: Vec<(String, Vec<f32>)>,
    /// For each morph set, the channels whose shapes its weights are for.
    pub morph_channels: Vec<Vec<u32>>,
}

/// A node's mesh and what it is bound to.
struct Source<'a> {
    mesh: &'a ufbx::Mesh,
    skin: Option<&'a SkinDeformer>,
    /// The skin entry that holds vertices which no cluster does.
    fallback_entry: u32,
    object: String,
}

impl Geometry {
    /// Makes a part of each material of a node's mesh.
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
                what: format!("{object}: has several skins; the first was used"),
            });
        }
        if !mesh.cache_deformers.is_empty() {
            warnings.push(Warning::Unused {
                what: format!("{object}: its geometry cache is not played"),
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
        let source = Source {
            mesh,
            skin: deformer,
            fallback_entry: skin.len() as u32 - 1,
            object,
        };
        skins.push(skin);
        // Once a control point, so that what is told counts the file's own points.
        let of_points = weights::influences(
            &source.object,
            (0..mesh.num_vertices).map(|point| source.weights_of(point)),
            options,
            warnings,
        )
        .map_err(|error| Fault::data(source.object.as_str(), error))?;
        let morph_set = self.add_morph_set(node, mesh);
        let mut corners = split_corners(mesh);
        if let Some(first) = corners.first_mut() {
            first.add_unused_points(mesh);
        }
        for (primitive, corners) in corners.into_iter().enumerate() {
            let mut built = source.build(&corners, &of_points)?;
            built.material = corners.material.map(|m| m as usize);
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

    /// One weight for each shape of each channel, in-between shapes too.
    fn add_morph_set(&mut self, node: &Node, mesh: &ufbx::Mesh) -> Option<usize> {
        let channels = || mesh.blend_deformers.iter().flat_map(|b| &b.channels);
        let keys = || channels().flat_map(|channel| &channel.keyframes);
        keys().next()?;
        let weights = keys().map(|key| key.effective_weight as f32).collect();
        self.morph_sets
            .push((node.element.name.to_string(), weights));
        self.morph_channels
            .push(channels().map(|channel| channel.element.typed_id).collect());
        Some(self.morph_sets.len() - 1)
    }
}

/// Tells of weights for points that are not there, and of bind matrices that flatten.
fn check_clusters(skin: &SkinDeformer, points: usize, object: &str, warnings: &mut Vec<Warning>) {
    let clusters = || (&skin.clusters).into_iter();
    let past = |&&point: &&u32| point as usize >= points;
    let stray = clusters()
        .flat_map(|cluster| &cluster.vertices)
        .filter(past)
        .count();
    if stray > 0 {
        warnings.push(Warning::WeightsWithoutVertex {
            mesh: object.to_owned(),
            weights: stray,
        });
    }
    let singular = |c: &&ufbx::SkinCluster| {
        let bind = affine(&c.bind_to_world).matrix3.determinant();
        bind == 0.0 || affine(&c.geometry_to_bone).matrix3.determinant() == 0.0
    };
    let flat = clusters().filter(singular).count();
    if flat > 0 {
        warnings.push(Warning::BindMatrixSingular {
            skin: object.to_owned(),
            matrices: flat,
        });
    }
}

/// The joints of a skin's clusters, and the mesh's own node last, for vertices that no cluster holds.
fn build_skin(
    node: &Node,
    deformer: Option<&SkinDeformer>,
    joints: &Joints,
    object: &str,
) -> Outcome<Skin> {
    let mut list = Vec::new();
    let mut joint_from_bind: Vec<DAffine3> = Vec::new();
    for cluster in deformer.iter().flat_map(|skin| &skin.clusters) {
        // A cluster without a bone holds its vertices where the mesh is.
        let (bone, matrix) = match &cluster.bone_node {
            Some(bone) => (&**bone, affine(&cluster.geometry_to_bone)),
            None => (node, affine(&node.geometry_to_node)),
        };
        if !matrix.is_finite() {
            return Err(Fault::data(
                object,
                format_args!(
                    "the bind matrix of its cluster '{}' is not finite",
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
struct Corners {
    material: Option<u32>,
    /// Control point, and the index of a corner that has the vertex's normal and the like.
    vertices: Vec<(u32, Option<u32>)>,
    triangles: Vec<[u32; 3]>,
}

/// What tells vertices of one control point apart.
type CornerKey = (u32, [u32; 3], [u32; 2], [u32; 4]);

/// Splits control points where corners differ in normal, texture coordinate or colour.
fn split_corners(mesh: &ufbx::Mesh) -> Vec<Corners> {
    let mut out = Vec::new();
    let mut indices = Vec::new();
    for part in &mesh.material_parts {
        if part.num_triangles == 0 {
            continue;
        }
        let mut corners = Corners {
            material: mesh
                .materials
                .get(part.index as usize)
                .map(|material| material.element.typed_id),
            ..Corners::default()
        };
        let mut seen: HashMap<CornerKey, u32> = HashMap::new();
        for &face in &part.face_indices {
            let Some(&face) = mesh.faces.get(face as usize) else {
                continue;
            };
            let count = ufbx::triangulate_face_vec(&mut indices, mesh, face) as usize;
            for triangle in indices[..3 * count].as_chunks::<3>().0 {
                let vertices = &mut corners.vertices;
                corners.triangles.push(triangle.map(|corner| {
                    *seen.entry(corner_key(mesh, corner)).or_insert_with(|| {
                        vertices.push((mesh.vertex_indices[corner as usize], Some(corner)));
                        vertices.len() as u32 - 1
                    })
                }));
            }
        }
        out.push(corners);
    }
    if out.is_empty() {
        out.push(Corners::default());
    }
    out
}

fn corner_key(mesh: &ufbx::Mesh, corner: u32) -> CornerKey {
    let at = corner as usize;
    let mut key: CornerKey = (mesh.vertex_indices[at], [0; 3], [0; 2], [0; 4]);
    if mesh.vertex_normal.exists {
        let n = mesh.vertex_normal[at];
        key.1 = [n.x, n.y, n.z].map(|x| (x as f32).to_bits());
    }
    if mesh.vertex_uv.exists {
        let uv = mesh.vertex_uv[at];
        key.2 = [uv.x, uv.y].map(|x| (x as f32).to_bits());
    }
    if mesh.vertex_color.exists {
        let c = mesh.vertex_color[at];
        key.3 = [c.x, c.y, c.z, c.w].map(|x| (x as f32).to_bits());
    }
    key
}

impl Corners {
    /// Points that no face of the mesh uses still are points of the file.
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

impl Source<'_> {
    fn build(&self, corners: &Corners, of_points: &Influences) -> Outcome<Mesh> {
        let fault = |error: MeshError| Fault::data(self.object.as_str(), error);
        let points = || corners.vertices.iter().map(|&(point, _)| point as usize);
        let positions = points().map(|p| vec3(self.mesh.vertices[p]).as_vec3());
        let influences = of_points.select(points());
        let mut mesh =
            Mesh::new(positions.collect(), corners.triangles.clone(), influences).map_err(fault)?;
        self.set_looks(&mut mesh, corners)?;
        mesh.set_control_points(ControlPoints {
            of_vertex: corners.vertices.iter().map(|&(point, _)| point).collect(),
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
            mesh.add_morph_target(morph_target(&key.shape, self.mesh, corners))
                .map_err(fault)?;
        }
        self.set_authored_method(&mut mesh, corners)
            .map_err(fault)?;
        Ok(mesh)
    }

    /// Clusters and weights of a control point; the mesh's own node where no cluster holds it.
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
            pairs.push((self.fallback_entry, 1.0));
        }
        pairs
    }

    fn set_looks(&self, mesh: &mut Mesh, corners: &Corners) -> Outcome<()> {
        let source = self.mesh;
        let fault = |error: MeshError| Fault::data(self.object.as_str(), error);
        let mut normals = mesh.normals().to_vec();
        if source.vertex_normal.exists {
            for (normal, corner) in normals.iter_mut().zip(&corners.vertices) {
                let given = corner.1.map(|c| vec3(source.vertex_normal[c as usize]));
                if let Some(unit) = given.and_then(DVec3::try_normalize) {
                    *normal = unit.as_vec3();
                }
            }
            mesh.set_normals(normals).map_err(fault)?;
        }
        if source.vertex_uv.exists {
            // V runs up in FBX and down in a mesh.
            let uv = |&(_, corner): &(u32, Option<u32>)| {
                let uv = corner.map(|c| source.vertex_uv[c as usize]);
                let uv = uv.map_or(Vec2::ZERO, |uv| Vec2::new(uv.x as f32, 1.0 - uv.y as f32));
                if uv.is_finite() { uv } else { Vec2::ZERO }
            };
            mesh.set_uvs(corners.vertices.iter().map(uv).collect())
                .map_err(fault)?;
        }
        if source.vertex_color.exists {
            let color = |&(_, corner): &(u32, Option<u32>)| {
                let c = corner.map(|c| source.vertex_color[c as usize]);
                let c = c.map_or([1.0; 4], |c| [c.x, c.y, c.z, c.w].map(|x| x as f32));
                c.map(|x| if x.is_finite() { x } else { 1.0 })
            };
            mesh.set_colors(corners.vertices.iter().map(color).collect())
                .map_err(fault)?;
        }
        Ok(())
    }

    fn set_authored_method(&self, mesh: &mut Mesh, corners: &Corners) -> Result<(), MeshError> {
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
            mesh.set_blend_factors(corners.vertices.iter().map(factor).collect())?;
        }
        Ok(())
    }
}

fn morph_target(shape: &ufbx::BlendShape, mesh: &ufbx::Mesh, corners: &Corners) -> MorphTarget {
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
    let deltas = corners.vertices.iter().map(|&(p, _)| of_point[p as usize]);
    MorphTarget {
        name: shape.element.name.to_string(),
        positions: deltas.collect(),
        normals: Vec::new(),
        tangents: Vec::new(),
    }
}
