//! Which joint of a motion moves which joint of a character.

use std::collections::{HashMap, VecDeque};

use thiserror::Error;
use throng_rig::{JointKind, Skeleton};

use crate::role::{Role, plain_name, roles};

/// A pair of joints that is given by name. It takes precedence over names that agree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JointPair {
    /// Joint of the character.
    pub target: String,
    /// Joint of the motion that moves it; `None` to leave it at rest.
    pub source: Option<String>,
}

/// A map of joints that does not fit the skeletons.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MapError {
    /// A pair names a joint that a skeleton does not have.
    #[error("{owner} has no joint '{name}'; its joints are {joints}")]
    UnknownJoint {
        /// The skeleton: `the character` or `the motion`.
        owner: &'static str,
        /// Name in the pair.
        name: String,
        /// Names of the first joints.
        joints: String,
    },
    /// No joints agree.
    #[error(
        "no joint of the motion is on the character: the motion has {source_joints}, the character has {target_joints}; \
         pair them in a file with --joint-map"
    )]
    NothingMapped {
        /// Names of the motion's first joints.
        source_joints: String,
        /// Names of the character's first joints.
        target_joints: String,
    },
}

/// For each joint of a character, the joint of a motion that moves it.
#[derive(Debug, Clone, PartialEq)]
pub struct JointMap {
    /// One per joint of the character.
    source_of: Vec<Option<usize>>,
    /// Roles of the character's joints that are moved. Where two joints have one role, the first has it.
    roles: Vec<Option<Role>>,
}

/// Number of joints that messages name.
const NAMED: usize = 8;

impl JointMap {
    /// Pairs joints: by `pairs`; then by anatomical role where both skeletons have it; then by name, at last without
    /// namespaces, prefixes and case. Chains of the spine and neck are paired from end to end, whatever their lengths.
    pub fn find(
        source: &Skeleton,
        target: &Skeleton,
        pairs: &[JointPair],
    ) -> Result<Self, MapError> {
        let source_roles = roles_of(source);
        let target_roles = roles_of(target);
        let mut source_of = by_name(source, target, &source_roles, &target_roles);
        pair_roles(&source_roles, &target_roles, &mut source_of);
        for role in [Role::Spine, Role::Neck] {
            pair_chain(role, &source_roles, &target_roles, &mut source_of);
        }
        for pair in pairs {
            let at = index_of(target, &pair.target, "the character")?;
            let from = pair.source.as_ref();
            source_of[at] = from
                .map(|name| index_of(source, name, "the motion"))
                .transpose()?;
        }
        if source_of.iter().all(Option::is_none) {
            return Err(MapError::NothingMapped {
                source_joints: first_names(source),
                target_joints: first_names(target),
            });
        }
        let mut first = HashMap::new();
        let roles = target_roles.iter().enumerate().map(|(joint, role)| {
            let role = role.filter(|_| source_of[joint].is_some())?;
            (*first.entry(role).or_insert(joint) == joint).then_some(role)
        });
        Ok(Self {
            roles: roles.collect(),
            source_of,
        })
    }

    /// Joint of the motion that moves a joint of the character.
    pub fn source_of(&self, target: usize) -> Option<usize> {
        self.source_of[target]
    }

    /// Number of joints of the character.
    pub fn len(&self) -> usize {
        self.source_of.len()
    }

    /// True where the character has no joints.
    pub fn is_empty(&self) -> bool {
        self.source_of.is_empty()
    }

    /// Joints of the character that are moved, and the joints that move them.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let all = self.source_of.iter().enumerate();
        all.filter_map(|(target, source)| Some((target, (*source)?)))
    }

    /// Role of a moved joint of the character.
    pub fn role(&self, target: usize) -> Option<Role> {
        self.roles[target]
    }

    /// Joint of the character with a role, and the joint of the motion that moves it.
    pub fn joint(&self, role: Role) -> Option<(usize, usize)> {
        let target = self.roles.iter().position(|found| *found == Some(role))?;
        Some((target, self.source_of[target]?))
    }

    /// The nearest ancestor of a joint of the character that is moved.
    pub fn moved_ancestor(&self, target: &Skeleton, joint: usize) -> Option<usize> {
        ancestors(target, joint).find(|&ancestor| self.source_of[ancestor].is_some())
    }
}

