//! Simplification with meshoptimizer: fewer triangles on the same vertices.
//!
//! All meshes are simplified as one, so that triangles are kept where they matter most. The error that the simplifier
//! minimises has normals, texture coordinates and colours, and the positions in some key poses of the clips: a vertex whose
//! weights make it move otherwise than its neighbours is kept.

use std::collections::HashSet;

use glam::{Vec2, Vec3};
use meshopt::{SimplifyOptions, SimplifyVertex, simplify_with_attributes_and_locks_decoder};
use throng_format::LodTriangles;
use throng_format::meshopt::canonical_triangles;
use throng_rig::{Character, Mesh};

use super::poses::KeyPoses;
use super::weld::{WeldedMesh, weld};
use crate::sampler::VertexSampler;

/// Weight of normals, texture coordinates and colours.
const SURFACE_WEIGHT: f32 = 0.2;
/// Attributes of a vertex beside its positions in key poses: normal, texture coordinates, colour.
const SURFACE_ATTRIBUTES: usize = 8;
/// Triangles around a vertex.
const AROUND_VERTEX: f32 = 6.0;
/// Triangles that are as many as asked for, as a multiple.
pub(super) const REACHED: f64 = 1.05;

/// Error of an attempt that distorts textures, as a part of that of the attempt before, for which it is chosen.
const WORTHWHILE: f32 = 0.5;

/// Result of an attempt.
struct Simplified {
    corners: Vec<u32>,
    /// Estimated error, as a part of the size.
    error: f32,
}

impl Simplified {
    fn triangles(&self) -> usize {
        self.corners.len() / 3
    }

    /// Returns the other where it has fewer triangles, or no more than `most`.
    fn better(self, other: Self, most: usize) -> Self {
        match other.triangles() <= most || other.triangles() < self.triangles() {
            true => other,
            false => self,
        }
    }
}

/// Simplification pass; later ones remove more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Attempt {
    /// Texture seams stay as they are; hard edges may vanish.
    KeepSeams,
    /// Textures may be distorted.
    MoveSeams,
    /// Small components are removed.
    Prune,
}

/// Meshes of a set, prepared for simplification.
pub(super) struct Simplifier {
    corners: Vec<u32>,
    positions: Vec<[f32; 3]>,
    attributes: Vec<f32>,
    key_poses: usize,
    size: f32,
    /// Area of all triangles, in square metres.
    area: f32,
    vertices: Vec<VertexKind>,
    /// Place of each vertex, counted through all meshes.
    places: Vec<u32>,
    /// Point of each vertex.
    points: Vec<u32>,
    /// First vertex of each mesh, and the end.
    first: Vec<u32>,
}

impl Simplifier {
    /// Prepares the meshes of `model`, whose parts are those of the source.
    pub fn new(
        source: &Character,
        model: &Character,
        sampler: &VertexSampler<'_>,
        poses: &KeyPoses,
    ) -> Self {
        let size = sampler.size().max(f64::MIN_POSITIVE) as f32;
        let (mut first_positions, mut first_normals) = (vec![0], vec![0]);
        for part in source.parts() {
            let unique = source.mesh_of(part).unique();
            first_positions
                .push(first_positions[first_positions.len() - 1] + unique.position_count());
            first_normals.push(first_normals[first_normals.len() - 1] + unique.normal_count());
        }
        let meshes: Vec<SimplifiedMesh<'_>> = (0..model.meshes().len())
            .map(|index| {
                let mut parts = model.parts().iter().enumerate();
                let mut parts = parts.by_ref().filter(|(_, part)| part.mesh == index);
                let part = parts.next().map(|(part, _)| part);
                SimplifiedMesh {
                    mesh: part.map(|part| source.mesh_of(&source.parts()[part])),
                    first_position: part.map_or(0, |part| first_positions[part]),
                    first_normal: part.map_or(0, |part| first_normals[part]),
                    is_shared: parts.next().is_some(),
                }
            })
            .collect();
        let mut welded: Vec<WeldedMesh> = meshes
            .iter()
            .filter_map(|mesh| {
                let points = mesh.points();
                let rest = |vertex| sampler.rest().positions[points(vertex) as usize];
                Some(WeldedMesh::new(mesh.mesh?, rest))
            })
            .collect();
        weld(&mut welded, size);
        let mut out = Self {
            corners: Vec::new(),
            positions: Vec::new(),
            attributes: Vec::new(),
            key_poses: poses.count - 1,
            size,
            area: 0.0,
            vertices: Vec::new(),
            places: Vec::new(),
            points: Vec::new(),
            first: vec![0],
        };
        let mut welded = welded.iter();
        for mesh in &meshes {
            if let (Some(mesh_of_part), Some(welded)) = (mesh.mesh, mesh.mesh.and(welded.next())) {
                out.add(source, mesh, mesh_of_part, welded, sampler, poses);
            }
            out.first.push(out.positions.len() as u32);
        }
        out
    }

