//! The instances of a crowd: dense in drawing order, addressed by ids that stay valid, with a record of what changed.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::instance::Instance;

/// Id of an instance. It stays valid while other instances come and go, and is never given to another instance of any
/// crowd.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct InstanceId {
    crowd: u32,
    slot: u32,
    generation: u32,
}

/// Place of an id.
#[derive(Debug, Clone, Copy)]
struct Slot {
    generation: u32,
    /// Index of the instance; `None` if the id is free.
    index: Option<u32>,
}

/// Instances without gaps, now and in the frame before.
#[derive(Debug)]
pub(crate) struct InstanceList {
    /// Number of the crowd in its ids.
    crowd: u32,
    instances: Vec<Instance>,
    /// The instances as they were in the frame before, in the same order.
    previous: Vec<Instance>,
    /// Slot of each instance.
    slot_of: Vec<u32>,
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// Indices of `instances` and `previous` that were not uploaded yet.
    changes: Changes,
    previous_changes: Changes,
}

/// Indices that changed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Changes {
    all: bool,
    indices: Vec<u32>,
}

/// Unchanged indices between two changed ones that are uploaded with them, because each upload costs more.
const MAX_GAP: usize = 16;

impl Changes {
    /// Marks an index of a list of `len` entries.
    fn add(&mut self, index: usize, len: usize) {
        if !self.all {
            self.indices.push(index as u32);
        }
        // The list stays short if nothing is uploaded for long.
        if self.is_most(len) {
            self.add_all();
        }
    }

    /// Returns true if so much changed that one upload of everything is cheaper.
    fn is_most(&self, len: usize) -> bool {
        self.indices.len() * 8 > len.max(64)
    }

    /// Marks all indices.
    pub fn add_all(&mut self) {
        self.all = true;
        self.indices.clear();
    }

    /// Returns the ranges to upload, in order, for a list of `len` entries.
    pub fn ranges(&self, len: usize) -> Vec<Range<usize>> {
        if len == 0 {
            return Vec::new();
        }
        if self.all || self.is_most(len) {
            return std::iter::once(0..len).collect();
        }
        let mut sorted: Vec<usize> = self.indices.iter().map(|&index| index as usize).collect();
        sorted.retain(|&index| index < len);
        sorted.sort_unstable();
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for index in sorted {
            match ranges.last_mut() {
                Some(last) if index <= last.end + MAX_GAP => last.end = last.end.max(index + 1),
                _ => ranges.push(index..index + 1),
            }
        }
        ranges
    }
}

impl InstanceList {
    pub fn new() -> Self {
        static CROWDS: AtomicU32 = AtomicU32::new(0);
        Self {
            crowd: CROWDS.fetch_add(1, Ordering::Relaxed),
            instances: Vec::new(),
            previous: Vec::new(),
            slot_of: Vec::new(),
            slots: Vec::new(),
            free: Vec::new(),
            changes: Changes::default(),
            previous_changes: Changes::default(),
        }
    }

    pub fn as_slice(&self) -> &[Instance] {
        &self.instances
    }

    /// The instances as they were in the frame before.
    pub fn previous(&self) -> &[Instance] {
        &self.previous
    }

    pub fn changes(&self) -> &Changes {
        &self.changes
    }

    pub fn previous_changes(&self) -> &Changes {
        &self.previous_changes
    }