/// Ancestors of a joint, from its parent to the root.
pub(crate) fn ancestors(skeleton: &Skeleton, joint: usize) -> impl Iterator<Item = usize> + '_ {
    let parent = |joint: &usize| skeleton.joints()[*joint].parent;
    std::iter::successors(parent(&joint), parent)
}

/// Roles of all joints but leaves.
fn roles_of(skeleton: &Skeleton) -> Vec<Option<Role>> {
    let joints = skeleton.joints();
    let mut found = roles(joints.iter().map(|joint| joint.name.as_str()));
    for (role, joint) in found.iter_mut().zip(joints) {
        if joint.kind == JointKind::AddedLeaf {
            *role = None;
        }
    }
    found
}

/// Pairs joints of equal names, and of equal plain names where there are none. A name that is another role in the other
/// skeleton is no pair. Of joints with one name, those under paired parents are preferred, then the first that is free.
/// Joints without a name are paired in their order under paired parents.
fn by_name(
    source: &Skeleton,
    target: &Skeleton,
    source_roles: &[Option<Role>],
    target_roles: &[Option<Role>],
) -> Vec<Option<usize>> {
    let exact: &dyn Fn(&str) -> String = &str::to_owned;
    let plain: &dyn Fn(&str) -> String = &plain_name;
    let mut source_of: Vec<Option<usize>> = vec![None; target.len()];
    let mut is_taken = vec![false; source.len()];
    for key in [exact, plain] {
        // Queues, so that many joints of one name take no longer than others.
        let mut below: HashMap<(Option<usize>, String), VecDeque<usize>> = HashMap::new();
        let mut named: HashMap<String, VecDeque<usize>> = HashMap::new();
        for (index, joint) in source.joints().iter().enumerate() {
            if joint.kind != JointKind::AddedLeaf && !is_taken[index] {
                let name = key(&joint.name);
                let siblings = below.entry((joint.parent, name.clone())).or_default();
                siblings.push_back(index);
                named.entry(name).or_default().push_back(index);
            }
        }
        for parents in [Parents::Paired, Parents::Any] {
            for (index, joint) in target.joints().iter().enumerate() {
                if source_of[index].is_some() || joint.kind == JointKind::AddedLeaf {
                    continue;
                }
                let name = key(&joint.name);
                let above = match joint.parent {
                    Some(parent) => source_of[parent].map(Some),
                    None => Some(None),
                };
                let sibling = above.and_then(|above| {
                    let siblings = below.get_mut(&(above, name.clone()))?;
                    next_free(siblings, &is_taken)
                });
                let found = sibling.or_else(|| match parents {
                    Parents::Any if !name.is_empty() => next_free(named.get_mut(&name)?, &is_taken),
                    Parents::Any | Parents::Paired => None,
                });
                let found = found.filter(|&found| source_roles[found] == target_roles[index]);
                if let Some(found) = found {
                    is_taken[found] = true;
                    source_of[index] = Some(found);
                }
            }
        }
    }
    source_of
}

/// Returns the first joint of a queue that is not taken.
fn next_free(queue: &mut VecDeque<usize>, is_taken: &[bool]) -> Option<usize> {
    while queue.front().is_some_and(|&joint| is_taken[joint]) {
        queue.pop_front();
    }
    queue.front().copied()
}

/// Parents of joints that may be paired.
#[derive(Debug, Clone, Copy)]
enum Parents {
    /// Pairs themselves, or none.
    Paired,
    Any,
}

