//! Conversion of the half body to the final mesh: mirrored, unwrapped, coloured and bound.

use std::collections::HashMap;

use glam::{DVec3, Vec2, Vec3};
use throng_rig::{Influences, Mesh};

use super::bones::{Bones, JOINTS};
use super::field::{Field, FieldCache};
use super::half::HalfMesh;
use super::paint::Paint;
use super::weights::Gates;

/// Projection of a triangle to texture space: the body from the front and the back, shoes from above and
/// below.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum View {
    Front,
    Back,
    Above,
    Below,
}

/// Side of the texture, in metres.
const TEXTURE_METRES: f64 = 3.1;
/// U of the middle of the front view, in metres.
const FRONT_MIDDLE: f64 = 0.78;
/// Offset in U from the front view to the back view, in metres.
const BACK_OFFSET: f64 = 1.54;
/// V of the ground in the front and back views, in metres.
const GROUND_DOWN: f64 = 2.2;
/// V of the middle of the views of the shoes, in metres.
const SHOES_DOWN: f64 = 2.6;

impl View {
    fn of(paint: Paint, normal: DVec3) -> Self {
        match paint {
            Paint::Sole if normal.y < -0.7 => Self::Below,
            Paint::Shoe | Paint::Sole => Self::Above,
            _ if normal.z >= 0.0 => Self::Front,
            _ => Self::Back,
        }
    }

    /// Returns the texture coordinates of a point. V points down.
    fn uv(self, p: DVec3) -> Vec2 {
        let (right, down) = match self {
            Self::Front => (FRONT_MIDDLE + p.x, GROUND_DOWN - p.y),
            Self::Back => (FRONT_MIDDLE + BACK_OFFSET - p.x, GROUND_DOWN - p.y),
            // Widened at low heights, so that the sides of a shoe cover some area.
            Self::Above => {
                let out = (p.x.abs() - 0.093) * (1.6 - 8.0 * p.y);
                let middle = 0.2 * p.x.signum();
                (FRONT_MIDDLE + middle + out, SHOES_DOWN + p.z)
            }
            Self::Below => (FRONT_MIDDLE + BACK_OFFSET - p.x, SHOES_DOWN + p.z),
        };
        (DVec3::new(right, down, 0.0) / TEXTURE_METRES)
            .truncate()
            .as_vec2()
    }
}

/// Vertex of the final mesh, shared by triangles of one colour and view. On the mirror plane both sides
/// share it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Corner {
    vertex: u32,
    mirrored: bool,
    paint: Paint,
    view: View,
}

/// Triangles of the whole body, and the vertices that they refer to.
pub(super) struct Corners {
    corners: Vec<Corner>,
    triangles: Vec<[u32; 3]>,
}

impl Corners {
    /// Mirrors the half body, and splits vertices where colours or views meet.
    pub fn new(half: &HalfMesh) -> Self {
        let mut index_of: HashMap<Corner, u32> = HashMap::new();
        let mut corners: Vec<Corner> = Vec::new();
        let mut triangles = Vec::with_capacity(2 * half.triangles.len());
        for mirrored in [false, true] {
            for (triangle, &paint) in half.triangles.iter().zip(&half.paints) {
                let [a, b, c] = triangle.map(|v| half.positions[v as usize]);
                let view = View::of(paint, (b - a).cross(c - a).normalize_or_zero());
                let mut wound = triangle.map(|vertex| {
                    let corner = Corner {
                        vertex,
                        mirrored: mirrored && !half.on_plane(vertex),
                        paint,
                        view,
                    };
                    *index_of.entry(corner).or_insert_with(|| {
                        corners.push(corner);
                        corners.len() as u32 - 1
                    })
                });
                if mirrored {
                    wound.swap(1, 2);
                }
                triangles.push(wound);
            }
        }
        Self { corners, triangles }
    }

    /// Returns the number of vertices of the final mesh.
    pub fn count(&self) -> usize {
        self.corners.len()
    }

