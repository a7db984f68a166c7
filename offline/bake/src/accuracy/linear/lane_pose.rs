//! Palettes of eight times, side by side.

use std::collections::HashMap;

use glam::DAffine3;
use throng_format::decode::BonePose;
use throng_rig::Character;
use throng_simd::{LANES, Lanes64};

/// Palette matrices that move vertices, numbered over all skins of a character.
pub struct Slots<'a> {
    character: &'a Character,
    numbers: HashMap<(usize, usize), u32>,
    /// Joint and inverse bind matrix of each slot.
    slots: Vec<(usize, DAffine3)>,
}

impl<'a> Slots<'a> {
    pub fn new(character: &'a Character) -> Self {
        Self {
            character,
            numbers: HashMap::new(),
            slots: Vec::new(),
        }
    }

    /// Returns the slot of a palette index of a skin.
    pub fn of(&mut self, skin: usize, index: usize) -> u32 {
        let number = self.numbers.entry((skin, index));
        *number.or_insert_with(|| {
            let skin = &self.character.skins()[skin];
            self.slots
                .push((skin.joints()[index], skin.joint_from_bind()[index]));
            self.slots.len() as u32 - 1
        })
    }
}

/// An affine matrix at eight times, by columns.
#[derive(Clone)]
pub struct LaneMatrix(pub [Lanes64; 12]);

/// Palettes and morph weights of one playback at eight times.
pub struct LanePose {
    /// One per slot.
    pub palette: Vec<LaneMatrix>,
    pub morph_weights: Vec<Lanes64>,
}

impl LanePose {
    pub fn new(slots: &Slots<'_>) -> Self {
        Self {
            palette: vec![LaneMatrix([Lanes64::ZERO; 12]); slots.slots.len()],
            morph_weights: Vec::new(),
        }
    }

    /// Sets the pose of one lane.
    pub fn set(&mut self, lane: usize, slots: &Slots<'_>, pose: &BonePose) {
        for (matrix, (joint, joint_from_bind)) in self.palette.iter_mut().zip(&slots.slots) {
            let model_from_bind = pose.model_from_joint[*joint] * *joint_from_bind;
            let numbers = model_from_bind.to_cols_array();
            for (lanes, number) in matrix.0.iter_mut().zip(numbers) {
                lanes.0[lane] = number;
            }
        }
        self.morph_weights
            .resize(pose.morph_weights.len(), Lanes64::ZERO);
        for (lanes, &weight) in self.morph_weights.iter_mut().zip(&pose.morph_weights) {
            lanes.0[lane] = weight;
        }
    }

    /// Copies a lane to all lanes after it.
    pub fn repeat_from(&mut self, lane: usize) {
        let matrices = self.palette.iter_mut().flat_map(|matrix| &mut matrix.0);
        for lanes in matrices.chain(&mut self.morph_weights) {
            let number = lanes.0[lane];
            lanes.0[lane + 1..LANES].fill(number);
        }
    }
}
