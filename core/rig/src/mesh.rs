//! Meshes: triangles, vertex attributes, influences and morph targets.

mod merge_normals;

use glam::{Vec2, Vec3, Vec4};
use thiserror::Error;

use crate::unique::Mismatch;
use crate::{Influences, UniqueVertices, VertexCache, vertex_normals};

/// Offsets that a morph target adds to each vertex at weight one.
#[derive(Debug, Clone, PartialEq)]
pub struct MorphTarget {
    /// Name as in the file; may be empty.
    pub name: String,
    /// One per vertex.
    pub positions: Vec<Vec3>,
    /// One per vertex, or empty.
    pub normals: Vec<Vec3>,
    /// One per vertex, or empty.
    pub tangents: Vec<Vec3>,
}

/// Skinning method that a file names for a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AuthoredMethod {
    /// Linear blend skinning, the method of glTF.
    #[default]
    Linear,
    /// One joint per vertex.
    Rigid,
    /// Dual-quaternion skinning.
    DualQuaternion,
    /// Linear and dual-quaternion skinning, blended by a factor per vertex; see [`Mesh::blend_factors`].
    Blended,
}

/// Control points of the file that vertices were split from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ControlPoints {
    /// Control point of each vertex.
    pub of_vertex: Vec<u32>,
    /// Number of control points of the file's mesh, over all its primitives.
    pub count: usize,
}

/// A triangle mesh. Positions and normals are in bind space. Vertices are in the order of the file; where they
/// were split at corners, [`ControlPoints`] map them to the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Mesh {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    tangents: Vec<Vec4>,
    uvs: Vec<Vec2>,
    colors: Vec<[f32; 4]>,
    triangles: Vec<[u32; 3]>,
    influences: Influences,
    morph_targets: Vec<MorphTarget>,
    unique: UniqueVertices,
    blend_factors: Vec<f32>,
    rotation_centers: Vec<Vec3>,
    control_points: Option<ControlPoints>,
    vertex_cache: Option<VertexCache>,
    /// Index into [`crate::Character::materials`].
    pub material: Option<usize>,
    /// Skinning method that the file names.
    pub authored_method: AuthoredMethod,
}

