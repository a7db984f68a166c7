//! Overlays and colours of a viewport.

use glam::Vec3;
use serde::{Deserialize, Serialize};
use throng_rig::Character;
use throng_studio::{PosedVertex, Surface, ramp};

use super::Vertices;

/// Overlays that are switched on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Overlays {
    /// Edges of triangles.
    pub wireframe: bool,
    /// Joints and bones.
    pub joints: bool,
    /// Names of joints.
    pub names: bool,
    /// Weights of the selected joint as colours.
    pub weights: bool,
    /// Bounding boxes of the clip and of the current pose.
    pub boxes: bool,
    /// Normals of vertices.
    pub normals: bool,
    /// Quantisation box of the selected joint or vertex, in viewports that show a set.
    pub quantisation: bool,
}

impl Overlays {
    /// Appearance of surfaces.
    pub fn surface(self) -> Surface {
        match self.wireframe {
            true => Surface::LitWireframe,
            false => Surface::Lit,
        }
    }
}

/// Colours of a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Colors<'a> {
    /// Colours of the materials.
    Materials,
    /// Weight of a joint, from 0 to 1.
    Weights {
        /// Index into the skeleton.
        joint: usize,
    },
    /// Distance from other vertices.
    Distances {
        /// Positions of the other viewport.
        others: &'a [Vec3],
        /// Distance of the brightest colour.
        full_m: f32,
    },
}

/// Returns the vertices of a posed mesh.
pub fn posed_vertices(
    character: &Character,
    vertices: &Vertices,
    colors: Colors<'_>,
) -> Vec<PosedVertex> {
    let mut all = Vec::with_capacity(vertices.positions.len());
    for part in character.parts() {
        let mesh = character.mesh_of(part);
        let joints = character.skin_of(part).joints();
        for vertex in 0..mesh.vertex_count() {
            let index = all.len();
            let (Some(position), Some(normal)) =
                (vertices.positions.get(index), vertices.normals.get(index))
            else {
                return all;
            };
            let color = match colors {
                Colors::Materials => mesh.colors().get(vertex).copied().unwrap_or([1.0; 4]),
                Colors::Weights { joint } => {
                    let influences = mesh.influences().of(vertex);
                    let weights = influences.filter(|&(at, _)| joints[at] == joint);
                    ramp(weights.map(|(_, weight)| weight as f32).sum())
                }
                Colors::Distances { others, full_m } => {
                    let distance = others
                        .get(index)
                        .map_or(0.0, |other| other.distance(*position));
                    ramp(distance / full_m.max(f32::MIN_POSITIVE))
                }
            };
            all.push(PosedVertex {
                position: position.to_array(),
                normal: normal.to_array(),
                uv: mesh
                    .uvs()
                    .get(vertex)
                    .map_or([0.0; 2], glam::Vec2::to_array),
                color,
            });
        }
    }
    all
}

/// Returns the largest distance between vertices of equal number, in metres; `None` where their numbers differ.
pub fn largest_distance(a: &[Vec3], b: &[Vec3]) -> Option<f32> {
    let distances = a.iter().zip(b).map(|(a, b)| a.distance_squared(*b));
    (a.len() == b.len()).then(|| distances.fold(0.0, f32::max).sqrt())
}
