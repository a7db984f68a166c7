//! The graph: a swimming fish, deformed by hundreds or thousands of deformation nodes.
//!
//! A deformation graph has no bones. Each node has a centre on the surface and a rigid motion, and each
//! vertex follows the few nodes nearest to it. Here a node is a joint without a parent, bound at its
//! centre.

use std::f64::consts::{PI, TAU};
use std::ops::Range;
use std::sync::Arc;

use glam::{DAffine3, DQuat, DVec3, Quat, Vec2, Vec3};
use throng_rig::{
    Character, Clip, Interpolation, Joint, JointKind, JointTracks, Skeleton, Skin, Track, Transform,
};

use super::column::{DURATION_SECS, KEY_RATE_HZ};
use super::one_part;
use super::surface::{FaceVertices, Surface, Vertex};

/// Number of nodes of the smallest graph of the paper.
pub(super) const DEFAULT_NODES: usize = 222;
/// Minimum number of nodes; fewer cannot follow the wave.
pub(super) const MIN_NODES: usize = 40;
/// Maximum number of nodes.
pub(super) const MAX_NODES: usize = 5_000;

/// Length from nose to tail, in metres.
const LENGTH: f64 = 2.0;
/// Half of the maximum height of the body, in metres.
const HALF_HEIGHT: f64 = 0.34;
/// Width of the body relative to its height.
const FLATNESS: f64 = 0.55;
/// Amplitude of the tail, in metres.
const SWING: f64 = 0.22;
/// Length of the body in wavelengths.
const WAVES: f64 = 0.9;

/// Number of vertices per node where only the nodes are given, as in the paper.
const VERTICES_PER_NODE: usize = 45;
/// Limits of the number of vertices where only the nodes are given: about the meshes of the paper.
const DEFAULT_VERTICES: Range<usize> = 10_000..80_000;
/// Minimum number of vertices per node; with fewer, some nodes move no vertex.
const MIN_VERTICES_PER_NODE: usize = 8;
/// Minimum number of vertices; with fewer, the fins lose their shape.
const MIN_VERTICES: usize = 1_000;
/// Maximum number of vertices.
pub(super) const MAX_VERTICES: usize = 320_000;

/// Number of rings along the body per vertex around it.
const RINGS_PER_VERTEX_AROUND: f64 = 3.0;

/// Number of nodes that a vertex follows.
const NODES_PER_VERTEX: usize = 4;

/// Number of steps of the integration of the surface area.
const AREA_STEPS: usize = 2_000;

/// Returns the minimum number of vertices for a number of nodes.
pub(super) fn min_vertices(nodes: usize) -> usize {
    MIN_VERTICES.max(MIN_VERTICES_PER_NODE * nodes)
}

/// Generates the fish with its clip `swim`. Without a number of vertices, it grows with that of the nodes.
pub(super) fn graph(nodes: usize, vertices: Option<usize>, faces: FaceVertices) -> Character {
    let grid = match vertices {
        Some(vertices) => Grid::nearest(vertices),
        None => Grid::for_nodes(nodes),
    };
    let nodes = Nodes::distribute(nodes);
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
    .expect("one inverse bind matrix per node");
    let mesh = surface(grid, faces).into_mesh(|position| nodes.weights(position.as_dvec3()));
    let clips = vec![swim(&nodes)];
    one_part("graph", [1.0; 4], skeleton, skin, mesh, clips)
}

/// Returns half the height of the body. `along` is 0 at the nose and 1 at the end of the tail fin.
fn half_height(along: f64) -> f64 {
    let body = (PI * along.powf(0.62)).sin().max(0.0).powf(0.75);
    let fin = 0.62 * smooth((along - 0.80) / 0.20);
    HALF_HEIGHT * (body * (1.0 - 0.82 * smooth((along - 0.35) / 0.5)) + fin + 0.02)
}

/// Returns half the width of the body; the tail fin is thin.
fn half_width(along: f64) -> f64 {
    let thin = 1.0 - 0.9 * smooth((along - 0.72) / 0.2);
    (half_height(along) * FLATNESS * thin).max(0.008)
}