/// Arrays that do not make a mesh.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MeshError {
    /// An array does not have one element per vertex.
    #[error("{what}: found {actual}, expected one per vertex ({vertices})")]
    CountMismatch {
        /// Name of the array.
        what: &'static str,
        /// Number of elements found.
        actual: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// A triangle uses a vertex that does not exist.
    #[error("triangle {triangle} uses vertex {vertex}, but there are {vertices} vertices")]
    VertexOutOfRange {
        /// Index of the triangle.
        triangle: usize,
        /// Index of the vertex.
        vertex: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A vertex uses a control point that does not exist.
    #[error("a vertex uses control point {point}, but there are {points} control points")]
    PointOutOfRange {
        /// Index of the control point.
        point: u32,
        /// Number of control points.
        points: usize,
    },
    /// A vertex uses a point or normal that its vertex cache does not have.
    #[error("a vertex uses {what} {index} of its vertex cache, which has {len}")]
    CacheOutOfRange {
        /// Point or normal.
        what: &'static str,
        /// The index.
        index: u32,
        /// Number of them.
        len: usize,
    },
    /// A mesh with a vertex cache is moved by more than one joint, or by morph targets.
    #[error("a mesh with a vertex cache follows one joint, without morph targets")]
    CacheNotRigid,
    /// Vertices share a unique position or normal, but differ.
    #[error("vertex {vertex} shares the unique {what} of vertex {other}, but differs from it")]
    NotShared {
        /// Position or normal.
        what: &'static str,
        /// Index of the vertex.
        vertex: usize,
        /// First vertex of the position or normal.
        other: usize,
    },
    /// A number is infinite or NaN.
    #[error("the {what} of vertex {vertex} is not finite")]
    NotFinite {
        /// Name of the array.
        what: &'static str,
        /// Index of the vertex.
        vertex: usize,
    },
}

impl Mesh {
    /// Checks positions, triangles and influences against each other, and computes normals. Equal vertices are
    /// not shared until [`Self::share_positions`] is called.
    pub fn new(
        positions: Vec<Vec3>,
        triangles: Vec<[u32; 3]>,
        influences: Influences,
    ) -> Result<Self, MeshError> {
        let vertices = positions.len();
        check_count("influences", influences.vertex_count(), vertices)?;
        check_finite("position", &positions, |p| p.is_finite())?;
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertices) {
                return Err(MeshError::VertexOutOfRange {
                    triangle,
                    vertex,
                    vertices,
                });
            }
        }
        Ok(Self {
            normals: vertex_normals(&positions, &triangles),
            positions,
            tangents: Vec::new(),
            uvs: Vec::new(),
            colors: Vec::new(),
            triangles,
            influences,
            morph_targets: Vec::new(),
            unique: UniqueVertices::split(vertices),
            blend_factors: Vec::new(),
            rotation_centers: Vec::new(),
            control_points: None,
            vertex_cache: None,
            material: None,
            authored_method: AuthoredMethod::Linear,
        })
    }

    /// Sets normals, which should have unit length.
    pub fn set_normals(&mut self, normals: Vec<Vec3>) -> Result<(), MeshError> {
        check_count("normals", normals.len(), self.vertex_count())?;
        check_finite("normal", &normals, |n| n.is_finite())?;
        self.normals = normals;
        Ok(())
    }

    /// Sets tangents. The fourth component is the sign of the bitangent.
    pub fn set_tangents(&mut self, tangents: Vec<Vec4>) -> Result<(), MeshError> {
        check_count("tangents", tangents.len(), self.vertex_count())?;
        check_finite("tangent", &tangents, |t| t.is_finite())?;
        self.tangents = tangents;
        Ok(())
    }

    /// Sets texture coordinates. V points down, as in glTF.
    pub fn set_uvs(&mut self, uvs: Vec<Vec2>) -> Result<(), MeshError> {
        check_count("texture coordinates", uvs.len(), self.vertex_count())?;
        check_finite("texture coordinate", &uvs, |uv| uv.is_finite())?;
        self.uvs = uvs;
        Ok(())
    }

    /// Sets vertex colours, linear RGBA.
    pub fn set_colors(&mut self, colors: Vec<[f32; 4]>) -> Result<(), MeshError> {
        check_count("colours", colors.len(), self.vertex_count())?;
        check_finite("colour", &colors, |c| c.iter().all(|x| x.is_finite()))?;
        self.colors = colors;
        Ok(())
    }

    /// Sets the blend factor of each vertex between linear (0) and dual-quaternion skinning (1).
    pub fn set_blend_factors(&mut self, factors: Vec<f32>) -> Result<(), MeshError> {
        check_count("blend factors", factors.len(), self.vertex_count())?;
        check_finite("blend factor", &factors, |f| f.is_finite())?;
        self.blend_factors = factors;
        Ok(())
    }

    /// Sets the centre about which each vertex rotates, in bind space, for [`crate::Method::Cor`].
    pub fn set_rotation_centers(&mut self, centers: Vec<Vec3>) -> Result<(), MeshError> {
        check_count("centres of rotation", centers.len(), self.vertex_count())?;
        check_finite("centre of rotation", &centers, |c| c.is_finite())?;
        self.rotation_centers = centers;
        Ok(())
    }

    /// Sets the control points that vertices were split from. Each is less than `points.count`.
    pub fn set_control_points(&mut self, points: ControlPoints) -> Result<(), MeshError> {
        check_count(
            "control points",
            points.of_vertex.len(),
            self.vertex_count(),
        )?;
        let out_of_range = |&point: &u32| point as usize >= points.count;
        match points.of_vertex.iter().find(|point| out_of_range(point)) {
            Some(&point) => Err(MeshError::PointOutOfRange {
                point,
                points: points.count,
            }),
            None => {
                self.control_points = Some(points);
                Ok(())
            }
        }
    }

    /// Sets the vertex cache that moves the vertices, of a rigid mesh without morph targets. Normals of the cache are used
    /// if it has a normal of each vertex; otherwise they follow from the faces, and edges that are hard in the mesh as it
    /// stands stay hard. Set normals before.
    pub fn set_vertex_cache(&mut self, mut cache: VertexCache) -> Result<(), MeshError> {
        if self.influences.max_joint() > 0 || !self.morph_targets.is_empty() {
            return Err(MeshError::CacheNotRigid);
        }
        let frames = cache.frames();
        let of_vertex = cache.point_of_vertex();
        check_count(
            "points of the vertex cache",
            of_vertex.len(),
            self.vertex_count(),
        )?;
        check_cache_indices("point", of_vertex, frames.point_count())?;
        if cache.has_normals() {
            let of_vertex = cache.normal_of_vertex();
            let vertices = self.vertex_count();
            check_count("normals of the vertex cache", of_vertex.len(), vertices)?;
            check_cache_indices("normal", of_vertex, frames.normal_count())?;
        } else {
            cache.use_faces(&self.triangles, &self.normals);
        }
        self.vertex_cache = Some(cache);
        Ok(())
    }

    /// Removes the vertex cache: the mesh keeps its rest pose.
    pub fn remove_vertex_cache(&mut self) -> Option<VertexCache> {
        self.vertex_cache.take()
    }

    /// Copies the cache of another mesh to selected vertices of it.
    pub(crate) fn select_vertex_cache(&mut self, other: &Self, vertices: &[u32]) {
        self.vertex_cache = other.vertex_cache.as_ref().map(|c| c.select(vertices));
    }

    /// Adds a morph target.
    pub fn add_morph_target(&mut self, target: MorphTarget) -> Result<(), MeshError> {
        if self.vertex_cache.is_some() {
            return Err(MeshError::CacheNotRigid);
        }
        check_count(
            "morph positions",
            target.positions.len(),
            self.vertex_count(),
        )?;
        check_finite("morph position", &target.positions, |p| p.is_finite())?;
        for (what, deltas) in [
            ("morph normals", &target.normals),
            ("morph tangents", &target.tangents),
        ] {
            if !deltas.is_empty() {
                check_count(what, deltas.len(), self.vertex_count())?;
                check_finite(what, deltas, |d| d.is_finite())?;
            }
        }
        self.morph_targets.push(target);
        Ok(())
    }

    /// Sets joints and weights.
    pub fn set_influences(&mut self, influences: Influences) -> Result<(), MeshError> {
        check_count("influences", influences.vertex_count(), self.vertex_count())?;
        if self.vertex_cache.is_some() && influences.max_joint() > 0 {
            return Err(MeshError::CacheNotRigid);
        }
        self.influences = influences;
        Ok(())
    }

    /// Finds the vertices that share a position or a normal. To be called after all attributes are set.
    pub fn share_positions(&mut self) {
        self.unique = UniqueVertices::from_keys(
            self.vertex_count(),
            |vertex, key| self.write_position_key(vertex, key),
            |vertex, key| self.write_normal_key(vertex, key),
        );
    }

    /// Gives each vertex a unique position and normal of its own.
    pub fn split_positions(&mut self) {
        self.unique = UniqueVertices::split(self.vertex_count());
    }

    /// Sets the unique positions and normals. They must match the vertices.
    pub fn set_unique(&mut self, unique: UniqueVertices) -> Result<(), MeshError> {
        self.check(&unique)?;
        self.unique = unique;
        Ok(())
    }

    /// Checks that vertices which share a unique position or normal are equal.
    pub fn check_unique(&self) -> Result<(), MeshError> {
        self.check(&self.unique)
    }

    fn check(&self, unique: &UniqueVertices) -> Result<(), MeshError> {
        let positions = unique.position_of().len();
        check_count("unique positions", positions, self.vertex_count())?;
        let mismatch = unique.first_mismatch(
            |vertex, key| self.write_position_key(vertex, key),
            |vertex, key| self.write_normal_key(vertex, key),
        );
        match mismatch {
            None => Ok(()),
            Some(Mismatch {
                what,
                vertex,
                other,
            }) => Err(MeshError::NotShared {
                what,
                vertex,
                other,
            }),
        }
    }

    /// Writes the numbers that identify the unique position of a vertex.
    fn write_position_key(&self, vertex: usize, key: &mut Vec<u32>) {
        let (joints, weights) = self.influences.run(vertex);
        push_bits(key, self.positions[vertex]);
        for (joint, weight) in joints.iter().zip(weights) {
            key.extend([*joint, weight.to_bits()]);
        }
        for target in &self.morph_targets {
            push_bits(key, target.positions[vertex]);
        }
        let factor = self.blend_factors.get(vertex);
        key.extend(factor.map(|factor| factor.to_bits()));
        if let Some(&center) = self.rotation_centers.get(vertex) {
            push_bits(key, center);
        }
        let cache = self.vertex_cache.as_ref();
        key.extend(cache.map(|cache| cache.point_of_vertex()[vertex]));
    }

    /// Writes the numbers that identify the unique normal of a vertex among those of its position.
    fn write_normal_key(&self, vertex: usize, key: &mut Vec<u32>) {
        push_bits(key, self.normals[vertex]);
        for target in &self.morph_targets {
            let normal = target.normals.get(vertex);
            push_bits(key, normal.copied().unwrap_or(Vec3::ZERO));
        }
        let cache = self.vertex_cache.as_ref();
        key.extend(cache.map(|cache| cache.normal_of_vertex()[vertex]));
    }

    /// Turns the surface inside out: reverses the winding of triangles and the normals. A rigid part under a
    /// mirroring node needs it, because the node reverses both again.
    pub fn reverse(&mut self) {
        for triangle in &mut self.triangles {
            triangle.swap(1, 2);
        }
        for normal in &mut self.normals {
            *normal = -*normal;
        }
        for target in &mut self.morph_targets {
            for normal in &mut target.normals {
                *normal = -*normal;
            }
        }
        for tangent in &mut self.tangents {
            tangent.w = -tangent.w;
        }
        if let Some(cache) = &mut self.vertex_cache {
            cache.reverse();
        }
    }

    /// Multiplies positions, centres of rotation, and positions of morph targets and of a vertex cache, by a positive factor.
    /// Normals are unchanged.
    pub fn scale_positions(&mut self, factor: f32) {
        let targets = self.morph_targets.iter_mut();
        let deltas = targets.flat_map(|target| &mut target.positions);
        let positions = self.positions.iter_mut().chain(&mut self.rotation_centers);
        for position in positions.chain(deltas) {
            *position *= factor;
        }
        if let Some(cache) = &mut self.vertex_cache {
            cache.scale(f64::from(factor));
        }
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.positions.len()
    }

    /// Positions in bind space, one per vertex.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Normals in bind space, one per vertex.
    pub fn normals(&self) -> &[Vec3] {
        &self.normals
    }

    /// Tangents; the fourth component is the sign of the bitangent. One per vertex, or empty.
    pub fn tangents(&self) -> &[Vec4] {
        &self.tangents
    }

    /// Texture coordinates, one per vertex, or empty.
    pub fn uvs(&self) -> &[Vec2] {
        &self.uvs
    }

    /// Vertex colours, linear RGBA. One per vertex, or empty.
    pub fn colors(&self) -> &[[f32; 4]] {
        &self.colors
    }

    /// Corners of each triangle, anticlockwise as seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Joints and weights.
    pub fn influences(&self) -> &Influences {
        &self.influences
    }

    /// Morph targets, in the order of their weights.
    pub fn morph_targets(&self) -> &[MorphTarget] {
        &self.morph_targets
    }

    /// Blend factors between linear (0) and dual-quaternion skinning (1), for [`AuthoredMethod::Blended`] and
    /// [`crate::Skinning::BlendAuto`]: one per vertex, or empty.
    pub fn blend_factors(&self) -> &[f32] {
        &self.blend_factors
    }

    /// Centres about which vertices rotate, in bind space, for [`crate::Method::Cor`]: one per vertex, or empty.
    /// `throng_skin::prepare` computes them.
    pub fn rotation_centers(&self) -> &[Vec3] {
        &self.rotation_centers
    }

    /// Control points that vertices were split from; `None` if vertices are those of the file.
    pub fn control_points(&self) -> Option<&ControlPoints> {
        self.control_points.as_ref()
    }

    /// Vertex cache that moves the vertices.
    pub fn vertex_cache(&self) -> Option<&VertexCache> {
        self.vertex_cache.as_ref()
    }

    /// Number of weights that the morph set of a part with this mesh has: one per morph target, and one, the frame
    /// position, for a vertex cache.
    pub fn weight_count(&self) -> usize {
        self.morph_targets.len() + usize::from(self.vertex_cache.is_some())
    }

    /// Unique positions and normals.
    pub fn unique(&self) -> &UniqueVertices {
        &self.unique
    }
}

