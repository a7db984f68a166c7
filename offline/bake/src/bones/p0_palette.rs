//! Inverse bind matrices and signs of P0's dual quaternions.
//!
//! P0's shader multiplies each bone by its inverse bind matrix and adds the products as they are. Products of opposite
//! signs would cancel each other, so the signs are chosen here: one per bone and clip, because signs continue from frame to
//! frame.

use std::collections::BTreeMap;

use glam::{DAffine3, DMat3, DQuat};
use throng_format::BoneEntry;
use throng_format::decode::BoneSample;
use throng_rig::{Character, DualQuat};

use crate::plan::BakePlan;

/// Largest deviation of an inverse bind matrix from a rotation and the scale of its skin. Files hold float32, and chains of
/// joints multiply its rounding; P0's bytes are coarser by far.
const TOLERANCE: f64 = 1e-3;

/// Most passes over all bones that improve signs; two are usual.
const MAX_PASSES: usize = 16;

/// Inverse bind matrices as dual quaternions, in metres: of each skin, one per joint.
pub(super) struct InverseBinds {
    skins: Vec<Vec<InverseBind>>,
}

#[derive(Debug, Clone, Copy)]
struct InverseBind {
    /// Index of the joint's bone; `None` where the joint moves no vertex of the skin.
    bone: Option<usize>,
    bone_from_bind: DualQuat,
}

/// A joint whose inverse bind matrix is not a rotation and a translation.
pub(super) struct NotRigid {
    pub joint: usize,
    /// Verb phrase.
    pub fault: &'static str,
}

impl InverseBinds {
    /// Converts the inverse bind matrices of all joints that move vertices. The scale that a skin's matrices have in common
    /// belongs to its meshes.
    pub fn new(character: &Character, bones: &[BoneEntry]) -> Result<Self, NotRigid> {
        let mut first_of_bone: Vec<Option<DualQuat>> = vec![None; bones.len()];
        let mut skins = Vec::new();
        let used = character.used_palette_indices();
        for (skin, used) in character.skins().iter().zip(&used) {
            let mut common = None;
            let mut inverse_binds = Vec::new();
            let joints = skin.joints().iter().zip(skin.joint_from_bind());
            for (palette_index, (&joint, joint_from_bind)) in joints.enumerate() {
                let bone = bones.binary_search_by_key(&joint, |bone| bone.joint).ok();
                let bone = bone.filter(|_| used[palette_index]);
                let mut inverse_bind = InverseBind {
                    bone,
                    bone_from_bind: DualQuat::IDENTITY,
                };
                if let Some(bone) = bone {
                    let linear = bones[bone].bone_from_joint();
                    let bone_from_bind = DAffine3 {
                        matrix3: linear * joint_from_bind.matrix3,
                        translation: linear * joint_from_bind.translation,
                    };
                    let dual = rigid(&bone_from_bind, &mut common)
                        .map_err(|fault| NotRigid { joint, fault })?;
                    // Skins that share a bone agree on its sign.
                    let first = *first_of_bone[bone].get_or_insert(dual);
                    inverse_bind.bone_from_bind = dual.aligned_to(first);
                }
                inverse_binds.push(inverse_bind);
            }
            skins.push(inverse_binds);
        }
        Ok(Self { skins })
    }

    /// Numbers of the manifest, in a unit of length.
    pub fn numbers(&self, metres_per_unit: f64) -> Vec<Vec<[f64; 8]>> {
        let numbers = |inverse_bind: &InverseBind| {
            let DualQuat { real, dual } = inverse_bind.bone_from_bind;
            let mut out = [0.0; 8];
            out[..4].copy_from_slice(&real.to_array());
            out[4..].copy_from_slice(&(dual * (1.0 / metres_per_unit)).to_array());
            out
        };
        let skins = self.skins.iter();
        skins
            .map(|skin| skin.iter().map(numbers).collect())
            .collect()
    }

    /// Chooses the sign of every bone in every clip, such that bones which influence the same vertices are in one hemisphere
    /// after their inverse bind matrices, by weight and over all frames. Samples are frame by frame, bone by bone, and
    /// continuous within a clip.
    pub fn align_signs(&self, character: &Character, plan: &BakePlan, samples: &mut [BoneSample]) {
        let pairs = self.blended_pairs(character);
        let bones = match samples.len().checked_div(plan.frames() as usize) {
            None | Some(0) => return,
            Some(bones) => bones,
        };
        let mut rest = samples;
        let mut first_clip: Vec<DQuat> = Vec::new();
        for clip in &plan.clips {
            let (clip_samples, others) = rest.split_at_mut(bones * clip.frames as usize);
            rest = others;
            let real = |frame: &[BoneSample], bone: usize| match &frame[bone] {
                BoneSample::Dual(dual) => dual.real,
                _ => DQuat::IDENTITY,
            };
            let agreement = |pair: &Pair| -> f64 {
                let frames = clip_samples.chunks_exact(bones);
                let dots = frames.map(|frame| {
                    let [a, b] = pair.bones.map(|bone| real(frame, bone));
                    (a * pair.bind_rotations[0]).dot(b * pair.bind_rotations[1])
                });
                pair.weight * dots.sum::<f64>()
            };
            let edges: Vec<([usize; 2], f64)> = pairs
                .iter()
                .map(|pair| (pair.bones, agreement(pair)))
                .collect();
            let mut signs = best_signs(bones, &edges);
            // All signs of connected bones may change together. They follow the first clip, because clips share boxes.
            let start: Vec<DQuat> = (0..bones)
                .map(|bone| real(clip_samples, bone) * signs[bone])
                .collect();
            if first_clip.is_empty() {
                first_clip = start;
            } else {
                for group in groups(bones, &edges) {
                    let agreement: f64 = group.iter().map(|&b| start[b].dot(first_clip[b])).sum();
                    if agreement < 0.0 {
                        group.iter().for_each(|&bone| signs[bone] = -signs[bone]);
                    }
                }
            }
            for frame in clip_samples.chunks_exact_mut(bones) {
                for (sample, &sign) in frame.iter_mut().zip(&signs) {
                    if let BoneSample::Dual(dual) = sample
                        && sign < 0.0
                    {
                        *dual = -*dual;
                    }
                }
            }
        }
    }

