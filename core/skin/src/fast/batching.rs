//! Groups vertices into batches that share one set of joints.
//!
//! Real meshes have few distinct sets, so most batches are full. Leftover vertices of several sets are merged
//! where the union of their sets is small enough. A vertex then has weight zero for joints that are not its own
//! influences.

use std::collections::HashMap;

use throng_rig::Influences;
use throng_simd::LANES;

/// Number of vertices in a batch: one per lane.
pub const BATCH: usize = LANES;

/// Largest number of joints of merged leftovers. A vertex with more influences keeps its own set.
const MAX_MERGED: usize = 4;

/// Largest number of open groups that are listed per joint, the newest. It bounds the work if all sets differ.
const MAX_OPEN: usize = 64;

/// Vertices that are skinned with one set of joints.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Group {
    /// Joints in ascending order.
    pub joints: Vec<u32>,
    /// Vertices whose influences are all among the joints.
    pub vertices: Vec<u32>,
}

/// Assigns every vertex to one group. Groups with few joints are first, so that each kernel has long runs.
pub(super) fn group(influences: &Influences) -> Vec<Group> {
    let mut groups = by_set(influences);
    let mut leftovers = Vec::new();
    for group in &mut groups {
        let full = group.vertices.len() / BATCH * BATCH;
        let rest = group.vertices.split_off(full);
        if !rest.is_empty() {
            leftovers.push(Group {
                joints: group.joints.clone(),
                vertices: rest,
            });
        }
    }
    groups.retain(|group| !group.vertices.is_empty());
    groups.extend(merge(leftovers));
    groups.sort_by_key(|group| group.joints.len());
    groups
}

/// Returns one group per distinct set, in the order of their first vertices.
fn by_set(influences: &Influences) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut known: HashMap<Vec<u32>, usize> = HashMap::new();
    let mut set = Vec::new();
    for vertex in 0..influences.vertex_count() {
        set.clear();
        set.extend_from_slice(influences.run(vertex).0);
        set.sort_unstable();
        let index = match known.get(&set) {
            Some(&index) => index,
            None => {
                known.insert(set.clone(), groups.len());
                groups.push(Group {
                    joints: set.clone(),
                    vertices: Vec::new(),
                });
                groups.len() - 1
            }
        };
        groups[index].vertices.push(vertex as u32);
    }
    groups
}

/// Merges leftovers, each less than a batch. Large sets come first, so that small sets fit into them.
fn merge(mut leftovers: Vec<Group>) -> Vec<Group> {
    leftovers.sort_by_key(|group| std::cmp::Reverse(group.joints.len()));
    let mut bins = Bins::default();
    for mut leftover in leftovers {
        while !leftover.vertices.is_empty() {
            match bins.best_for(&leftover) {
                Some(index) => bins.fill(&mut leftover, index),
                None => bins.open(std::mem::take(&mut leftover)),
            }
        }
    }
    bins.groups
}

/// Groups of at most one batch, while they are filled.
#[derive(Default)]
struct Bins {
    groups: Vec<Group>,
    /// Groups with room, listed under each of their joints.
    with_joint: HashMap<u32, Vec<usize>>,
}

impl Bins {
    fn open(&mut self, group: Group) {
        for &joint in &group.joints {
            self.list(joint, self.groups.len());
        }
        self.groups.push(group);
    }

    fn list(&mut self, joint: u32, index: usize) {
        let listed = self.with_joint.entry(joint).or_default();
        if listed.len() == MAX_OPEN {
            listed.remove(0);
        }
        listed.push(index);
    }

    /// Returns the group that needs the fewest new joints, and of those the one with the most room. Only groups
    /// that share a joint are considered.
    fn best_for(&self, leftover: &Group) -> Option<usize> {
        let mut best = None;
        for joint in &leftover.joints {
            for &index in self.with_joint.get(joint).into_iter().flatten() {
                let bin = &self.groups[index];
                let is_new = |joint: &&u32| bin.joints.binary_search(joint).is_err();
                let new = leftover.joints.iter().filter(is_new).count();
                let rank = (new, bin.vertices.len(), index);
                if bin.joints.len() + new <= MAX_MERGED.max(bin.joints.len())
                    && best.is_none_or(|best| rank < best)
                {
                    best = Some(rank);
                }
            }
        }
        best.map(|(_, _, index)| index)
    }

    /// Moves as many vertices as fit.
    fn fill(&mut self, leftover: &mut Group, index: usize) {
        for &joint in &leftover.joints {
            if let Err(position) = self.groups[index].joints.binary_search(&joint) {
                self.groups[index].joints.insert(position, joint);
                self.list(joint, index);
            }
        }
        let bin = &mut self.groups[index];
        let room = BATCH - bin.vertices.len();
        let stay = leftover.vertices.len().saturating_sub(room);
        bin.vertices.extend(leftover.vertices.drain(stay..));
        if bin.vertices.len() == BATCH {
            for joint in &bin.joints {
                if let Some(listed) = self.with_joint.get_mut(joint) {
                    listed.retain(|&open| open != index);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn influences(sets: &[(&[u32], usize)]) -> Influences {
        let vertices = sets.iter().flat_map(|&(set, count)| {
            let pairs: Vec<(u32, f64)> = set.iter().map(|&joint| (joint, 1.0)).collect();
            std::iter::repeat_n(pairs, count)
        });
        Influences::new(vertices).unwrap()
    }

    fn shapes(sets: &[(&[u32], usize)]) -> Vec<(Vec<u32>, usize)> {
        let groups = group(&influences(sets)).into_iter();
        groups.map(|g| (g.joints, g.vertices.len())).collect()
    }

    #[test]
    fn leftovers_of_several_sets_are_merged() {
        assert_eq!(
            shapes(&[(&[1, 0], 19), (&[0], 12), (&[1, 2], 1)]),
            [(vec![0], 8), (vec![0, 1], 16), (vec![0, 1, 2], 8)]
        );
    }

    #[test]
    fn leftovers_with_too_many_joints_are_not_merged() {
        assert_eq!(
            shapes(&[(&[0, 1, 2, 3], 3), (&[3, 4], 2)]),
            [(vec![3, 4], 2), (vec![0, 1, 2, 3], 3)]
        );
    }

    #[test]
    fn large_set_takes_in_its_subsets() {
        let large = [0, 1, 2, 3, 4, 5];
        assert_eq!(
            shapes(&[(&[5, 0], 2), (&large, 3), (&[9], 1)]),
            [(vec![9], 1), (large.to_vec(), 5)]
        );
    }

    #[test]
    fn vertices_without_room_open_a_batch() {
        assert_eq!(
            shapes(&[(&[0, 1], 7), (&[0, 2], 7)]),
            [(vec![0, 2], 6), (vec![0, 1, 2], 8)]
        );
    }
}
