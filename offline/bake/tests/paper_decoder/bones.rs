//! Vertex attributes and uniforms that both bone shaders have.

use glam::DVec3;

use super::files::Folder;

/// `boneIndices`, `boneWeights`, `position` and `normal_in`. Lengths are in the unit of the textures.
pub struct Attributes {
    pub bone_indices: Vec<[usize; 3]>,
    pub bone_weights: Vec<[f64; 3]>,
    pub position: Vec<DVec3>,
    pub normal_in: Vec<DVec3>,
}

impl Attributes {
    /// The mesh of a part, multiplied by a scale.
    pub fn new(folder: &Folder, part: usize, scale: f64) -> Self {
        let palette = folder.palette(folder.skin(part));
        let weights = folder.attribute(part, "WEIGHTS_0");
        assert!(
            weights.iter().all(|weights| weights[3] == 0.0),
            "more than three bones"
        );
        let joints = folder.attribute(part, "JOINTS_0");
        let bones = joints.iter().zip(&weights).map(|(joints, weights)| {
            // Unused influences have no weight and any bone.
            [0, 1, 2].map(|k| match weights[k] {
                0.0 => 0,
                _ => palette[joints[k] as usize].unwrap(),
            })
        });
        let positions = folder.vectors(part, "POSITION");
        Self {
            bone_indices: bones.collect(),
            bone_weights: weights.iter().map(|w| [w[0], w[1], w[2]]).collect(),
            position: positions
                .iter()
                .map(|p| *p * (scale / folder.unit()))
                .collect(),
            normal_in: folder.vectors(part, "NORMAL"),
        }
    }
}
