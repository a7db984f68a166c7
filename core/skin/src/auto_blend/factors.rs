//! Factors of vertices, shared by equal ones, and factors by joint.

use throng_rig::Character;

/// One factor per unique position of each mesh.
pub(super) struct Factors {
    /// First factor of each mesh.
    first: Vec<usize>,
    len: usize,
}

impl Factors {
    pub(super) fn new(character: &Character) -> Self {
        let mut len = 0;
        let first = character.meshes().iter().map(|mesh| {
            let first = len;
            len += mesh.unique().position_count();
            first
        });
        let first = first.collect();
        Self { first, len }
    }

    /// Number of factors.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Index of the first factor of a mesh.
    pub(super) fn first_of_mesh(&self, mesh: usize) -> usize {
        self.first[mesh]
    }

    /// Copies factors to all vertices of each mesh.
    pub(super) fn of_meshes(&self, character: &Character, factors: &[f32]) -> Vec<Vec<f32>> {
        let meshes = character.meshes().iter().zip(&self.first);
        let of_mesh = |(mesh, &first): (&throng_rig::Mesh, &usize)| {
            let positions = mesh.unique().position_of().iter();
            positions.map(|&at| factors[first + at as usize]).collect()
        };
        meshes.map(of_mesh).collect()
    }
}

/// Returns factors of vertices from factors of joints of the skeleton. Each pair of influences counts by the product of
/// its weights, with the factor of the joint that is lower in the tree, as that joint bends or twists the skin between
/// them.
pub(super) fn by_joint(character: &Character, factors: &Factors, of_joint: &[f32]) -> Vec<f64> {
    let mut out = vec![0.0; factors.len()];
    for part in character.parts() {
        let (mesh, joints) = (character.mesh_of(part), character.skin_of(part).joints());
        let first = factors.first_of_mesh(part.mesh);
        for (at, &vertex) in mesh.unique().first_of_position().iter().enumerate() {
            let influences = mesh.influences().of(vertex as usize);
            let influences: Vec<_> = influences.map(|(index, w)| (joints[index], w)).collect();
            let (mut sum, mut total) = (0.0, 0.0);
            for (rank, &(a, weight_a)) in influences.iter().enumerate() {
                for &(b, weight_b) in &influences[rank + 1..] {
                    // Ancestors come before descendants in the skeleton.
                    sum += weight_a * weight_b * f64::from(of_joint[a.max(b)]);
                    total += weight_a * weight_b;
                }
            }
            let alone = influences
                .first()
                .map_or(0.0, |&(joint, _)| of_joint[joint]);
            out[first + at] = if total > 0.0 {
                sum / total
            } else {
                f64::from(alone)
            };
        }
    }
    out
}
