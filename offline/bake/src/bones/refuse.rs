//! Errors of characters that an encoding or preset cannot represent.

use throng_format::{BoneCode, Range, p0};
use throng_rig::Character;

use super::joint_scale::JointScale;
use super::p0_palette::NotRigid;
use crate::plan::BakePlan;
use crate::{BakeError, BakeSettings, Preset};

/// Makes errors that name joints and clips.
pub(super) struct Refusals<'a> {
    pub character: &'a Character,
    pub settings: &'a BakeSettings,
    pub plan: &'a BakePlan,
}

impl Refusals<'_> {
    fn joint_name(&self, joint: usize) -> String {
        match self.character.skeleton().joints()[joint].name.as_str() {
            "" => format!("#{joint}"),
            name => name.to_owned(),
        }
    }

    /// Returns the error of a joint that the encoding cannot represent.
    pub fn refusal(&self, joint: usize, joint_scale: &JointScale) -> BakeError {
        let (deformation, remedy) = match joint_scale {
            JointScale::Constant(_) => unreachable!("every code supports a constant scale"),
            JointScale::Varying(deformation) => (deformation, "bone-qt or bone-matrix"),
            JointScale::Sheared(deformation) => (deformation, "bone-matrix or vertex"),
        };
        let mut clips = self.plan.clips.iter();
        let clip = clips
            .find(|clip| deformation.frame < (clip.first_frame + clip.frames) as usize)
            .map_or("", |clip| &self.character.clips()[clip.clip].name);
        BakeError::NotHeld {
            encoding: self.settings.encoding,
            joint: self.joint_name(joint),
            clip: clip.to_owned(),
            deformation: deformation.description.clone(),
            remedy,
        }
    }

    /// Returns the unit of length in which P0's bytes hold all ranges, given in metres, and the ranges in that unit as they
    /// hold them.
    pub fn p0_boxes(
        &self,
        ranges: &[Range],
        joints: &[usize],
        code: BoneCode,
    ) -> Result<(f64, Vec<Range>), BakeError> {
        let code = p0::BoxCode::of_bones(code);
        let stored = p0::metres_per_unit(code, ranges).and_then(|unit| {
            let boxes = ranges.iter().map(|range| range.scaled(1.0 / unit));
            let boxes: Option<Vec<Range>> =
                boxes.map(|range| p0::stored_box(code, &range)).collect();
            Some((unit, boxes?))
        });
        stored.ok_or_else(|| {
            let reach = |range: &Range| {
                let numbers = range.center.iter().chain(&range.half_extent);
                numbers.fold(0.0, |a: f64, x| a.max(x.abs()))
            };
            let reaches = ranges.iter().map(reach).zip(joints);
            let farthest = reaches.max_by(|a, b| a.0.total_cmp(&b.0));
            let (value, &joint) = farthest.unwrap_or((0.0, &0));
            BakeError::PresetBox {
                preset: self.settings.preset.map_or("", Preset::name),
                what: format!("joint '{}'", self.joint_name(joint)),
                value,
            }
        })
    }

    /// Refuses morph weights that move, where the layout has no place for them.
    pub fn check_morphs(&self, morphs_move: bool) -> Result<(), BakeError> {
        match self.settings.preset {
            Some(preset) if morphs_move && preset.is_p0() => Err(BakeError::PresetMorphs {
                preset: preset.name(),
                encoding: self.settings.encoding,
            }),
            _ => Ok(()),
        }
    }

    /// Returns the error of an inverse bind matrix that dual quaternions cannot represent.
    pub fn inverse_bind(&self, fault: &NotRigid) -> BakeError {
        BakeError::PresetInverseBind {
            joint: self.joint_name(fault.joint),
            fault: fault.fault,
        }
    }
}