    fn add(
        &mut self,
        source: &Character,
        part: &SimplifiedMesh<'_>,
        mesh: &Mesh,
        welded: &WeldedMesh,
        sampler: &VertexSampler<'_>,
        poses: &KeyPoses,
    ) {
        let first = self.positions.len() as u32;
        let first_place = self.places.iter().max().map_or(0, |place| place + 1);
        let corners = mesh.triangles().as_flattened().iter();
        self.corners.extend(corners.map(|corner| first + corner));
        let points = part.points();
        let material = mesh.material.map(|material| &source.materials()[material]);
        let is_textured = material.is_some_and(|material| material.texture.is_some());
        let is_texture_seam = welded.differing(|vertex| {
            let uv = mesh.uvs().get(vertex).filter(|_| is_textured);
            uv.map_or([0; 2], |uv| uv.to_array().map(f32::to_bits))
        });
        let corner = |vertex: u32| welded.places[welded.place_of[vertex as usize] as usize];
        for [a, b, c] in mesh.triangles().iter().map(|triangle| triangle.map(corner)) {
            self.area += 0.5 * (b - a).cross(c - a).length();
        }
        for vertex in 0..mesh.vertex_count() {
            let place = welded.place_of[vertex] as usize;
            self.places.push(first_place + place as u32);
            self.points.push(points(vertex));
            self.positions.push(welded.places[place].to_array());
            self.vertices
                .push(if part.is_shared && welded.is_border[place] {
                    // Other parts may touch it.
                    VertexKind::Locked
                } else if welded.is_welded[place] {
                    VertexKind::MeshSeam
                } else if is_texture_seam[place] {
                    VertexKind::TextureSeam
                } else {
                    VertexKind::Free
                });
            let normal = part.first_normal + mesh.unique().normal_of()[vertex] as usize;
            self.attributes
                .extend(sampler.rest().normals[normal].to_array());
            let uv = mesh.uvs().get(vertex).filter(|_| is_textured);
            self.attributes.extend(uv.map_or([0.0; 2], Vec2::to_array));
            let [r, g, b, _] = mesh.colors().get(vertex).copied().unwrap_or([0.0; 4]);
            self.attributes.extend([r, g, b]);
            let posed = &poses.of(points(vertex))[1..];
            self.attributes
                .extend(posed.iter().flat_map(Vec3::to_array));
        }
    }

    /// Returns about this part of the triangles, those of each mesh in vertex-cache order. Important points are more likely
    /// to be kept.
    pub fn simplify(&self, ratio: f64, important: &HashSet<u32>) -> LodTriangles {
        let places = self.places.iter().zip(&self.points);
        let places = places.filter(|(_, point)| important.contains(point));
        let places: HashSet<u32> = places.map(|(place, _)| *place).collect();
        let target = ratio * (self.corners.len() / 3) as f64;
        let most = (REACHED * target + 1.0) as usize;
        let simplify = |attempt| self.attempt(attempt, (target.round() as usize).max(1), &places);
        let mut best = simplify(Attempt::KeepSeams);
        if self.vertices.contains(&VertexKind::TextureSeam) {
            let moved = simplify(Attempt::MoveSeams);
            if best.triangles() > most || moved.error < WORTHWHILE * best.error {
                best = best.better(moved, most);
            }
        }
        if best.triangles() > most {
            best = best.better(simplify(Attempt::Prune), most);
        }
        self.by_mesh(&best.corners)
    }

