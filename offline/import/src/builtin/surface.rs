//! Builder of vertices and triangles.

use glam::{Vec2, Vec3};
use throng_rig::{Influences, Mesh};

/// A vertex of the surface.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vertex {
    /// Position, in metres.
    pub position: Vec3,
    /// Unit normal.
    pub normal: Vec3,
    /// Texture coordinates; V points down.
    pub uv: Vec2,
    /// Colour, linear RGBA.
    pub color: [f32; 4],
}

/// Triangles, anticlockwise seen from outside.
#[derive(Debug, Clone, Default)]
pub(super) struct Surface {
    vertices: Vec<Vertex>,
    triangles: Vec<[u32; 3]>,
}

impl Surface {
    /// Adds a grid of quads with its own vertices, given by column and row. Seen from outside, columns
    /// increase to the right and rows upwards.
    pub fn add_grid(
        &mut self,
        columns: usize,
        rows: usize,
        vertex: impl Fn(usize, usize) -> Vertex,
    ) {
        let first = self.vertices.len();
        for row in 0..=rows {
            self.vertices.extend((0..=columns).map(|c| vertex(c, row)));
        }
        let index = |column: usize, row: usize| (first + row * (columns + 1) + column) as u32;
        for row in 0..rows {
            for column in 0..columns {
                let [low_left, low_right] = [index(column, row), index(column + 1, row)];
                let [up_left, up_right] = [index(column, row + 1), index(column + 1, row + 1)];
                self.triangles.push([low_left, low_right, up_right]);
                self.triangles.push([low_left, up_right, up_left]);
            }
        }
    }

    /// Adds a flat convex face with its own vertices, anticlockwise seen from outside. It is triangulated as
    /// a zigzag strip, without a vertex in the middle.
    pub fn add_face(&mut self, rim: impl IntoIterator<Item = Vertex>) {
        let mut low = self.vertices.len() as u32;
        self.vertices.extend(rim);
        let mut high = self.vertices.len() as u32 - 1;
        while low + 1 < high {
            self.triangles.push([low, low + 1, high]);
            low += 1;
            if low + 1 < high {
                self.triangles.push([low, high - 1, high]);
                high -= 1;
            }
        }
    }

    /// Builds the mesh. `weights` returns joints and weights at a position.
    pub fn into_mesh<V>(self, weights: impl Fn(Vec3) -> V) -> Mesh
    where
        V: IntoIterator<Item = (u32, f64)>,
    {
        let positions = self.vertices.iter().map(|v| v.position);
        let influences =
            Influences::new(positions.map(weights)).expect("every vertex has a weight");
        let positions = self.vertices.iter().map(|v| v.position).collect();
        let normals = self.vertices.iter().map(|v| v.normal).collect();
        let uvs = self.vertices.iter().map(|v| v.uv).collect();
        let colors = self.vertices.iter().map(|v| v.color).collect();
        let mut mesh = Mesh::new(positions, self.triangles, influences)
            .expect("triangles refer to added vertices");
        mesh.set_normals(normals).expect("one normal per vertex");
        mesh.set_uvs(uvs)
            .expect("one texture coordinate per vertex");
        mesh.set_colors(colors).expect("one colour per vertex");
        mesh
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f32, y: f32) -> Vertex {
        Vertex {
            position: Vec3::new(x, y, 0.0),
            normal: Vec3::Z,
            uv: Vec2::ZERO,
            color: [1.0; 4],
        }
    }

    /// Returns the area of all triangles, and asserts that each faces +Z.
    fn area(surface: Surface) -> f32 {
        let mesh = surface.into_mesh(|_| [(0, 1.0)]);
        let areas = mesh.triangles().iter().map(|triangle| {
            let [a, b, c] = triangle.map(|i| mesh.positions()[i as usize]);
            (b - a).cross(c - a).z / 2.0
        });
        areas.inspect(|&area| assert!(area > 0.0, "{area}")).sum()
    }

    #[test]
    fn grid_covers_its_rectangle_once() {
        let mut grid = Surface::default();
        grid.add_grid(3, 2, |column, row| at(column as f32, row as f32));
        assert_eq!((grid.vertices.len(), grid.triangles.len()), (12, 12));
        assert_eq!(area(grid), 6.0);
    }

    #[test]
    fn face_covers_its_polygon_once() {
        let rims = [
            vec![at(0., 0.), at(2., 0.), at(0., 2.)],
            vec![at(0., 0.), at(1., 0.), at(1., 2.), at(0., 2.)],
            vec![at(0., 0.), at(1., -1.), at(2., 0.), at(2., 1.), at(0., 1.)],
        ];
        for (rim, expected) in rims.into_iter().zip([2.0, 2.0, 3.0]) {
            let corners = rim.len();
            let mut face = Surface::default();
            face.add_face(rim);
            assert_eq!(face.triangles.len(), corners - 2);
            assert_eq!(area(face), expected);
        }
    }
}
