//! From half a body to a mesh: mirrored, unwrapped, coloured and bound.

use std::collections::HashMap;

use glam::{DVec3, Vec2, Vec3};
use throng_rig::{Influences, Mesh};

use super::bones::{Bones, JOINTS};
use super::field::{Field, Places};
use super::half::Half;
use super::paint::Paint;
use super::weights::Gates;

/// How the unwrap looks at a triangle: the body from the front and from the back, shoes from above and
/// below.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum View {
    Front,
    Back,
    Above,
    Below,
}

/// Metres along a side of the texture.
const TEXTURE_METRES: f64 = 3.1;
/// The middle of the front, and how far to the right of it the back is, in metres on the texture.
const FRONT_MIDDLE: f64 = 0.78;
const BACK_OFFSET: f64 = 1.54;
/// Where feet are drawn in the views of the body, in metres down.
const GROUND_DOWN: f64 = 2.2;
/// The middle of the shoes' views, in metres down and right.
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

    /// V runs down.
    fn uv(self, p: DVec3) -> Vec2 {
        let (right, down) = match self {
            Self::Front => (FRONT_MIDDLE + p.x, GROUND_DOWN - p.y),
            Self::Back => (FRONT_MIDDLE + BACK_OFFSET - p.x, GROUND_DOWN - p.y),
            // Drawn out by height, so that the sides of a shoe have some room.
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

/// A corner that triangles of one colour and view share. On the mirror plane both sides share it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Corner {
    vertex: u32,
    mirrored: bool,
    paint: Paint,
    view: View,
}

/// The whole body's triangles, and the corners that they name.
pub(super) struct Corners {
    corners: Vec<Corner>,
    triangles: Vec<[u32; 3]>,
}

impl Corners {
    /// Mirrors a half, and splits its vertices where colours and views meet.
    pub fn new(half: &Half) -> Self {
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

    /// How many vertices the mesh will have.
    pub fn count(&self) -> usize {
        self.corners.len()
    }

    /// The mesh, bound to the bones. `half` is what the corners are of.
    pub fn into_mesh(self, half: &Half, field: &Field, bones: &Bones) -> Mesh {
        let Self { corners, triangles } = self;
        let normals = normals(half, field);
        let gates = Gates::new(bones);
        let mut entry_of = [0; JOINTS];
        for (entry, joint) in bones.bound().into_iter().enumerate() {
            entry_of[joint] = entry as u32;
        }
        let at = |corner: &Corner| mirror(half.positions[corner.vertex as usize], corner.mirrored);
        let positions: Vec<Vec3> = corners.iter().map(|c| at(c).as_vec3()).collect();
        let influences = Influences::new(corners.iter().map(|corner| {
            let held = gates.weights(at(corner)).into_iter();
            held.map(|(joint, weight)| (entry_of[joint], weight))
        }));
        let influences = influences.expect("the hips hold what no other joint does");
        let mut mesh =
            Mesh::new(positions, triangles, influences).expect("corners that were added");
        let normal = |c: &Corner| mirror(normals[c.vertex as usize], c.mirrored).as_vec3();
        mesh.set_normals(corners.iter().map(normal).collect())
            .expect("a normal a vertex");
        let uvs = corners.iter().map(|corner| corner.view.uv(at(corner)));
        mesh.set_uvs(uvs.collect())
            .expect("a texture coordinate a vertex");
        let colors = corners.iter().map(|corner| corner.paint.color());
        mesh.set_colors(colors.collect())
            .expect("a colour a vertex");
        mesh
    }
}

fn mirror(vector: DVec3, mirrored: bool) -> DVec3 {
    match mirrored {
        true => DVec3::new(-vector.x, vector.y, vector.z),
        false => vector,
    }
}

/// The finest and coarsest width over which the field is looked at for a normal, in metres.
const NORMAL_WIDTH: [f64; 2] = [0.002, 0.016];

/// Halfway between the field's own, seen over about the width of the triangles there, and theirs.
fn normals(half: &Half, field: &Field) -> Vec<DVec3> {
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
    let mut places = Places::new(field);
    let normal = |vertex: usize| {
        let (position, (sum, count)) = (half.positions[vertex], widths[vertex]);
        let [least, most] = NORMAL_WIDTH;
        let width = (0.6 * sum / count).clamp(least, most);
        let mut normal = places
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
    // Where the field looks away from a triangle, the triangles alone are asked.
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
