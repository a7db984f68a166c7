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

/// Vertices of the faces of a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FaceVertices {
    /// Neighbouring faces of a smooth or flat region share vertices.
    Shared,
    /// Each face has vertices of its own, as for flat shading.
    Own,
}

/// Triangles, anticlockwise seen from outside.
#[derive(Debug, Clone)]
pub(super) struct Surface {
    vertices: Vec<Vertex>,
    triangles: Vec<[u32; 3]>,
    faces: FaceVertices,
}

impl Surface {
    /// Creates an empty surface.
    pub fn new(faces: FaceVertices) -> Self {
        Self {
            vertices: Vec::new(),
            triangles: Vec::new(),
            faces,
        }
    }

    /// Adds a grid of quads with its own vertices, given by column and row. Seen from outside, columns
    /// increase to the right and rows upwards.
    pub fn add_grid(
        &mut self,
        columns: usize,
        rows: usize,
        vertex: impl Fn(usize, usize) -> Vertex,
    ) {
        let quads = (0..rows).flat_map(|row| (0..columns).map(move |column| [column, row]));
        let corners = |[column, row]: [usize; 2]| {
            let offsets = [[0, 0], [1, 0], [1, 1], [0, 1]];
            offsets.map(|[right, up]| [column + right, row + up])
        };
        match self.faces {
            FaceVertices::Shared => {
                let first = self.vertices.len();
                for row in 0..=rows {
                    self.vertices.extend((0..=columns).map(|c| vertex(c, row)));
                }
                let index =
                    |[column, row]: [usize; 2]| (first + row * (columns + 1) + column) as u32;
                quads.for_each(|quad| self.add_quad(corners(quad).map(index)));
            }
            FaceVertices::Own => quads.for_each(|quad| {
                let first = self.vertices.len() as u32;
                self.vertices
                    .extend(corners(quad).map(|[c, row]| vertex(c, row)));
                self.add_quad([0, 1, 2, 3].map(|corner| first + corner));
            }),
        }
    }

    /// Adds a quad of existing vertices, split along the diagonal from its first corner.
    fn add_quad(&mut self, [a, b, c, d]: [u32; 4]) {
        self.triangles.extend([[a, b, c], [a, c, d]]);
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
        for (faces, vertices) in [(FaceVertices::Shared, 12), (FaceVertices::Own, 24)] {
            let mut grid = Surface::new(faces);
            grid.add_grid(3, 2, |column, row| at(column as f32, row as f32));
            assert_eq!((grid.vertices.len(), grid.triangles.len()), (vertices, 12));
            assert_eq!(area(grid), 6.0);
        }
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
            let mut face = Surface::new(FaceVertices::Shared);
            face.add_face(rim);
            assert_eq!(face.triangles.len(), corners - 2);
            assert_eq!(area(face), expected);
        }
    }
}
