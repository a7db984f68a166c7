//! The humanoid: a person of 1.8 m, generated with any number of vertices.
//!
//! The body is a signed distance field ([`anatomy`], [`head`]) over the bones ([`bones`]). Its surface is
//! extracted on a fine grid ([`nets`], [`sheets`]), coloured with borders along edges ([`half`],
//! [`paint`]), simplified to the given number of vertices ([`simplify`]), and then mirrored, unwrapped and
//! bound ([`assemble`], [`weights`]). Only one half is generated, so left and right are equal to the bit.

mod anatomy;
mod assemble;
mod bones;
mod field;
mod half;
mod head;
mod motion;
mod nets;
mod paint;
mod sheets;
mod simplify;
#[cfg(test)]
mod tests;
mod weights;

use glam::DVec3;
use throng_rig::{Character, Mesh};

use super::one_part;
use super::surface::FaceVertices;
use assemble::Corners;
use bones::{Bones, FOREARM, SHIN, Side, UPPER_ARM, finger};
use head::EYE;
use nets::{Lens, surface_nets};
use sheets::split_sheets;
use simplify::Simplifier;

/// Default number of vertices, typical of a character in a crowd.
pub(super) const DEFAULT_VERTICES: usize = 6_000;
/// Minimum number of vertices; with fewer, fingers and feet lose their shape.
pub(super) const MIN_VERTICES: usize = 500;
/// Number of vertices from which eyes, eyebrows and mouth survive simplification unaided.
const DETAILED_VERTICES: usize = 1_000;
/// Maximum number of vertices.
pub(super) const MAX_VERTICES: usize = 320_000;

/// Ground speed of the clip `walk`, in metres per second.
pub const WALK_SPEED: f64 = motion::WALK.speed;
/// Ground speed of the clip `run`, in metres per second.
pub const RUN_SPEED: f64 = motion::RUN.speed;

/// Generates the humanoid with about `vertices` vertices, and its clips.
pub(super) fn humanoid(vertices: usize, faces: FaceVertices) -> Character {
    let bones = Bones::new();
    let skeleton = bones.skeleton();
    let skin = bones.skin("humanoid", &skeleton);
    let mesh = surface(&bones, vertices);
    let mesh = match faces {
        FaceVertices::Shared => mesh,
        FaceVertices::Own => mesh.split_corners(),
    };
    let clips = motion::clips(&bones);
    one_part("humanoid", [1.0; 4], skeleton, skin, mesh, clips)
}

/// Maximum number of vertices and grid step in metres, coarsest first.
const GRID_STEPS: [(usize, f64); 4] = [
    (14_000, 0.0074),
    (50_000, 0.0048),
    (130_000, 0.0033),
    (MAX_VERTICES, 0.0022),
];
/// Maximum number of corrections of the vertex count.
const COUNT_ROUNDS: usize = 4;
/// Relative excess of the vertex count that is accepted.
const COUNT_TOLERANCE: f64 = 0.008;

fn surface(bones: &Bones, vertices: usize) -> Mesh {
    let field = anatomy::body(bones);
    let &(_, step) = GRID_STEPS
        .iter()
        .find(|(max_vertices, _)| vertices <= *max_vertices)
        .expect("at most MAX_VERTICES vertices");
    let mut half = surface_nets(&field, step, &lenses(bones));
    split_sheets(&mut half, &field);
    half.paint(&field);
    let keeps_islands = vertices < DETAILED_VERTICES;
    let mut simplifier = Simplifier::new(half, keeps_islands, |point| fineness(bones, point));
    // The other half and the vertices split at seams come on top.
    simplifier.run(vertices * 11 / 20);
    for _ in 0..COUNT_ROUNDS {
        let half = simplifier.half();
        let corners = Corners::new(&half);
        let ratio = corners.count() as f64 / vertices as f64;
        if ratio <= 1.0 + COUNT_TOLERANCE {
            return corners.into_mesh(&half, &field, bones);
        }
        simplifier.run((simplifier.vertex_count() as f64 / ratio) as usize);
    }
    let half = simplifier.half();
    Corners::new(&half).into_mesh(&half, &field, bones)
}

/// Returns the regions with a denser grid: the face and the left hand.
fn lenses(bones: &Bones) -> [Lens; 2] {
    let fingers = bones.positions[Side::Left.joint(finger(2, 1))];
    [
        Lens {
            center: DVec3::new(0.0, 1.670, 0.07),
            radius: 0.17,
            power: 3.2,
        },
        Lens {
            center: fingers,
            radius: 0.16,
            power: 2.4,
        },
    ]
}

/// Returns the relative cost of simplification at a point: higher where limbs bend, on the face and on the
/// hands.
fn fineness(bones: &Bones, point: DVec3) -> f64 {
    let near = |center: DVec3, reach: f64| {
        let t = (1.0 - center.distance(point) / reach).max(0.0);
        t * t
    };
    let joint = |joint: usize| bones.positions[Side::Left.joint(joint)];
    let bends = near(joint(FOREARM), 0.09) + near(joint(SHIN), 0.10) + near(joint(UPPER_ARM), 0.08);
    let face_and_hand = near(DVec3::new(0.02, 1.66, 0.09), 0.10) + near(joint(finger(2, 1)), 0.14);
    let eyes_and_mouth = near(EYE, 0.04) + near(DVec3::new(0.0, 1.6125, 0.09), 0.035);
    let head = near(DVec3::new(0.0, 1.72, 0.0), 0.15);
    1.0 + 6.0 * bends + 12.0 * face_and_hand + 60.0 * eyes_and_mouth + 2.0 * head
}
