//! A few vertices that stand for all.

use glam::Vec3;
use throng_rig::{Character, Mesh, Skin};

/// Vertices chosen in each part: for each joint, those that show its errors most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// One list a part; parts of one mesh have the same.
    parts: Vec<Vec<u32>>,
}

impl Probe {
    /// Takes up to `per_joint` vertices for each joint of each mesh: first the one that is farthest from
    /// the joint, times its weight, then those that are farthest from all that were taken. Each morph
    /// adds the vertex that it moves most.
    pub fn new(character: &Character, per_joint: usize) -> Self {
        let parts = character.parts().iter();
        let of_part = |part: &throng_rig::Part| {
            // Parts of one mesh may have several skins: that of the first decides.
            let first = character.parts().iter().find(|p| p.mesh == part.mesh);
            let skin = character.skin_of(first.unwrap_or(part));
            choose(character.mesh_of(part), skin, per_joint)
        };
        Self {
            parts: parts.map(of_part).collect(),
        }
    }

    /// The vertices of a part that were chosen, in their order.
    pub fn vertices_of(&self, part: usize) -> &[u32] {
        &self.parts[part]
    }

    /// The character with the chosen vertices alone, and without triangles. It has to have the same
    /// parts and vertices as the one that the probe was made of.
    ///
    /// # Panics
    /// Where it has not.
    pub fn reduce(&self, character: &Character) -> Character {
        let mut pieces = character.clone().into_parts();
        assert_eq!(pieces.parts.len(), self.parts.len(), "the same parts");
        for (index, mesh) in pieces.meshes.iter_mut().enumerate() {
            let part = pieces.parts.iter().position(|part| part.mesh == index);
            let vertices: &[u32] = part.map_or(&[], |part| &self.parts[part]);
            *mesh = mesh.select_vertices(vertices, Vec::new());
        }
        Character::new(pieces).expect("fewer vertices of a character that was checked")
    }
}

/// The character with a few of its vertices alone: what [`Probe::new`] chooses.
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

/// Farthest points first, by weight times the distance to the nearest of those that are taken.
fn farthest(
    mesh: &Mesh,
    vertices: &[(u32, f32)],
    centre: Vec3,
    count: usize,
    chosen: &mut Vec<u32>,
) {
    let place = |vertex: u32| mesh.positions()[vertex as usize];
    let distances = vertices.iter().map(|&(v, _)| place(v).distance(centre));
    let mut distances: Vec<f32> = distances.collect();
    for taken in 0..count.min(vertices.len()) {
        let score = |index: usize| vertices[index].1 * distances[index];
        // The first of equals, whatever their number.
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
            *distance = distance.min(place(other).distance(place(vertex)));
        }
    }
}
