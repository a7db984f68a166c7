//! Order in which the instances of a crowd are posed: eight at a time, which play the same clips.

use throng_simd::LANES;

use super::play::CrowdPlay;

/// Instances in blocks of eight. A slot is a lane of a block.
#[derive(Debug, Clone, Default)]
pub(super) struct Plan {
    /// Clips and index of each instance, sorted. Empty if instances are in their own order.
    sorted: Vec<(Clips, u32)>,
    blocks: Vec<Block>,
    slots: Slots,
}

/// Slot of each instance; empty if it is the instance's index.
#[derive(Debug, Clone, Default)]
pub(super) struct Slots(Vec<u32>);

/// A clip, and the one that it fades to.
pub(super) type Clips = (usize, Option<usize>);

/// Up to eight instances that play the same clips.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub(super) clips: Clips,
    /// Instance of each lane. Unused lanes repeat an instance.
    pub(super) instances: [u32; LANES],
}

impl Plan {
    /// Keeps instances in their own order.
    pub(super) fn clear(&mut self) {
        self.sorted.clear();
        self.blocks.clear();
        self.slots.0.clear();
    }

    /// Puts instances that play the same clips side by side.
    pub(super) fn arrange(&mut self, plays: &[CrowdPlay]) {
        self.clear();
        self.slots.0.resize(plays.len(), 0);
        let clips = |play: &CrowdPlay| (play.clip, play.fade.map(|fade| fade.clip));
        let keys = plays
            .iter()
            .zip(0..)
            .map(|(play, index)| (clips(play), index));
        self.sorted.extend(keys);
        self.sorted.sort_unstable();
        for same_clips in self.sorted.chunk_by(|a, b| a.0 == b.0) {
            for instances in same_clips.chunks(LANES) {
                let (clips, last) = instances[instances.len() - 1];
                let mut block = Block {
                    clips,
                    instances: [last; LANES],
                };
                for (lane, &(_, instance)) in instances.iter().enumerate() {
                    block.instances[lane] = instance;
                    self.slots.0[instance as usize] = (self.blocks.len() * LANES + lane) as u32;
                }
                self.blocks.push(block);
            }
        }
    }

    /// Blocks of [`Self::arrange`].
    pub(super) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Number of blocks of a number of instances.
    pub(super) fn block_count(&self, instances: usize) -> usize {
        match self.slots.0.is_empty() {
            true => instances.div_ceil(LANES),
            false => self.blocks.len(),
        }
    }

    /// Slots of the instances.
    pub(super) fn slots(&self) -> &Slots {
        &self.slots
    }
}

impl Slots {
    /// Slot of an instance.
    pub(super) fn of(&self, instance: usize) -> usize {
        match self.0.is_empty() {
            true => instance,
            false => self.0[instance] as usize,
        }
    }

    /// Takes the slots of others, into the same memory.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.0.clone_from(&other.0);
    }

    /// Puts all instances into the first slot.
    pub(super) fn share_first(&mut self, instances: usize) {
        self.0.clear();
        self.0.resize(instances, 0);
    }
}
