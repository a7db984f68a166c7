//! The joint table of an existing set, for clips that are added to it.

use thiserror::Error;
use throng_format::curves::{JointRecord, RecordForm, Words};
use throng_format::{JointCurveLayout, Texture};
use throng_rig::Character;

use super::LocalRig;
use super::channels::{BoneChannels, Channels, Moving, find_present, moving_bones};
use super::samples::SampledClips;

/// Margin between the motion of a joint and the extent of its curves, as for a new table.
const MARGIN: f64 = 1.01;

/// Constants of joints and extents of their curves, as stored.
#[derive(Debug, Clone)]
pub struct JointTable {
    form: RecordForm,
    bones: Vec<usize>,
    records: Vec<JointRecord>,
    words: Vec<u32>,
}

/// A clip that does not fit the joint table of an existing set.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TableMisfit {
    /// The set has curves of other joints.
    #[error("the set has curves of other joints")]
    Bones,
    /// A joint leaves the extent of its curves.
    #[error("clip '{clip}' moves joint '{joint}' farther than the curves of the set reach")]
    Extent {
        /// Name of the clip.
        clip: String,
        /// Name of the joint.
        joint: String,
    },
    /// A joint is scaled, but the set has no scales.
    #[error("clip '{clip}' scales joint '{joint}', and the set has no scales")]
    Scale {
        /// Name of the clip.
        clip: String,
        /// Name of the joint.
        joint: String,
    },
}

impl JointTable {
    /// Reads the table of a checked set; `None` for a form of records that does not exist.
    pub fn read(layout: &JointCurveLayout, texture: &Texture) -> Option<Self> {
        let form = RecordForm::of_words(layout.record_words)?;
        let words = Words::of(texture);
        let record = |bone| JointRecord::read(words, layout.joint_table, form, bone);
        let bones = layout.bones.len() as u32;
        let word = |word| words.get(layout.joint_table + word);
        Some(Self {
            form,
            bones: layout.bones.clone(),
            records: (0..bones).map(record).collect(),
            words: (0..bones * form.words()).map(word).collect(),
        })
    }

    /// The words of the table.
    pub(super) fn words(&self) -> &[u32] {
        &self.words
    }
}

impl Channels {
    /// Finds the channels that move in each clip, with the constants and extents of a table.
    pub fn of_table(
        character: &Character,
        rig: &LocalRig,
        clips: &SampledClips<'_>,
        table: &JointTable,
        max_error: f64,
    ) -> Result<Self, TableMisfit> {
        let parents = rig.parents.iter().map(|p| p.map(|p| p as u32));
        let stored = table.records.iter().map(|record| record.parent);
        if table.bones != rig.bones || !parents.eq(stored) {
            return Err(TableMisfit::Bones);
        }
        let form = table.form;
        let moving = moving_bones(clips);
        let present = find_present(rig, clips, &moving, &table.records, max_error);
        for ((clip, moving), present) in clips.spans.iter().zip(&moving).zip(&present) {
            for (bone, (moving, present)) in moving.iter().zip(present).enumerate() {
                let names = || {
                    let joint = &character.skeleton().joints()[rig.bones[bone]];
                    (clip.clip.name.clone(), joint.name.clone())
                };
                let record = &table.records[bone];
                if present[2] && !form.has_scale {
                    let (clip, joint) = names();
                    return Err(TableMisfit::Scale { clip, joint });
                }
                let translation = moving.translation.most_from(record.translation.as_dvec3());
                let scale = moving.scale.most_from(record.scale.as_dvec3());
                let exceeds = |is_present: bool, most: f64, extent: f32| {
                    is_present && most * MARGIN > f64::from(extent)
                };
                if exceeds(
                    present[1],
                    translation.max_element(),
                    record.translation_extent(),
                ) || exceeds(present[2], scale.max_element(), record.scale_extent())
                {
                    let (clip, joint) = names();
                    return Err(TableMisfit::Extent { clip, joint });
                }
            }
        }
        let bones = table.records.iter().copied();
        Ok(Self {
            form,
            bones: bones.map(BoneChannels::stored).collect(),
            present,
            is_skewed: moving.iter().flatten().any(Moving::is_skewed),
        })
    }
}