    /// Builds the mesh, bound to the bones. `half` is the mesh that the corners were created from.
    pub fn into_mesh(self, half: &HalfMesh, field: &Field, bones: &Bones) -> Mesh {
        let Self { corners, triangles } = self;
        let normals = normals(half, field);
        let gates = Gates::new(bones);
        let mut palette_index_of = [0; JOINTS];
        for (palette_index, joint) in bones.skin_joints().into_iter().enumerate() {
            palette_index_of[joint] = palette_index as u32;
        }
        let at = |corner: &Corner| mirror(half.positions[corner.vertex as usize], corner.mirrored);
        let positions: Vec<Vec3> = corners.iter().map(|c| at(c).as_vec3()).collect();
        let influences = Influences::new(corners.iter().map(|corner| {
            let weights = gates.weights(at(corner)).into_iter();
            weights.map(|(joint, weight)| (palette_index_of[joint], weight))
        }));
        let influences = influences.expect("every vertex has a weight");
        let mut mesh =
            Mesh::new(positions, triangles, influences).expect("triangles refer to added corners");
        let normal = |c: &Corner| mirror(normals[c.vertex as usize], c.mirrored).as_vec3();
        mesh.set_normals(corners.iter().map(normal).collect())
            .expect("one normal per vertex");
        let uvs = corners.iter().map(|corner| corner.view.uv(at(corner)));
        mesh.set_uvs(uvs.collect())
            .expect("one texture coordinate per vertex");
        let colors = corners.iter().map(|corner| corner.paint.color());
        mesh.set_colors(colors.collect())
            .expect("one colour per vertex");
        mesh
    }
}

fn mirror(vector: DVec3, mirrored: bool) -> DVec3 {
    match mirrored {
        true => DVec3::new(-vector.x, vector.y, vector.z),
        false => vector,
    }
}

/// Minimum and maximum width of the gradient for a normal, in metres.
const NORMAL_WIDTH: [f64; 2] = [0.002, 0.016];

/// Returns one normal per vertex: the average of the gradient of the field, over about the size of the
/// triangles, and the normal of the triangles.
fn normals(half: &HalfMesh, field: &Field) -> Vec<DVec3> {
    let mut widths = vec![(0.0, 0.0); half.positions.len()];
    let mut wound = vec![DVec3::ZERO; half.positions.len()];
    for triangle in &half.triangles {
        let [a, b, c] = triangle.map(|v| half.positions[v as usize]);
        for &vertex in triangle {
            wound[vertex as usize] += (b - a).cross(c - a);
        }
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            let [a, b] = [from, to].map(|corner| triangle[corner] as usize);
            let length = half.positions[a].distance(half.positions[b]);
            for end in [a, b] {
                widths[end].0 += length;
                widths[end].1 += 1.0;
            }
        }
    }
    let mut cache = FieldCache::new(field);
    let normal = |vertex: usize| {
        let (position, (sum, count)) = (half.positions[vertex], widths[vertex]);
        let [min_width, max_width] = NORMAL_WIDTH;
        let width = (0.6 * sum / count).clamp(min_width, max_width);
        let mut normal = cache
            .near(position)
            .gradient(position, width)
            .normalize_or_zero()
            + wound[vertex].normalize_or_zero();
        if position.x == 0.0 {
            normal.x = 0.0;
        }
        normal.normalize_or(DVec3::Y)
    };
    let mut normals: Vec<DVec3> = (0..half.positions.len()).map(normal).collect();
    // Where a normal faces away from a triangle, only the triangles are used.
    for triangle in &half.triangles {
        let [a, b, c] = triangle.map(|v| half.positions[v as usize]);
        for vertex in triangle.map(|v| v as usize) {
            if normals[vertex].dot((b - a).cross(c - a)) <= 0.0 {
                let side = if half.positions[vertex].x == 0.0 {
                    0.0
                } else {
                    1.0
                };
                let outwards = wound[vertex] * DVec3::new(side, 1.0, 1.0);
                normals[vertex] = outwards.normalize_or(DVec3::Y);
            }
        }
    }
    normals
}
