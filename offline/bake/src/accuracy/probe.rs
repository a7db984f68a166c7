//! A few vertices that represent all.

use glam::Vec3;
use throng_rig::{Character, Mesh, Skin};

/// Vertices chosen in a mesh with a vertex cache, whose one joint does not tell how they move.
const CACHE_PROBES: usize = 64;

/// Vertices chosen in each part: for each joint, those that show its errors most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// One list per part; parts of one mesh have the same list.
    parts: Vec<Vec<u32>>,
}

impl Probe {
    /// Chooses up to `per_joint` vertices for each joint of each mesh: first the one with the largest product of weight and
    /// distance to the joint, then those farthest from all chosen ones. Each morph target adds the vertex that it moves most.
    pub fn new(character: &Character, per_joint: usize) -> Self {
        let parts = character.parts().iter();
        let of_part = |part: &throng_rig::Part| {
            // Parts of one mesh may have several skins: the skin of the first part decides.
            let first = character.parts().iter().find(|p| p.mesh == part.mesh);
            let skin = character.skin_of(first.unwrap_or(part));
            let mesh = character.mesh_of(part);
            let per_joint = match mesh.vertex_cache() {
                Some(_) => per_joint.max(CACHE_PROBES),
                None => per_joint,
            };
            choose(mesh, skin, per_joint)
        };
        Self {
            parts: parts.map(of_part).collect(),
        }
    }

    /// Returns the chosen vertices of a part, in vertex order.
    pub fn vertices_of(&self, part: usize) -> &[u32] {
        &self.parts[part]
    }

    /// Returns the character with only the chosen vertices, and without triangles. It must have the same parts and vertices
    /// as the character that the probe was made of.
    ///
    /// # Panics
    /// If it has not.
    pub fn reduce(&self, character: &Character) -> Character {
        let mut pieces = character.clone().into_parts();
        assert_eq!(pieces.parts.len(), self.parts.len(), "part counts differ");
        for (index, mesh) in pieces.meshes.iter_mut().enumerate() {
            let part = pieces.parts.iter().position(|part| part.mesh == index);
            let vertices: &[u32] = part.map_or(&[], |part| &self.parts[part]);
            *mesh = mesh.select_vertices(vertices, Vec::new());
        }
        Character::new(pieces).expect("a checked character stays valid with fewer vertices")
    }
}

/// Returns the character with only the vertices that [`Probe::new`] chooses.
pub fn probe_character(character: &Character, per_joint: usize) -> Character {
    Probe::new(character, per_joint).reduce(character)
}

fn choose(mesh: &Mesh, skin: &Skin, per_joint: usize) -> Vec<u32> {
    let mut moved: Vec<Vec<(u32, f32)>> = vec![Vec::new(); skin.len()];
    for &vertex in mesh.unique().first_of_position() {
        let (joints, weights) = mesh.influences().run(vertex as usize);
        for (&joint, &weight) in joints.iter().zip(weights) {
            moved[joint as usize].push((vertex, weight));
        }
    }
    let mut chosen = Vec::new();
    for (vertices, centre) in moved.iter().zip(skin.bind_positions()) {
        farthest(mesh, vertices, centre.as_vec3(), per_joint, &mut chosen);
    }
    for target in mesh.morph_targets() {
        let length = |vertex: u32| target.positions[vertex as usize].length_squared();
        let vertices = mesh.unique().first_of_position().iter().copied();
        chosen.extend(vertices.reduce(|a, b| if length(b) > length(a) { b } else { a }));
    }
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// Chooses the farthest vertices first, by weight times the distance to the nearest chosen one.
fn farthest(
    mesh: &Mesh,
    vertices: &[(u32, f32)],
    centre: Vec3,
    count: usize,
    chosen: &mut Vec<u32>,
) {
    let position = |vertex: u32| mesh.positions()[vertex as usize];
    let distances = vertices.iter().map(|&(v, _)| position(v).distance(centre));
    let mut distances: Vec<f32> = distances.collect();
    for taken in 0..count.min(vertices.len()) {
        let score = |index: usize| vertices[index].1 * distances[index];
        // Of equals, the first.
        let mut best = 0;
        for index in 1..vertices.len() {
            if score(index) > score(best) {
                best = index;
            }
        }
        if taken > 0 && score(best) <= 0.0 {
            break;
        }
        let (vertex, _) = vertices[best];
        chosen.push(vertex);
        for (distance, &(other, _)) in distances.iter_mut().zip(vertices) {
            *distance = distance.min(position(other).distance(position(vertex)));
        }
    }
}
