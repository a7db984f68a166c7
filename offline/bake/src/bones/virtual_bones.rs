//! P3's form of `virtual-bones`: the rest pose in the texture, joints in vertex colours, weights in a texture of their own.

use glam::DAffine3;
use throng_format::{BoneEntry, TexelFormat, Texture, WeightLayout};
use throng_rig::{Character, CharacterParts};

use super::joint_scale::JointScale;
use crate::BakeError;
use crate::atlas::{Contents, zeroed};

/// Number of bones that an 8-bit colour distinguishes.
const MAX_BONES: usize = 256;
/// Channels of a colour.
const MAX_INFLUENCES: usize = 4;

/// Relative difference of two skins' inverse bind matrices of a joint that counts as rounding.
const BIND_TOLERANCE: f64 = 1e-5;

/// Returns the bind pose of each bone: the inverse of its inverse bind matrix.
pub(super) fn rest(
    character: &Character,
    joints: &[usize],
    bones: &[BoneEntry],
) -> Result<Vec<DAffine3>, BakeError> {
    let mut rest: Vec<Option<DAffine3>> = vec![None; joints.len()];
    for skin in character.skins() {
        for (joint, joint_from_bind) in skin.joints().iter().zip(skin.joint_from_bind()) {
            let Ok(bone) = joints.binary_search(joint) else {
                continue;
            };
            let name = &character.skeleton().joints()[*joint].name;
            let joint_from_mesh =
                DAffine3::from_scale(glam::DVec3::splat(bones[bone].scale)) * *joint_from_bind;
            let bound = joint_from_mesh.inverse();
            let even = matches!(JointScale::of([bound].iter()), JointScale::Constant(s) if (s - 1.0).abs() < 1e-4);
            if !bound.is_finite() || !even {
                return Err(BakeError::VirtualBones {
                    fault: format!(
                        "stores the inverse of inverse bind matrices, but that of joint '{name}' is not rigid"
                    ),
                    remedy: "use --encoding virtual-bones or bone-matrix",
                });
            }
            let size = 1.0 + bound.translation.abs().max_element();
            match rest[bone] {
                Some(other) if !bound.abs_diff_eq(other, BIND_TOLERANCE * size) => {
                    return Err(BakeError::VirtualBones {
                        fault: format!(
                            "stores one bind pose, but two skins bind joint '{name}' differently"
                        ),
                        remedy: "use --encoding virtual-bones or bone-matrix",
                    });
                }
                _ => rest[bone] = Some(bound),
            }
        }
    }
    Ok(rest.into_iter().map(Option::unwrap_or_default).collect())
}

/// Meshes with joints in their colours, and the texture of weights.
pub(crate) struct VirtualMesh {
    /// The character with one mesh per part.
    pub model: CharacterParts,
    /// Weights of all vertices.
    pub weights: Texture,
}

impl VirtualMesh {
    /// Returns the layout of the weights.
    pub fn layout(&self, texture: usize) -> WeightLayout {
        WeightLayout {
            texture,
            side: self.weights.size()[0],
        }
    }
}

/// Writes joints into colours and weights into a texture; see [`WeightLayout`].
pub(super) fn mesh(character: &Character, joints: &[usize]) -> Result<VirtualMesh, BakeError> {
    if joints.len() > MAX_BONES {
        return Err(BakeError::VirtualBones {
            fault: format!("supports {MAX_BONES} bones, but there are {}", joints.len()),
            remedy: "use --encoding virtual-bones",
        });
    }
    let mut model = character.clone().into_parts();
    model.meshes = Vec::new();
    let mut weights: Vec<[f32; 4]> = Vec::new();
    for (index, part) in character.parts().iter().enumerate() {
        let mut mesh = character.mesh_of(part).clone();
        let most = mesh.influences().max_per_vertex();
        if most > MAX_INFLUENCES {
            return Err(BakeError::VirtualBones {
                fault: format!(
                    "supports {MAX_INFLUENCES} influences per vertex, but part '{}' has {most}",
                    part.node_name
                ),
                remedy: "use --max-influences 4",
            });
        }
        let skin_joints = character.skin_of(part).joints();
        let mut colors = Vec::with_capacity(mesh.vertex_count());
        for vertex in 0..mesh.vertex_count() {
            let (mut color, mut weight) = ([0.0; 4], [0.0; 4]);
            for (rank, (palette_index, w)) in mesh.influences().of(vertex).enumerate() {
                let bone = joints
                    .binary_search(&skin_joints[palette_index])
                    .unwrap_or(0);
                color[rank] = bone as f32 / 255.0;
                weight[rank] = w as f32;
            }
            colors.push(color);
            weights.push([weight[0], weight[1], weight[2], 1.0]);
        }
        mesh.set_colors(colors).expect("one colour per vertex");
        model.meshes.push(mesh);
        model.parts[index].mesh = index;
    }
    let side = (weights.len() as f64).sqrt().ceil() as u32;
    let contents = Contents {
        name: "weights",
        format: TexelFormat::Rgba32Float,
        items: 1,
        metadata_rows: 0,
    };
    let mut texture = zeroed(contents, [side, side, 1])?;
    let channels = texture.bytes_mut().chunks_exact_mut(4);
    for (channel, weight) in channels.zip(weights.as_flattened()) {
        channel.copy_from_slice(&weight.to_le_bytes());
    }
    Ok(VirtualMesh {
        model,
        weights: texture,
    })
}