/// Pairs the first joints of each role, but those of chains, where names did not.
fn pair_roles(
    source_roles: &[Option<Role>],
    target_roles: &[Option<Role>],
    source_of: &mut [Option<usize>],
) {
    let first = |roles: &[Option<Role>]| {
        let mut first: HashMap<Role, usize> = HashMap::new();
        for (joint, role) in roles.iter().enumerate() {
            if let Some(role) = role {
                first.entry(*role).or_insert(joint);
            }
        }
        first
    };
    let sources = first(source_roles);
    for (role, target) in first(target_roles) {
        if let Some(&source) = sources.get(&role)
            && ![Role::Spine, Role::Neck].contains(&role)
            && !source_of.contains(&Some(source))
        {
            source_of[target] = source_of[target].or(Some(source));
        }
    }
}

/// Pairs two chains from end to end, unless all joints of the motion's are paired by name.
fn pair_chain(
    role: Role,
    source_roles: &[Option<Role>],
    target_roles: &[Option<Role>],
    source_of: &mut [Option<usize>],
) {
    let chain = |roles: &[Option<Role>]| -> Vec<usize> {
        let joints = roles.iter().enumerate();
        let joints = joints.filter(|(_, found)| **found == Some(role));
        joints.map(|(joint, _)| joint).collect()
    };
    let (sources, targets) = (chain(source_roles), chain(target_roles));
    let is_paired = sources
        .iter()
        .all(|&source| source_of.contains(&Some(source)));
    let (Some(last_source), false) = (sources.len().checked_sub(1), is_paired) else {
        return;
    };
    let last_target = targets.len().saturating_sub(1).max(1);
    for (at, &target) in targets.iter().enumerate() {
        let at = if targets.len() == 1 { last_target } else { at };
        let source = (at * last_source + last_target / 2) / last_target;
        source_of[target] = Some(sources[source]);
    }
}

fn index_of(skeleton: &Skeleton, name: &str, owner: &'static str) -> Result<usize, MapError> {
    let joints = skeleton.joints();
    let exact = joints.iter().position(|joint| joint.name == name);
    let plain = || {
        let wanted = plain_name(name);
        let mut names = joints.iter().map(|joint| plain_name(&joint.name));
        names.position(|plain| plain == wanted)
    };
    exact.or_else(plain).ok_or_else(|| MapError::UnknownJoint {
        owner,
        name: name.to_owned(),
        joints: first_names(skeleton),
    })
}

fn first_names(skeleton: &Skeleton) -> String {
    let names = skeleton.joints().iter().map(|joint| joint.name.as_str());
    list(names.filter(|name| !name.is_empty()))
}

