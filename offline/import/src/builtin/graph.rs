//! The graph: a fish that swims on hundreds or thousands of deformation nodes.
//!
//! A deformation graph has no bones. Each node has a centre on the surface and a motion about it, and
//! each vertex follows the few nodes nearest to it. Here a node is a joint without a parent, bound
//! where its centre is.

use std::f64::consts::{PI, TAU};
use std::ops::Range;
use std::sync::Arc;

use glam::{DAffine3, DQuat, DVec3, Quat, Vec2, Vec3};
use throng_rig::{
    Character, Clip, Interpolation, Joint, JointKind, JointTracks, Skeleton, Skin, Track, Transform,
};

use super::column::{DURATION_SECS, KEY_RATE_HZ};
use super::one_part;
use super::surface::{Surface, Vertex};

/// As the paper's smallest graph has it.
pub(super) const DEFAULT_NODES: usize = 222;
/// Fewer cannot follow the wave.
pub(super) const MIN_NODES: usize = 40;
pub(super) const MAX_NODES: usize = 5_000;

/// From nose to tail, in metres.
const LENGTH: f64 = 2.0;
/// Half the height of the body where it is thickest, in metres.
const HALF_HEIGHT: f64 = 0.34;
/// How wide the body is for its height.
const FLATNESS: f64 = 0.55;
/// How far the tail swings to each side, in metres.
const SWING: f64 = 0.22;
/// How much of a wave the body is long.
const WAVES: f64 = 0.9;

/// Vertices for each node, as in the paper.
const VERTICES_PER_NODE: usize = 45;
/// No fewer than the paper's smallest mesh.
const MIN_VERTICES: usize = 10_000;
/// No more, however many nodes: what a vertex needs is nodes near it.
const MAX_VERTICES: usize = 80_000;

/// How many nodes a vertex follows.
const NODES_PER_VERTEX: usize = 4;

/// Steps in which the area of the body is added up.
const AREA_STEPS: usize = 2_000;

/// The fish with its clip `swim`.
pub(super) fn graph(nodes: usize) -> Character {
    let nodes = Nodes::spread(nodes);
    let joints = nodes
        .centres
        .iter()
        .enumerate()
        .map(|(index, &centre)| Joint {
            name: format!("node{index}"),
            parent: None,
            parent_from_joint: Transform::from_translation(centre),
            kind: JointKind::Bone,
        });
    let skeleton = Skeleton::new(joints.collect()).expect("joints without parents");
    let joint_from_bind = nodes
        .centres
        .iter()
        .map(|&c| DAffine3::from_translation(-c));
    let skin = Skin::new(
        "graph".to_owned(),
        &skeleton,
        (0..nodes.centres.len()).collect(),
        joint_from_bind.collect(),
    )
    .expect("one matrix a node");
    let mesh =
        surface(nodes.centres.len()).into_mesh(|position| nodes.weights(position.as_dvec3()));
    let clips = vec![swim(&nodes)];
    one_part("graph", [1.0; 4], skeleton, skin, mesh, clips)
}

/// Half the height of the body at a place along it, 0 at the nose and 1 at the end of the tail fin.
fn half_height(along: f64) -> f64 {
    let body = (PI * along.powf(0.62)).sin().max(0.0).powf(0.75);
    let fin = 0.62 * smooth((along - 0.80) / 0.20);
    HALF_HEIGHT * (body * (1.0 - 0.82 * smooth((along - 0.35) / 0.5)) + fin + 0.02)
}

/// Half the width at the same place: the tail fin is thin.
fn half_width(along: f64) -> f64 {
    let thin = 1.0 - 0.9 * smooth((along - 0.72) / 0.2);
    (half_height(along) * FLATNESS * thin).max(0.008)
}

