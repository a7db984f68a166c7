//! A surface bound to a skin.

use glam::{Vec2, Vec3, Vec4};
use thiserror::Error;

use crate::{Influences, UniqueVertices, vertex_normals};

/// What a morph adds to each vertex at weight one.
#[derive(Debug, Clone, PartialEq)]
pub struct MorphTarget {
    /// As in the file; may be empty.
    pub name: String,
    /// One a vertex.
    pub positions: Vec<Vec3>,
    /// One a vertex, or none at all.
    pub normals: Vec<Vec3>,
    /// One a vertex, or none at all.
    pub tangents: Vec<Vec3>,
}

/// How a file says that a mesh is to be skinned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AuthoredMethod {
    /// Linear blend skinning; what glTF means.
    #[default]
    Linear,
    /// One joint a vertex.
    Rigid,
    /// Dual quaternions.
    DualQuaternion,
    /// Both, mixed by a factor at each vertex; see [`Mesh::blend_factors`].
    Blended,
}

/// Which points of the file vertices were split from, where that is not one to one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ControlPoints {
    /// For each vertex, its point.
    pub of_vertex: Vec<u32>,
    /// How many points the file's mesh has, over all its primitives.
    pub count: usize,
}

/// Triangles. Positions and normals are in bind space. Vertices are in the order of the file, or, where
/// the file splits them at corners, each tells its [`ControlPoints`].
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
    control_points: Option<ControlPoints>,
    /// Index into [`crate::Character::materials`].
    pub material: Option<usize>,
    /// How the file says that it is to be skinned.
    pub authored_method: AuthoredMethod,
}

/// Why arrays are not a mesh.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MeshError {
    /// An array does not have one entry a vertex.
    #[error("{what}: {actual} for {vertices} vertices")]
    CountMismatch {
        /// Which array.
        what: &'static str,
        /// How many entries it has.
        actual: usize,
        /// How many it needs.
        vertices: usize,
    },
    /// A triangle names a vertex that is not there.
    #[error("triangle {triangle} uses vertex {vertex}, there are {vertices}")]
    VertexOutOfRange {
        /// The triangle.
        triangle: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many there are.
        vertices: usize,
    },
    /// A vertex names a control point that is not there.
    #[error("a vertex comes from control point {point}, there are {points}")]
    PointOutOfRange {
        /// The point.
        point: u32,
        /// How many there are.
        points: usize,
    },
    /// Vertices are said to be the same and are not.
    #[error("vertex {vertex} is said to share the {what} of vertex {other}, and differs from it")]
    NotTheSame {
        /// Position or normal.
        what: &'static str,
        /// The vertex.
        vertex: usize,
        /// The first that has it.
        other: usize,
    },
    /// A number is infinite or NaN.
    #[error("the {what} of vertex {vertex} is not finite")]
    NotFinite {
        /// Which array.
        what: &'static str,
        /// The vertex.
        vertex: usize,
    },
}