/// Lists the first names, and the number of the others.
pub(crate) fn list<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.collect();
    let shown = names[..names.len().min(NAMED)].join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_rig::{Joint, Transform};

    fn joint(name: &str, parent: Option<usize>) -> Joint {
        Joint {
            name: name.into(),
            parent,
            parent_from_joint: Transform::IDENTITY,
            kind: JointKind::Bone,
        }
    }

    /// A chain of joints, each the child of the one before.
    fn chain(names: &[&str]) -> Skeleton {
        let joints = names.iter().enumerate();
        let joints = joints.map(|(index, name)| joint(name, index.checked_sub(1)));
        Skeleton::new(joints.collect()).unwrap()
    }

    fn mapped(source: &[&str], target: &[&str]) -> Vec<Option<String>> {
        let (source, target) = (chain(source), chain(target));
        let map = JointMap::find(&source, &target, &[]).unwrap();
        let name = |joint: usize| source.joints()[joint].name.clone();
        (0..map.len()).map(|j| map.source_of(j).map(name)).collect()
    }

    fn some(names: &[&str]) -> Vec<Option<String>> {
        names.iter().map(|name| Some((*name).into())).collect()
    }

    #[test]
    fn pairs_names_then_plain_names_then_roles() {
        let source = ["rig:Hips", "Tail", "mixamorig:LeftUpLeg", "thumb_01_l"];
        let target = ["pelvis", "Tail", "lfemur", "LeftHandThumb1"];
        assert_eq!(mapped(&source, &target), some(&source));
    }

    #[test]
    fn spines_of_other_lengths_are_paired_from_end_to_end() {
        let three = ["Hips", "LowerBack", "Spine", "Spine1"];
        let five = [
            "pelvis", "spine_01", "spine_02", "spine_03", "spine_04", "spine_05",
        ];
        let expected = ["Hips", "LowerBack", "Spine", "Spine", "Spine1", "Spine1"];
        assert_eq!(mapped(&three, &five), some(&expected));
        let expected = ["pelvis", "spine_01", "spine_03", "spine_05"];
        assert_eq!(mapped(&five, &three), some(&expected));
        let one = ["Hips", "Chest"];
        assert_eq!(mapped(&three, &one), some(&["Hips", "Spine1"]));
        assert_eq!(mapped(&one, &three)[1..], some(&["Chest"; 3]));
    }

    #[test]
    fn shoulders_of_rigs_with_collars_are_not_clavicles() {
        let source = ["Hips", "LeftCollar", "LeftShoulder", "LeftElbow"];
        let target = ["Hips", "LeftShoulder", "LeftArm", "LeftForeArm"];
        assert_eq!(mapped(&source, &target), some(&source));
    }

    #[test]
    fn joints_of_one_name_follow_their_parents() {
        let source = vec![
            joint("root", None),
            joint("a", Some(0)),
            joint("x", Some(1)),
            joint("b", Some(0)),
            joint("x", Some(3)),
        ];
        let target = vec![
            joint("root", None),
            joint("b", Some(0)),
            joint("x", Some(1)),
            joint("a", Some(0)),
            joint("x", Some(3)),
        ];
        let (source, target) = (Skeleton::new(source), Skeleton::new(target));
        let map = JointMap::find(&source.unwrap(), &target.unwrap(), &[]).unwrap();
        let expected = [0, 3, 4, 1, 2].map(Some);
        assert_eq!(map.source_of, expected);
    }

    #[test]
    fn joints_without_names_are_paired_in_their_order() {
        let source = vec![
            joint("", None),
            joint("", Some(0)),
            joint("a", Some(0)),
            joint("", Some(0)),
        ];
        let target = vec![
            joint("", None),
            joint("", Some(0)),
            joint("", Some(1)),
            joint("", Some(0)),
        ];
        let (source, target) = (Skeleton::new(source), Skeleton::new(target));
        let map = JointMap::find(&source.unwrap(), &target.unwrap(), &[]).unwrap();
        assert_eq!(map.source_of, [Some(0), Some(1), None, Some(3)]);
    }

    #[test]
    fn node_of_a_bones_name_does_not_take_its_motion() {
        let source = vec![joint("body", None), joint("torso", Some(0))];
        // The first torso holds a mesh.
        let target = vec![
            joint("mesh", None),
            joint("torso", Some(0)),
            joint("body", None),
            joint("torso", Some(2)),
        ];
        let (source, target) = (Skeleton::new(source), Skeleton::new(target));
        let map = JointMap::find(&source.unwrap(), &target.unwrap(), &[]).unwrap();
        assert_eq!(map.source_of[1..], [None, Some(0), Some(1)]);
    }

    #[test]
    fn pairs_given_by_name_win() {
        let (source, target) = (chain(&["Hips", "Tail"]), chain(&["Hips", "Rope"]));
        let pair = |target: &str, source: Option<&str>| JointPair {
            target: target.into(),
            source: source.map(str::to_owned),
        };
        let pairs = [pair("Rope", Some("tail")), pair("Hips", None)];
        let map = JointMap::find(&source, &target, &pairs).unwrap();
        assert_eq!(map.source_of, [None, Some(1)]);
        let error = JointMap::find(&source, &target, &[pair("Wing", None)]).unwrap_err();
        let message = "the character has no joint 'Wing'; its joints are Hips, Rope";
        assert_eq!(error.to_string(), message);
    }

    #[test]
    fn rejects_skeletons_without_a_common_joint() {
        let (source, target) = (chain(&["a"]), chain(&["b"]));
        let error = JointMap::find(&source, &target, &[]).unwrap_err();
        assert!(matches!(error, MapError::NothingMapped { .. }));
    }
}