fn smooth(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// A point of the surface: the nose looks along +Z, at a height where the belly clears the ground.
fn point(along: f64, angle: f64) -> DVec3 {
    DVec3::new(
        half_width(along) * angle.sin(),
        1.2 * HALF_HEIGHT + half_height(along) * angle.cos(),
        LENGTH * (0.5 - along),
    )
}

/// Outward, by the two directions along the surface.
fn normal(along: f64, angle: f64) -> DVec3 {
    const STEP: f64 = 1e-4;
    let (low, high) = ((along - STEP).max(0.0), (along + STEP).min(1.0));
    let lengthwise = point(high, angle) - point(low, angle);
    let around = point(along, angle + STEP) - point(along, angle - STEP);
    around.cross(lengthwise).normalize_or(DVec3::Y)
}

fn surface(nodes: usize) -> Surface {
    let vertices = (VERTICES_PER_NODE * nodes).clamp(MIN_VERTICES, MAX_VERTICES);
    // About three times as many rings as there are vertices around.
    let around = ((vertices as f64 / 3.0).sqrt() as usize).next_multiple_of(4);
    let rings = vertices / (around + 1);
    let place = |column: usize, row: usize| {
        let along = row as f64 / rings as f64;
        (along, TAU * (column % around) as f64 / around as f64)
    };
    let vertex = |column: usize, row: usize, outward: Option<Vec3>| {
        let (along, angle) = place(column, row);
        Vertex {
            position: point(along, angle).as_vec3(),
            normal: outward.unwrap_or_else(|| normal(along, angle).as_vec3()),
            uv: Vec2::new(column as f32 / around as f32, along as f32),
            color: color(along, angle),
        }
    };
    let mut surface = Surface::default();
    surface.add_grid(around, rings, |column, row| vertex(column, row, None));
    surface.add_face((0..around).map(|c| vertex(c, rings, Some(Vec3::NEG_Z))));
    surface.add_face((0..around).rev().map(|c| vertex(c, 0, Some(Vec3::Z))));
    surface
}

/// A dark back, a pale belly, stripes, and an eye on each side; linear RGBA.
fn color(along: f64, angle: f64) -> [f32; 4] {
    let back = 0.5 + 0.5 * angle.cos();
    let stripe = 0.5 + 0.5 * (TAU * 7.0 * along + 1.5 * angle.cos()).sin();
    let eye = ((along - 0.13) / 0.022).hypot((angle.sin().abs().asin() - 1.15) / 0.16);
    if eye < 1.0 && angle.cos() > 0.0 {
        return [0.01, 0.01, 0.02, 1.0];
    }
    let mix = (smooth(back * 1.6 - 0.4) * (0.55 + 0.45 * smooth(stripe * 2.0 - 0.5))) as f32;
    let (belly, top) = ([0.85, 0.72, 0.52], [0.86, 0.20, 0.03]);
    let blend = |i: usize| belly[i] + (top[i] - belly[i]) * mix;
    [blend(0), blend(1), blend(2), 1.0]
}

/// Where the nodes are, from the nose to the tail.
struct Nodes {
    centres: Vec<DVec3>,
    along: Vec<f64>,
    /// About how far nodes are apart.
    spacing: f64,
}

impl Nodes {
    /// Spreads nodes evenly over the surface: along a spiral that turns by the golden angle and goes on
    /// by equal areas.
    fn spread(count: usize) -> Self {
        let golden_angle = PI * (3.0 - 5.0_f64.sqrt());
        let mut area_before = vec![0.0];
        for step in 0..AREA_STEPS {
            let along = (step as f64 + 0.5) / AREA_STEPS as f64;
            let girth = PI * (half_height(along) + half_width(along));
            area_before.push(area_before[step] + girth * LENGTH / AREA_STEPS as f64);
        }
        let area = area_before[AREA_STEPS];
        let along: Vec<f64> = (0..count)
            .map(|node| {
                let wanted = area * (node as f64 + 0.5) / count as f64;
                let step = area_before.partition_point(|&a| a < wanted);
                step as f64 / AREA_STEPS as f64
            })
            .collect();
        let turned = along.iter().enumerate();
        Self {
            centres: turned
                .map(|(node, &along)| point(along, golden_angle * node as f64))
                .collect(),
            spacing: (area / count as f64).sqrt(),
            along,
        }
    }

    /// The nearest nodes and their weights, which fall to nothing at the next nearest.
    fn weights(&self, position: DVec3) -> Vec<(u32, f64)> {
        let along = 0.5 - position.z / LENGTH;
        let mut reach = 2.0 * self.spacing / LENGTH;
        let mut near = self.range(along, reach);
        while near.len() <= 2 * NODES_PER_VERTEX {
            reach *= 2.0;
            near = self.range(along, reach);
        }
        let mut distances: Vec<(f64, u32)> = near
            .map(|node| (self.centres[node].distance(position), node as u32))
            .collect();
        distances.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let limit = distances[NODES_PER_VERTEX].0;
        distances[..NODES_PER_VERTEX]
            .iter()
            .map(|&(distance, node)| (node, (1.0 - distance / limit).max(1e-3).powi(2)))
            .collect()
    }

    /// Nodes whose place along the body is within reach.
    fn range(&self, along: f64, reach: f64) -> Range<usize> {
        let first = self.along.partition_point(|&a| a < along - reach);
        let last = self.along.partition_point(|&a| a <= along + reach);
        first..last
    }
}

/// A wave runs down the body, the wider the nearer to the tail. Each node goes where the wave puts its
/// centre and turns with the body.
fn swim(nodes: &Nodes) -> Clip {
    let intervals = (DURATION_SECS * KEY_RATE_HZ) as usize;
    let times: Arc<[f64]> = (0..=intervals).map(|k| k as f64 / KEY_RATE_HZ).collect();
    let tracks = nodes.centres.iter().zip(&nodes.along).enumerate();
    let tracks = tracks.map(|(joint, (&centre, &along))| {
        let pose = |key: usize| swung(centre, along, (key % intervals) as f64 / intervals as f64);
        let poses: Vec<(Vec3, Quat)> = (0..=intervals).map(pose).collect();
        let track = "keys at increasing times";
        JointTracks {
            translation: Some(
                Track::new(
                    times.clone(),
                    poses.iter().map(|p| p.0).collect(),
                    Interpolation::Linear,
                )
                .expect(track),
            ),
            rotation: Some(
                Track::new(
                    times.clone(),
                    poses.iter().map(|p| p.1).collect(),
                    Interpolation::Linear,
                )
                .expect(track),
            ),
            ..JointTracks::new(joint)
        }
    });
    Clip::new("swim".to_owned(), tracks.collect(), Vec::new()).expect("one set of tracks a node")
}

/// Where a node is in the wave, and how it is turned.
fn swung(centre: DVec3, along: f64, phase: f64) -> (Vec3, Quat) {
    let width = |along: f64| SWING * (0.12 + 0.88 * along * along);
    let side = |along: f64| width(along) * (TAU * (WAVES * along - phase)).sin();
    const STEP: f64 = 1e-3;
    let slope = (side(along + STEP) - side(along - STEP)) / (2.0 * STEP * LENGTH);
    // The body runs along -Z from its nose, so a side that grows towards the tail turns it so.
    let turn = DQuat::from_rotation_y(-slope.atan());
    let middle = DVec3::new(0.0, centre.y, centre.z);
    let moved = middle + DVec3::X * side(along) + turn * (centre - middle);
    (moved.as_vec3(), turn.as_quat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::checks;
    use throng_rig::{CharacterPose, Method};
    use throng_skin::reference::{Skinned, skin_part};

    #[test]
    fn it_has_the_papers_numbers() {
        let character = graph(DEFAULT_NODES);
        assert_eq!(character.skeleton().len(), 222);
        assert_eq!(character.skeleton().root_count(), 222);
        let vertices = character.meshes()[0].unique().position_count();
        assert!((9_000..=11_000).contains(&vertices), "{vertices}");
        assert_eq!(graph(1048).skeleton().len(), 1048);
    }

    #[test]
    fn thousands_of_nodes_move_one_closed_body() {
        for nodes in [MIN_NODES, DEFAULT_NODES, MAX_NODES] {
            let character = graph(nodes);
            let mesh = &character.meshes()[0];
            checks::is_closed("graph", mesh);
            assert!(checks::signed_volume(mesh) > 0.1, "it looks outwards");
            assert_eq!(mesh.influences().max_per_vertex(), NODES_PER_VERTEX);
            let mut used = vec![false; nodes];
            for vertex in 0..mesh.vertex_count() {
                for (node, _) in mesh.influences().of(vertex) {
                    used[node] = true;
                }
            }
            let idle = used.iter().filter(|used| !**used).count();
            assert_eq!(idle, 0, "every one of {nodes} nodes moves a vertex");
        }
    }

    #[test]
    fn swimming_bends_it_and_does_not_tear_it() {
        let character = graph(DEFAULT_NODES);
        let (mesh, part) = (&character.meshes()[0], &character.parts()[0]);
        let clip = &character.clips()[0];
        let mut pose = CharacterPose::rest(&character);
        let mut skinned = Skinned::default();
        let mut worst: f64 = 0.0;
        for method in [Method::Lbs, Method::Dqs, Method::DqsSum] {
            for step in 0..8 {
                let time = clip.duration_secs() * f64::from(step) / 8.0;
                pose.sample(&character, clip, time);
                skin_part(&character, part, &pose, method, &mut skinned);
                for triangle in mesh.triangles() {
                    for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                        let [a, b] = [a, b].map(|corner| triangle[corner] as usize);
                        let rest = mesh.positions()[a].distance(mesh.positions()[b]);
                        let now = skinned.positions[a].distance(skinned.positions[b]);
                        worst = worst.max(now / f64::from(rest));
                    }
                }
            }
        }
        // The wave's slope and the outside of its bends stretch edges; a tear would be many times this.
        assert!(worst < 2.2, "an edge is {worst} times as long");
    }

    #[test]
    fn the_tail_swings_to_both_sides() {
        let character = graph(DEFAULT_NODES);
        let last = character.skeleton().len() - 1;
        let track = character.clips()[0].joints()[last]
            .translation
            .as_ref()
            .unwrap();
        let sides = track.values().iter().map(|v| v.x);
        let (low, high) = sides.fold((0.0_f32, 0.0_f32), |(a, b), x| (a.min(x), b.max(x)));
        assert!(low < -0.18 && high > 0.18, "{low} to {high}");
    }
}
