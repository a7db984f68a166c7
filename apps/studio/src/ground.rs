//! Ground of formations: streets and stands, as triangles of plain colours.

use glam::Vec3;

use crate::PosedVertex;

/// Triangles of plain colours with vertices in world space.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GroundMesh {
    /// Vertices, in the order of [`Self::triangles`].
    pub vertices: Vec<PosedVertex>,
    /// Vertices of each triangle, counter-clockwise.
    pub triangles: Vec<[u32; 3]>,
}

impl GroundMesh {
    /// Adds a flat piece between two x and two z at a height.
    pub(crate) fn floor(&mut self, x: [f32; 2], z: [f32; 2], y: f32, color: Vec3) {
        let corner = |x: f32, z: f32| Vec3::new(x, y, z);
        let corners = [
            corner(x[0], z[0]),
            corner(x[1], z[0]),
            corner(x[1], z[1]),
            corner(x[0], z[1]),
        ];
        self.quad(corners, Vec3::Y, [color; 4]);
    }

    /// Adds an upright piece at an x, between two z and two heights; it faces along `side` on the X axis.
    pub(crate) fn wall(&mut self, x: f32, z: [f32; 2], y: [f32; 2], side: f32, color: Vec3) {
        let corner = |y: f32, z: f32| Vec3::new(x, y, z);
        let corners = [
            corner(y[0], z[0]),
            corner(y[0], z[1]),
            corner(y[1], z[1]),
            corner(y[1], z[0]),
        ];
        self.quad(corners, Vec3::X * side, [color; 4]);
    }

    /// Adds a quadrilateral with one normal and a colour per corner, in either winding.
    pub(crate) fn quad(&mut self, corners: [Vec3; 4], normal: Vec3, colors: [Vec3; 4]) {
        let first = self.vertices.len() as u32;
        let vertices = corners.into_iter().zip(colors);
        self.vertices
            .extend(vertices.map(|(position, color)| PosedVertex {
                position: position.to_array(),
                normal: normal.to_array(),
                uv: [0.0; 2],
                color: color.extend(1.0).to_array(),
            }));
        let [a, b, c, d] = corners;
        let wound = (c - a).cross(d - b);
        let [b, d] = match wound.dot(normal) < 0.0 {
            true => [3, 1],
            false => [1, 3],
        };
        self.triangles
            .extend([[first, first + b, first + 2], [first, first + 2, first + d]]);
    }

    /// Returns the mesh with positions multiplied by a factor, then raised.
    pub(crate) fn placed(mut self, factor: f32, up: f32) -> Self {
        for vertex in &mut self.vertices {
            vertex.position = (Vec3::from(vertex.position) * factor + Vec3::Y * up).to_array();
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Arrangement;

    #[test]
    fn triangles_face_along_their_normals() {
        for arrangement in Arrangement::ALL {
            let Some(ground) = arrangement.ground(900, 1.1, 0.0) else {
                assert!(Arrangement::FLAT.contains(&arrangement));
                continue;
            };
            assert!(ground.triangles.len() > 100);
            for triangle in &ground.triangles {
                let vertex = |index: usize| ground.vertices[triangle[index] as usize];
                let [a, b, c] = [0, 1, 2].map(|index| Vec3::from(vertex(index).position));
                let facing = (b - a).cross(c - a).dot(Vec3::from(vertex(0).normal));
                assert!(facing >= 0.0, "{arrangement:?}: {a} {b} {c}");
            }
        }
    }
}