fn smooth(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// Returns a point of the surface. The nose points along +Z, and the belly clears the ground.
fn point(along: f64, angle: f64) -> DVec3 {
    DVec3::new(
        half_width(along) * angle.sin(),
        1.2 * HALF_HEIGHT + half_height(along) * angle.cos(),
        LENGTH * (0.5 - along),
    )
}

/// Returns the outward normal, from finite differences.
fn normal(along: f64, angle: f64) -> DVec3 {
    const STEP: f64 = 1e-4;
    let (low, high) = ((along - STEP).max(0.0), (along + STEP).min(1.0));
    let lengthwise = point(high, angle) - point(low, angle);
    let around = point(along, angle + STEP) - point(along, angle - STEP);
    around.cross(lengthwise).normalize_or(DVec3::Y)
}

/// Number of quads around the body and along it.
#[derive(Debug, Clone, Copy)]
struct Grid {
    around: usize,
    rings: usize,
}

impl Grid {
    /// Returns the grid for a number of nodes.
    fn for_nodes(nodes: usize) -> Self {
        let Range { start, end } = DEFAULT_VERTICES;
        let vertices = (VERTICES_PER_NODE * nodes).clamp(start, end);
        let around = Self::ideal_around(vertices).next_multiple_of(4);
        Self {
            around,
            rings: vertices / (around + 1),
        }
    }

    /// Returns the grid with the number of vertices nearest to `vertices`, with quads up to a quarter longer or wider
    /// than usual. Ties go to fewer quads around.
    fn nearest(vertices: usize) -> Self {
        let ideal = Self::ideal_around(vertices);
        let candidates = (ideal * 4 / 5..=ideal * 5 / 4).map(|around| {
            // Rows of `around + 1` vertices, and a cap at each end.
            let rows = (vertices - 2 * around + around.div_ceil(2)) / (around + 1);
            Self {
                around,
                rings: rows - 1,
            }
        });
        let nearest = candidates.min_by_key(|grid| grid.vertex_count().abs_diff(vertices));
        nearest.expect("the ideal number around is a candidate")
    }

    fn ideal_around(vertices: usize) -> usize {
        (vertices as f64 / RINGS_PER_VERTEX_AROUND).sqrt() as usize
    }

    /// Returns the number of vertices of the body, its seam and the caps at both ends.
    fn vertex_count(self) -> usize {
        (self.around + 1) * (self.rings + 1) + 2 * self.around
    }
}

fn surface(grid: Grid, faces: FaceVertices) -> Surface {
    let Grid { around, rings } = grid;
    let coordinates = |column: usize, row: usize| {
        let along = row as f64 / rings as f64;
        (along, TAU * (column % around) as f64 / around as f64)
    };
    let vertex = |column: usize, row: usize, outward: Option<Vec3>| {
        let (along, angle) = coordinates(column, row);
        Vertex {
            position: point(along, angle).as_vec3(),
            normal: outward.unwrap_or_else(|| normal(along, angle).as_vec3()),
            uv: Vec2::new(column as f32 / around as f32, along as f32),
            color: color(along, angle),
        }
    };
    let mut surface = Surface::new(faces);
    surface.add_grid(around, rings, |column, row| vertex(column, row, None));
    surface.add_face((0..around).map(|c| vertex(c, rings, Some(Vec3::NEG_Z))));
    surface.add_face((0..around).rev().map(|c| vertex(c, 0, Some(Vec3::Z))));
    surface
}

/// Returns the colour, linear RGBA: a dark back, a pale belly, stripes, and an eye on each side.
fn color(along: f64, angle: f64) -> [f32; 4] {
    let back = 0.5 + 0.5 * angle.cos();
    let stripe = 0.5 + 0.5 * (TAU * 7.0 * along + 1.5 * angle.cos()).sin();
    let eye = ((along - 0.13) / 0.022).hypot((angle.sin().abs().asin() - 1.15) / 0.16);
    if eye < 1.0 && angle.cos() > 0.0 {
        return [0.01, 0.01, 0.02, 1.0];
    }
    let mix = (smooth(back * 1.6 - 0.4) * (0.55 + 0.45 * smooth(stripe * 2.0 - 0.5))) as f32;
    let (belly, top) = ([0.85, 0.72, 0.52], [0.86, 0.20, 0.03]);
    let mixed = |i: usize| belly[i] + (top[i] - belly[i]) * mix;
    [mixed(0), mixed(1), mixed(2), 1.0]
}

/// Deformation nodes, from the nose to the tail.
struct Nodes {
    centres: Vec<DVec3>,
    /// Position along the body, 0 at the nose and 1 at the tail; increasing.
    along: Vec<f64>,
    /// Approximate distance between nodes, in metres.
    spacing: f64,
}

impl Nodes {
    /// Distributes nodes evenly over the surface, on a spiral that advances by equal areas and rotates by
    /// the golden angle.
    fn distribute(count: usize) -> Self {
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
        let indexed = along.iter().enumerate();
        Self {
            centres: indexed
                .map(|(node, &along)| point(along, golden_angle * node as f64))
                .collect(),
            spacing: (area / count as f64).sqrt(),
            along,
        }
    }

    /// Returns the nearest nodes and their weights, which fall to zero at the distance of the next nearest
    /// node.
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

    /// Returns the nodes within a distance along the body.
    fn range(&self, along: f64, reach: f64) -> Range<usize> {
        let first = self.along.partition_point(|&a| a < along - reach);
        let last = self.along.partition_point(|&a| a <= along + reach);
        first..last
    }
}

/// Builds the clip `swim`: a wave travels along the body, with an amplitude that grows towards the tail.
/// Each node moves and rotates with the body.
fn swim(nodes: &Nodes) -> Clip {
    let intervals = (DURATION_SECS * KEY_RATE_HZ) as usize;
    let times: Arc<[f64]> = (0..=intervals).map(|k| k as f64 / KEY_RATE_HZ).collect();
    let tracks = nodes.centres.iter().zip(&nodes.along).enumerate();
    let tracks = tracks.map(|(joint, (&centre, &along))| {
        let pose = |key: usize| {
            let phase = (key % intervals) as f64 / intervals as f64;
            swim_pose(centre, along, phase)
        };
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
    Clip::new("swim".to_owned(), tracks.collect(), Vec::new()).expect("one set of tracks per node")
}

/// Returns the position and rotation of a node at a phase of the wave.
fn swim_pose(centre: DVec3, along: f64, phase: f64) -> (Vec3, Quat) {
    let width = |along: f64| SWING * (0.12 + 0.88 * along * along);
    let side = |along: f64| width(along) * (TAU * (WAVES * along - phase)).sin();
    const STEP: f64 = 1e-3;
    let slope = (side(along + STEP) - side(along - STEP)) / (2.0 * STEP * LENGTH);
    // The body extends along -Z from the nose, hence the sign.
    let rotation = DQuat::from_rotation_y(-slope.atan());
    let middle = DVec3::new(0.0, centre.y, centre.z);
    let moved = middle + DVec3::X * side(along) + rotation * (centre - middle);
    (moved.as_vec3(), rotation.as_quat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::checks;
    use throng_rig::{CharacterPose, Method};
    use throng_skin::reference::{Skinned, skin_part};

    /// Returns the number of nodes that move no vertex.
    fn idle_nodes(character: &Character) -> usize {
        let mesh = &character.meshes()[0];
        let mut used = vec![false; character.skeleton().len()];
        for vertex in 0..mesh.vertex_count() {
            for (node, _) in mesh.influences().of(vertex) {
                used[node] = true;
            }
        }
        used.iter().filter(|used| !**used).count()
    }

    #[test]
    fn has_the_node_and_vertex_counts_of_the_paper() {
        let character = graph(DEFAULT_NODES, None, FaceVertices::Shared);
        assert_eq!(character.skeleton().len(), 222);
        assert_eq!(character.skeleton().root_count(), 222);
        let vertices = character.meshes()[0].unique().position_count();
        assert!((9_000..=11_000).contains(&vertices), "{vertices}");
        assert_eq!(
            graph(1048, None, FaceVertices::Shared).skeleton().len(),
            1048
        );
    }

    #[test]
    fn body_is_closed_and_every_node_moves_a_vertex() {
        for nodes in [MIN_NODES, DEFAULT_NODES, MAX_NODES] {
            let character = graph(nodes, None, FaceVertices::Shared);
            let mesh = &character.meshes()[0];
            checks::assert_closed("graph", mesh);
            assert!(checks::signed_volume(mesh) > 0.1, "triangles face outwards");
            assert_eq!(mesh.influences().max_per_vertex(), NODES_PER_VERTEX);
            assert_eq!(idle_nodes(&character), 0, "of {nodes} nodes move no vertex");
        }
    }

    #[test]
    fn takes_the_counts_of_the_paper() {
        let tables = [
            (222, 10_002),
            (425, 10_002),
            (1_048, 10_002),
            (221, 79_226),
            (287, 24_982),
            (287, 85_792),
        ];
        for (nodes, vertices) in tables {
            let character = graph(nodes, Some(vertices), FaceVertices::Shared);
            assert_eq!(character.skeleton().len(), nodes);
            let mesh = &character.meshes()[0];
            // A grid of quads has few factors to choose from.
            let difference = mesh.vertex_count().abs_diff(vertices);
            assert!(difference <= 3, "{vertices}: {}", mesh.vertex_count());
            checks::assert_closed("graph", mesh);
            assert_eq!(
                idle_nodes(&character),
                0,
                "{nodes} nodes, {vertices} vertices"
            );
        }
    }

    #[test]
    fn fewest_vertices_follow_every_node() {
        for nodes in [MIN_NODES, 222, 1_048, MAX_NODES] {
            let vertices = min_vertices(nodes);
            let character = graph(nodes, Some(vertices), FaceVertices::Shared);
            let found = character.meshes()[0].vertex_count();
            assert!(found.abs_diff(vertices) <= 3, "{vertices}: {found}");
            assert_eq!(
                idle_nodes(&character),
                0,
                "{nodes} nodes, {vertices} vertices"
            );
        }
    }

    #[test]
    fn finds_grids_near_every_vertex_count() {
        for vertices in (MIN_VERTICES..MAX_VERTICES).step_by(997) {
            let grid = Grid::nearest(vertices);
            let limit = 5.max(vertices / 1000);
            assert!(
                grid.vertex_count().abs_diff(vertices) <= limit,
                "{vertices}: {grid:?}"
            );
            let stretch = grid.rings as f64 / (RINGS_PER_VERTEX_AROUND * grid.around as f64);
            assert!((0.6..1.7).contains(&stretch), "{vertices}: {grid:?}");
        }
    }

    #[test]
    fn swimming_stretches_no_edge_beyond_a_limit() {
        let character = graph(DEFAULT_NODES, None, FaceVertices::Shared);
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
        // The slope of the wave and the outside of bends stretch edges; a tear would be many times this.
        assert!(worst < 2.2, "an edge is stretched {worst} times");
    }

    #[test]
    fn tail_swings_to_both_sides() {
        let character = graph(DEFAULT_NODES, None, FaceVertices::Shared);
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
