//! Bone indices in vertex colours, and weights in a texture.

use throng_format::{TexelFormat, Texture, WeightLayout};
use throng_rig::{Character, CharacterParts};

use super::rig::VirtualRig;
use crate::BakeError;
use crate::atlas::{Contents, zeroed};
use crate::mesh_per_part::mesh_per_part;

/// Channels of a colour.
const MAX_INFLUENCES: usize = 4;

/// Meshes with bone indices in their colours, and the texture of weights.
pub(crate) struct VirtualMesh {
    /// The character with one mesh per part.
    pub model: CharacterParts,
    /// Bone indices of the vertices of each mesh.
    pub bone_colors: Vec<Vec<[u8; 4]>>,
    /// Weights of all vertices; `None` where each has one influence.
    pub weights: Option<Texture>,
}

impl VirtualMesh {
    /// Returns the number of channels that hold bones.
    pub fn color_bones(&self) -> u32 {
        match self.weights {
            Some(_) => MAX_INFLUENCES as u32,
            None => 1,
        }
    }

    /// Returns the layout of the weights, as a texture of the set.
    pub fn layout(&self, texture: usize) -> Option<WeightLayout> {
        let weights = self.weights.as_ref()?;
        let [side, _, _] = weights.size();
        Some(WeightLayout { texture, side })
    }

    /// Writes bones into colours and weights into a texture; see [`WeightLayout`].
    pub(super) fn new(character: &Character, rig: &VirtualRig) -> Result<Self, BakeError> {
        let mut weights: Vec<[f32; 3]> = Vec::new();
        let mut bone_colors = Vec::new();
        let mut is_single = true;
        for part in character.parts() {
            let influences = character.mesh_of(part).influences();
            let most = influences.max_per_vertex();
            is_single &= most <= 1;
            if most > MAX_INFLUENCES {
                return Err(BakeError::VirtualBones {
                    fault: format!(
                        "has {MAX_INFLUENCES} influences per vertex, but part '{}' has {most}",
                        part.node_name
                    ),
                    remedy: "use --max-influences 4",
                });
            }
            let bone_of = &rig.bone_of[part.skin];
            let mut colors = Vec::with_capacity(influences.vertex_count());
            for vertex in 0..influences.vertex_count() {
                let (mut color, mut weight) = ([0; MAX_INFLUENCES], [0.0; MAX_INFLUENCES]);
                for (rank, (palette_index, w)) in influences.of(vertex).enumerate() {
                    // The rest repeats a bone of the vertex: the last weight may be rounding.
                    color[rank..].fill(bone_of[palette_index].unwrap_or(0));
                    weight[rank] = w as f32;
                }
                if most <= 1 {
                    color[1..].fill(0);
                }
                colors.push(color);
                weights.push([weight[0], weight[1], weight[2]]);
            }
            bone_colors.push(colors);
        }
        Ok(Self {
            model: mesh_per_part(character),
            bone_colors,
            weights: match is_single {
                true => None,
                false => Some(weight_texture(&weights)?),
            },
        })
    }
}

/// Returns the smallest square texture with a texel per vertex.
fn weight_texture(weights: &[[f32; 3]]) -> Result<Texture, BakeError> {
    let side = (weights.len() as f64).sqrt().ceil() as u32;
    let contents = Contents {
        name: "weights",
        format: TexelFormat::Rgb32Float,
        items: 1,
        metadata_rows: 0,
    };
    let mut texture = zeroed(contents, [side, side, 1])?;
    let channels = texture.bytes_mut().chunks_exact_mut(4);
    for (channel, weight) in channels.zip(weights.as_flattened()) {
        channel.copy_from_slice(&weight.to_le_bytes());
    }
    Ok(texture)
}