/// Appends the bits of a vector; zeros of both signs are equal.
fn push_bits(key: &mut Vec<u32>, v: Vec3) {
    key.extend((v + 0.0).to_array().map(f32::to_bits));
}

fn check_count(what: &'static str, actual: usize, vertices: usize) -> Result<(), MeshError> {
    if actual == vertices {
        return Ok(());
    }
    Err(MeshError::CountMismatch {
        what,
        actual,
        vertices,
    })
}

fn check_cache_indices(what: &'static str, indices: &[u32], len: usize) -> Result<(), MeshError> {
    match indices.iter().find(|&&index| index as usize >= len) {
        Some(&index) => Err(MeshError::CacheOutOfRange { what, index, len }),
        None => Ok(()),
    }
}

fn check_finite<T>(
    what: &'static str,
    values: &[T],
    finite: impl Fn(&T) -> bool,
) -> Result<(), MeshError> {
    match values.iter().position(|value| !finite(value)) {
        Some(vertex) => Err(MeshError::NotFinite { what, vertex }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle() -> Mesh {
        let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
        Mesh::new(corners, vec![[0, 1, 2]], Influences::rigid(3)).unwrap()
    }

    #[test]
    fn rejects_invalid_arrays() {
        let corners = || vec![Vec3::ZERO, Vec3::X, Vec3::Y];
        assert!(matches!(
            Mesh::new(corners(), vec![[0, 1, 3]], Influences::rigid(3)),
            Err(MeshError::VertexOutOfRange { vertex: 3, .. })
        ));
        assert!(matches!(
            Mesh::new(corners(), vec![], Influences::rigid(2)),
            Err(MeshError::CountMismatch { .. })
        ));
        assert!(matches!(
            Mesh::new(vec![Vec3::NAN], vec![], Influences::rigid(1)),
            Err(MeshError::NotFinite { vertex: 0, .. })
        ));
        let mut mesh = triangle();
        assert!(mesh.set_normals(vec![Vec3::Y; 2]).is_err());
        assert!(mesh.set_tangents(vec![Vec4::NAN; 3]).is_err());
        assert!(mesh.set_uvs(vec![Vec2::ZERO; 4]).is_err());
        assert!(mesh.set_colors(vec![[f32::INFINITY; 4]; 3]).is_err());
        let target = |normals| MorphTarget {
            name: String::new(),
            positions: vec![Vec3::ZERO; 3],
            normals,
            tangents: vec![],
        };
        assert!(mesh.add_morph_target(target(vec![Vec3::Y])).is_err());
        assert!(mesh.add_morph_target(target(vec![])).is_ok());
    }

    #[test]
    fn new_mesh_has_computed_normals() {
        assert_eq!(triangle().normals(), [Vec3::Z; 3]);
    }

    #[test]
    fn reverse_flips_winding_and_normals() {
        let mut mesh = triangle();
        mesh.reverse();
        assert_eq!(mesh.triangles(), [[0, 2, 1]]);
        assert_eq!(mesh.normals(), [-Vec3::Z; 3]);
    }
}