    fn attempt(&self, attempt: Attempt, triangles: usize, important: &HashSet<u32>) -> Simplified {
        let vertices = self.vertices.iter().zip(&self.places);
        let lock = |(kind, place): (&VertexKind, &u32)| match important.contains(place) {
            true => kind.lock(attempt) | SimplifyVertex::Priority,
            false => kind.lock(attempt),
        };
        let locks: Vec<SimplifyVertex> = vertices.map(lock).collect();
        let weights = self.attribute_weights(triangles);
        let options = match attempt {
            Attempt::KeepSeams | Attempt::MoveSeams => SimplifyOptions::Permissive,
            Attempt::Prune => SimplifyOptions::Permissive | SimplifyOptions::Prune,
        };
        let mut error = 0.0;
        let corners = simplify_with_attributes_and_locks_decoder(
            &self.corners,
            &self.positions,
            &self.attributes,
            &weights,
            weights.len() * size_of::<f32>(),
            &locks,
            3 * triangles,
            f32::MAX,
            options,
            Some(&mut error),
        );
        match !corners.is_empty() && self.keeps_meshes_apart(&corners) {
            true => Simplified { corners, error },
            false => Simplified {
                corners: self.corners.clone(),
                error: f32::INFINITY,
            },
        }
    }

    /// Weights of the attributes of a vertex. The simplifier multiplies the error of attributes by the area around a vertex,
    /// but not that of positions. This is divided out for key poses, which then count as much as the rest pose.
    fn attribute_weights(&self, triangles: usize) -> Vec<f32> {
        let area = self.area / (self.size * self.size) * AROUND_VERTEX / triangles as f32;
        let pose = match area > 0.0 {
            true => 1.0 / (self.size * area.sqrt()),
            false => 0.0,
        };
        let mut weights = vec![SURFACE_WEIGHT; SURFACE_ATTRIBUTES];
        weights.extend(std::iter::repeat_n(pose, 3 * self.key_poses));
        weights
    }

    fn mesh_of(&self, vertex: u32) -> usize {
        self.first.partition_point(|&first| first <= vertex) - 1
    }

    /// False where a triangle has corners of several meshes.
    fn keeps_meshes_apart(&self, corners: &[u32]) -> bool {
        let (triangles, _) = corners.as_chunks::<3>();
        self.first.len() == 2
            || triangles.iter().all(|&[a, b, c]| {
                let mesh = self.mesh_of(a);
                mesh == self.mesh_of(b) && mesh == self.mesh_of(c)
            })
    }

    fn by_mesh(&self, corners: &[u32]) -> LodTriangles {
        let mut meshes = vec![Vec::new(); self.first.len() - 1];
        let (triangles, _) = corners.as_chunks::<3>();
        for triangle in triangles {
            let mesh = self.mesh_of(triangle[0]);
            let first = self.first[mesh];
            meshes[mesh].push(triangle.map(|vertex| vertex - first));
        }
        for (mesh, triangles) in meshes.iter_mut().enumerate() {
            let vertices = (self.first[mesh + 1] - self.first[mesh]) as usize;
            let ordered = meshopt::optimize_vertex_cache(triangles.as_flattened(), vertices);
            // Stored without a change by the codec of triangles.
            *triangles = canonical_triangles(ordered.as_chunks::<3>().0);
        }
        LodTriangles { meshes }
    }
}

/// Role of a vertex in simplification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum VertexKind {
    Free,
    /// Vertices at its place have different texture coordinates.
    TextureSeam,
    /// It is welded to another mesh.
    MeshSeam,
    Locked,
}

impl VertexKind {
    fn lock(self, attempt: Attempt) -> SimplifyVertex {
        match self {
            Self::Locked => SimplifyVertex::Lock,
            Self::MeshSeam => SimplifyVertex::Protect,
            Self::TextureSeam if attempt == Attempt::KeepSeams => SimplifyVertex::Protect,
            Self::TextureSeam | Self::Free => SimplifyVertex::None,
        }
    }
}

/// A mesh of the set.
struct SimplifiedMesh<'a> {
    /// Mesh of the first part that uses it; `None` where no part does.
    mesh: Option<&'a Mesh>,
    /// Number of the part's first unique position, through all parts.
    first_position: usize,
    first_normal: usize,
    /// True where several parts use it.
    is_shared: bool,
}

impl<'a> SimplifiedMesh<'a> {
    /// Point of each vertex.
    fn points(&self) -> impl Fn(usize) -> u32 + 'a {
        let (mesh, first) = (self.mesh, self.first_position as u32);
        move |vertex| first + mesh.map_or(0, |mesh| mesh.unique().position_of()[vertex])
    }
}