    /// Ids in drawing order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = InstanceId> {
        self.slot_of.iter().map(|&slot| self.id(slot))
    }

    pub fn index_of(&self, id: InstanceId) -> Option<usize> {
        let slot = self.slots.get(id.slot as usize)?;
        let is_valid = id.crowd == self.crowd && slot.generation == id.generation;
        let index = slot.index.filter(|_| is_valid)?;
        Some(index as usize)
    }

    /// Replaces all instances. Old ids become invalid.
    pub fn set_all(&mut self, instances: &[Instance]) {
        for slot in self.slot_of.drain(..) {
            self.slots[slot as usize].index = None;
            self.slots[slot as usize].generation += 1;
            self.free.push(slot);
        }
        self.instances.clear();
        self.instances.extend_from_slice(instances);
        self.previous.clear();
        self.previous.extend_from_slice(instances);
        for index in 0..instances.len() as u32 {
            let slot = self.take_slot(index);
            self.slot_of.push(slot);
        }
        self.mark_all();
    }

    pub fn push(&mut self, instance: Instance) -> InstanceId {
        let index = self.instances.len() as u32;
        let slot = self.take_slot(index);
        self.instances.push(instance);
        self.previous.push(instance);
        self.slot_of.push(slot);
        let len = self.instances.len();
        self.changes.add(len - 1, len);
        self.previous_changes.add(len - 1, len);
        self.id(slot)
    }

    fn id(&self, slot: u32) -> InstanceId {
        InstanceId {
            crowd: self.crowd,
            slot,
            generation: self.slots[slot as usize].generation,
        }
    }

    /// Removes an instance; the last one takes its place.
    pub fn remove(&mut self, id: InstanceId) -> Option<Instance> {
        let index = self.index_of(id)?;
        let slot = &mut self.slots[id.slot as usize];
        slot.index = None;
        slot.generation += 1;
        self.free.push(id.slot);
        self.slot_of.swap_remove(index);
        self.previous.swap_remove(index);
        let removed = self.instances.swap_remove(index);
        if let Some(&moved) = self.slot_of.get(index) {
            self.slots[moved as usize].index = Some(index as u32);
            let len = self.instances.len();
            self.changes.add(index, len);
            self.previous_changes.add(index, len);
        }
        Some(removed)
    }

    pub fn replace(&mut self, index: usize, instance: Instance) {
        self.instances[index] = instance;
        self.changes.add(index, self.instances.len());
    }

    /// Replaces every instance; ids and the instances of the frame before stay.
    pub fn replace_all(&mut self, instances: Vec<Instance>) {
        debug_assert_eq!(instances.len(), self.instances.len());
        self.instances = instances;
        self.changes.add_all();
    }

    /// Marks everything as not uploaded.
    pub fn mark_all(&mut self) {
        self.changes.add_all();
        self.previous_changes.add_all();
    }

    /// Begins a new frame after an upload: the instances become those of the frame before.
    pub fn settle(&mut self) {
        let changes = std::mem::take(&mut self.changes);
        for range in changes.ranges(self.instances.len()) {
            self.previous[range.clone()].copy_from_slice(&self.instances[range]);
        }
        self.previous_changes = changes;
    }

    fn take_slot(&mut self, index: u32) -> u32 {
        match self.free.pop() {
            Some(slot) => {
                self.slots[slot as usize].index = Some(index);
                slot
            }
            None => {
                self.slots.push(Slot {
                    generation: 0,
                    index: Some(index),
                });
                self.slots.len() as u32 - 1
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    fn instance(user: u32) -> Instance {
        Instance {
            user,
            ..Instance::default()
        }
    }

    #[derive(Debug, Clone)]
    enum Step {
        Push,
        Remove(usize),
        Replace(usize),
        SetAll(usize),
        Settle,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            4 => Just(Step::Push),
            2 => any::<usize>().prop_map(Step::Remove),
            3 => any::<usize>().prop_map(Step::Replace),
            1 => (0usize..50).prop_map(Step::SetAll),
            2 => Just(Step::Settle),
        ]
    }

    proptest! {
        /// Ids find their instances, uploads of the ranges alone keep two mirrors equal to the list, and the mirror of the
        /// frame before holds each instance as it was at the last upload.
        #[test]
        fn ids_and_uploads_follow_any_sequence_of_changes(steps in prop::collection::vec(step(), 1..120)) {
            let mut list = InstanceList::new();
            let mut known: HashMap<InstanceId, u32> = HashMap::new();
            let mut at_last_upload: HashMap<InstanceId, u32> = HashMap::new();
            let mut removed = Vec::new();
            let (mut mirror, mut previous) = (Vec::new(), Vec::new());
            let mut next = 0;
            for step in steps {
                next += 1;
                let ids: Vec<_> = list.ids().collect();
                match step {
                    Step::Push => {
                        let id = list.push(instance(next));
                        prop_assert!(known.insert(id, next).is_none());
                    }
                    Step::Remove(at) if !ids.is_empty() => {
                        let id = ids[at % ids.len()];
                        prop_assert_eq!(list.remove(id).unwrap().user, known.remove(&id).unwrap());
                        removed.push(id);
                    }
                    Step::Replace(at) if !ids.is_empty() => {
                        let id = ids[at % ids.len()];
                        list.replace(list.index_of(id).unwrap(), instance(next));
                        known.insert(id, next);
                    }
                    Step::SetAll(count) => {
                        removed.extend(known.drain().map(|(id, _)| id));
                        let all: Vec<_> = (0..count as u32).map(|k| instance(1000 * next + k)).collect();
                        list.set_all(&all);
                        known.extend(list.ids().zip(all.iter().map(|one| one.user)));
                    }
                    Step::Settle => {
                        let len = list.as_slice().len();
                        mirror.resize(len, u32::MAX);
                        previous.resize(len, u32::MAX);
                        for index in list.changes().ranges(len).into_iter().flatten() {
                            mirror[index] = list.as_slice()[index].user;
                        }
                        for index in list.previous_changes().ranges(len).into_iter().flatten() {
                            previous[index] = list.previous()[index].user;
                        }
                        for (index, id) in list.ids().enumerate() {
                            prop_assert_eq!(mirror[index], known[&id]);
                            let before = at_last_upload.get(&id).unwrap_or(&previous[index]);
                            prop_assert_eq!(previous[index], *before);
                        }
                        at_last_upload = known.clone();
                        list.settle();
                    }
                    Step::Remove(_) | Step::Replace(_) => {}
                }
                for (id, user) in &known {
                    prop_assert_eq!(list.as_slice()[list.index_of(*id).unwrap()].user, *user);
                }
                for id in &removed {
                    prop_assert_eq!(list.index_of(*id), None);
                }
                prop_assert_eq!(list.as_slice().len(), known.len());
            }
        }
    }

    #[test]
    fn close_changes_are_uploaded_together() {
        let mut changes = Changes::default();
        for index in [90, 5, 9, 5, 60] {
            changes.add(index, 1000);
        }
        assert_eq!(changes.ranges(1000), [5..10, 60..61, 90..91]);
        assert!(changes.ranges(0).is_empty());
        // Many changes become one upload, and the list of them stays short.
        (0..10_000).for_each(|index| changes.add(index % 1000, 1000));
        assert!(changes.indices.len() <= 125);
        let ranges = changes.ranges(1000);
        assert_eq!(ranges.iter().map(Range::len).sum::<usize>(), 1000);
    }
}