    /// Pairs of bones that vertices blend, with the sum over all vertices of the products of their weights.
    fn blended_pairs(&self, character: &Character) -> Vec<Pair> {
        let mut weights: BTreeMap<(usize, [usize; 2]), f64> = BTreeMap::new();
        for part in character.parts() {
            let influences = character.mesh_of(part).influences();
            for vertex in 0..influences.vertex_count() {
                let run: Vec<(usize, f64)> = influences.of(vertex).collect();
                for (index, &(a, a_weight)) in run.iter().enumerate() {
                    for &(b, b_weight) in &run[index + 1..] {
                        let key = (part.skin, [a.min(b), a.max(b)]);
                        *weights.entry(key).or_default() += a_weight * b_weight;
                    }
                }
            }
        }
        let pair = |((skin, indices), weight): ((usize, [usize; 2]), f64)| {
            let [a, b] = indices.map(|index: usize| self.skins[skin][index]);
            Some(Pair {
                bones: [a.bone?, b.bone?],
                bind_rotations: [a.bone_from_bind.real, b.bone_from_bind.real],
                weight,
            })
        };
        weights.into_iter().filter_map(pair).collect()
    }
}

/// Two bones that vertices blend.
struct Pair {
    bones: [usize; 2],
    /// Rotations of their inverse bind matrices.
    bind_rotations: [DQuat; 2],
    weight: f64,
}

/// Returns the rigid part of a matrix, whose scale must be that of the skin.
fn rigid(matrix: &DAffine3, common: &mut Option<f64>) -> Result<DualQuat, &'static str> {
    let own = matrix.matrix3.determinant().cbrt();
    if own <= 0.0 {
        return Err("mirror or collapse the mesh");
    }
    let scale = *common.get_or_insert(own);
    if (own / scale - 1.0).abs() > TOLERANCE {
        return Err("scale otherwise than other joints of the skin");
    }
    let rotation = matrix.matrix3 * (1.0 / own);
    if !(rotation.transpose() * rotation).abs_diff_eq(DMat3::IDENTITY, TOLERANCE) {
        return Err("shear, or scale along one axis");
    }
    let rotation = DQuat::from_mat3(&rotation).normalize();
    Ok(DualQuat::from_rotation_translation(
        rotation,
        matrix.translation,
    ))
}

/// Returns a sign per bone that makes the sum of `sign * sign * agreement` large: the strongest pairs first, then bone by
/// bone while that helps.
fn best_signs(bones: usize, edges: &[([usize; 2], f64)]) -> Vec<f64> {
    let mut signs = vec![1.0; bones];
    let mut group: Vec<usize> = (0..bones).collect();
    let mut strongest: Vec<_> = edges.iter().collect();
    strongest.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    for &&([a, b], agreement) in &strongest {
        let (from, to) = (group[b], group[a]);
        if from == to {
            continue;
        }
        let flips = agreement * signs[a] * signs[b] < 0.0;
        for bone in 0..bones {
            if group[bone] == from {
                group[bone] = to;
                signs[bone] *= if flips { -1.0 } else { 1.0 };
            }
        }
    }
    for _ in 0..MAX_PASSES {
        let mut is_better = false;
        for bone in 0..bones {
            let of_bone = edges
                .iter()
                .filter(|([a, b], _)| a != b && (*a == bone || *b == bone));
            let sum: f64 = of_bone
                .map(|&([a, b], agreement)| agreement * signs[a] * signs[b])
                .sum();
            if sum < 0.0 {
                signs[bone] = -signs[bone];
                is_better = true;
            }
        }
        if !is_better {
            break;
        }
    }
    signs
}

/// Groups of bones that edges connect.
fn groups(bones: usize, edges: &[([usize; 2], f64)]) -> Vec<Vec<usize>> {
    let mut group: Vec<usize> = (0..bones).collect();
    for &([a, b], _) in edges {
        let (from, to) = (group[b], group[a]);
        group
            .iter_mut()
            .filter(|g| **g == from)
            .for_each(|g| *g = to);
    }
    let mut out = vec![Vec::new(); bones];
    for (bone, &group) in group.iter().enumerate() {
        out[group].push(bone);
    }
    out.retain(|group| !group.is_empty());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_follow_the_strongest_pairs() {
        // A triangle that cannot be satisfied: the weakest pair disagrees.
        let edges = [([0, 1], -3.0), ([1, 2], 2.0), ([0, 2], 1.0)];
        let signs = best_signs(4, &edges);
        assert!(signs[0] * signs[1] < 0.0 && signs[1] * signs[2] > 0.0);
        assert_eq!(groups(4, &edges), [vec![0, 1, 2], vec![3]]);
    }
}
