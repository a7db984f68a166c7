//! Characters with equal skeletons.

use std::fmt;

use throng_rig::{Bounds, Character, CharacterPose, Joint};
use throng_skin::rest_size;

/// Largest difference of rest transforms: of translations as a part of the characters' size, of axes as a length.
const TOLERANCE: f64 = 1e-5;

/// Characters that can share a motion set.
#[derive(Debug, Clone, PartialEq)]
pub struct SkeletonGroup {
    /// Indices of the characters.
    pub members: Vec<usize>,
    /// Difference from the first group; `None` in the first.
    pub differs: Option<SkeletonDifference>,
}

/// First difference between two skeletons.
#[derive(Debug, Clone, PartialEq)]
pub enum SkeletonDifference {
    /// The numbers of joints differ.
    Count([usize; 2]),
    /// A joint has two names.
    Name {
        /// Index of the joint.
        joint: usize,
        /// Both names.
        names: [String; 2],
    },
    /// A joint has two parents.
    Parent {
        /// Name of the joint.
        joint: String,
        /// Names of the parents; `None` for a root.
        parents: [Option<String>; 2],
    },
    /// The rest transforms of a joint differ.
    Rest {
        /// Name of the joint.
        joint: String,
        /// Distance of both translations, in metres.
        distance_m: f64,
        /// Largest distance of two axes, of unit length where the joint has no scale.
        axes: f64,
    },
}

impl fmt::Display for SkeletonDifference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count([first, second]) => write!(out, "{first} and {second} joints"),
            Self::Name { joint, names } => {
                write!(out, "joint {joint} is '{}' and '{}'", names[0], names[1])
            }
            Self::Parent { joint, parents } => {
                let [first, second] = parents.each_ref().map(|parent| match parent {
                    Some(name) => format!("a child of '{name}'"),
                    None => "a root".into(),
                });
                write!(out, "joint '{joint}' is {first} and {second}")
            }
            Self::Rest {
                joint,
                distance_m,
                axes,
            } => write!(
                out,
                "the rest poses of joint '{joint}' are {:.3} mm and {:.4}° apart",
                distance_m * 1000.0,
                axes.to_degrees()
            ),
        }
    }
}

/// Groups characters by skeleton, in the order of the first of each group. A character joins the first group that it fits.
pub fn group_by_skeleton(characters: &[&Character]) -> Vec<SkeletonGroup> {
    let mut groups: Vec<SkeletonGroup> = Vec::new();
    for (index, character) in characters.iter().enumerate() {
        let first_of = |group: &SkeletonGroup| characters[group.members[0]];
        let fits = |group: &&mut SkeletonGroup| difference(first_of(group), character).is_none();
        match groups.iter_mut().find(fits) {
            Some(group) => group.members.push(index),
            None => groups.push(SkeletonGroup {
                differs: groups
                    .first()
                    .and_then(|g| difference(first_of(g), character)),
                members: vec![index],
            }),
        }
    }
    groups
}

/// Returns the first difference between the skeletons of two characters: names, parents and rest poses, in order. `None`
/// where rest transforms agree within 1e-5 of the larger size.
pub fn difference(first: &Character, second: &Character) -> Option<SkeletonDifference> {
    let joints = [first, second].map(|character| character.skeleton().joints());
    let counts = joints.map(<[Joint]>::len);
    if counts[0] != counts[1] {
        return Some(SkeletonDifference::Count(counts));
    }
    let size_m = size_m(first).max(size_m(second));
    (0..counts[0]).find_map(|index| {
        let pair = joints.map(|joints| &joints[index]);
        let names = pair.map(|joint| joint.name.clone());
        if names[0] != names[1] {
            return Some(SkeletonDifference::Name {
                joint: index,
                names,
            });
        }
        let [joint, _] = names;
        if pair[0].parent != pair[1].parent {
            let name = |of: usize| Some(joints[of][pair[of].parent?].name.clone());
            return Some(SkeletonDifference::Parent {
                joint,
                parents: [name(0), name(1)],
            });
        }
        let [a, b] = pair.map(|joint| joint.parent_from_joint.to_affine());
        let distance_m = a.translation.distance(b.translation);
        let axes = (a.matrix3 - b.matrix3).to_cols_array_2d();
        let axes = axes.map(|axis| glam::DVec3::from_array(axis).length());
        let axes = axes.into_iter().fold(0.0, f64::max);
        let differs = distance_m > TOLERANCE * size_m || axes > TOLERANCE;
        differs.then_some(SkeletonDifference::Rest {
            joint,
            distance_m,
            axes,
        })
    })
}

/// Size of the meshes, or of the skeleton where there is none.
fn size_m(character: &Character) -> f64 {
    match character.parts().is_empty() {
        false => rest_size(character),
        true => {
            let pose = CharacterPose::rest(character);
            let joints = pose.model.model_from_joint.iter();
            let extent = Bounds::of(joints.map(|joint| joint.translation)).extent();
            extent.max_element()
        }
    }
}