impl Mesh {
    /// Checks positions, triangles and influences against each other. Normals are computed; positions
    /// that are the same are found when [`Self::share_positions`] is called.
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
            control_points: None,
            material: None,
            authored_method: AuthoredMethod::Linear,
        })
    }

    /// Replaces the computed normals. They should be of unit length.
    pub fn set_normals(&mut self, normals: Vec<Vec3>) -> Result<(), MeshError> {
        check_count("normals", normals.len(), self.vertex_count())?;
        check_finite("normal", &normals, |n| n.is_finite())?;
        self.normals = normals;
        Ok(())
    }

    /// Sets tangents; the fourth component is the sign of the bitangent.
    pub fn set_tangents(&mut self, tangents: Vec<Vec4>) -> Result<(), MeshError> {
        check_count("tangents", tangents.len(), self.vertex_count())?;
        check_finite("tangent", &tangents, |t| t.is_finite())?;
        self.tangents = tangents;
        Ok(())
    }

    /// Sets texture coordinates; V runs down, as in glTF.
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

    /// Sets how much of each vertex is skinned by dual quaternions, from 0 to 1.
    pub fn set_blend_factors(&mut self, factors: Vec<f32>) -> Result<(), MeshError> {
        check_count("blend factors", factors.len(), self.vertex_count())?;
        check_finite("blend factor", &factors, |f| f.is_finite())?;
        self.blend_factors = factors;
        Ok(())
    }

    /// Sets the points that vertices were split from; each is below `points.count`.
    pub fn set_control_points(&mut self, points: ControlPoints) -> Result<(), MeshError> {
        check_count(
            "control points",
            points.of_vertex.len(),
            self.vertex_count(),
        )?;
        let past = |&point: &u32| point as usize >= points.count;
        match points.of_vertex.iter().find(|point| past(point)) {
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

    /// Adds a morph target.
    pub fn add_morph_target(&mut self, target: MorphTarget) -> Result<(), MeshError> {
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

    /// Replaces joints and weights.
    pub fn set_influences(&mut self, influences: Influences) -> Result<(), MeshError> {
        check_count("influences", influences.vertex_count(), self.vertex_count())?;
        self.influences = influences;
        Ok(())
    }

    /// Finds vertices that are the same point, now that all else is set.
    pub fn share_positions(&mut self) {
        self.unique = UniqueVertices::shared(self);
    }

    /// Gives every vertex a position of its own, to measure what sharing saves.
    pub fn split_positions(&mut self) {
        self.unique = UniqueVertices::split(self.vertex_count());
    }

    /// Sets which vertices are the same point, as it was found before; it must be true.
    pub fn set_unique(&mut self, unique: UniqueVertices) -> Result<(), MeshError> {
        unique.check(self)?;
        self.unique = unique;
        Ok(())
    }

    /// Turns the surface inside out: triangles the other way round, normals reversed. A rigid part
    /// under a mirroring node needs it, or the mirroring would.
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
    }

    /// How many vertices there are.
    pub fn vertex_count(&self) -> usize {
        self.positions.len()
    }

    /// One a vertex.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// One a vertex.
    pub fn normals(&self) -> &[Vec3] {
        &self.normals
    }

    /// One a vertex, or none at all.
    pub fn tangents(&self) -> &[Vec4] {
        &self.tangents
    }

    /// One a vertex, or none at all.
    pub fn uvs(&self) -> &[Vec2] {
        &self.uvs
    }

    /// One a vertex, or none at all.
    pub fn colors(&self) -> &[[f32; 4]] {
        &self.colors
    }

    /// Corners anticlockwise as seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Joints and weights.
    pub fn influences(&self) -> &Influences {
        &self.influences
    }

    /// In the order of their weights.
    pub fn morph_targets(&self) -> &[MorphTarget] {
        &self.morph_targets
    }

    /// How much of each vertex is skinned by dual quaternions, for [`AuthoredMethod::Blended`]; one a
    /// vertex, or none at all.
    pub fn blend_factors(&self) -> &[f32] {
        &self.blend_factors
    }

    /// The points that vertices were split from; `None` where vertices are the file's own.
    pub fn control_points(&self) -> Option<&ControlPoints> {
        self.control_points.as_ref()
    }

    /// Which vertices are the same point.
    pub fn unique(&self) -> &UniqueVertices {
        &self.unique
    }
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
    fn every_bad_array_is_refused() {
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
    fn normals_are_there_from_the_start() {
        assert_eq!(triangle().normals(), [Vec3::Z; 3]);
    }

    #[test]
    fn reversing_turns_winding_and_normals() {
        let mut mesh = triangle();
        mesh.reverse();
        assert_eq!(mesh.triangles(), [[0, 2, 1]]);
        assert_eq!(mesh.normals(), [-Vec3::Z; 3]);
    }
}
