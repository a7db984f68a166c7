//! Errors of characters that an encoding or preset cannot represent.

use throng_format::{BoneCode, Range, p0};
use throng_rig::Character;

use super::joint_scale::JointScale;
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

    /// Checks that ranges fit into P0's bytes, which hold whole centimetres.
    pub fn check_boxes(
        &self,
        ranges: &[Range],
        joints: &[usize],
        code: BoneCode,
    ) -> Result<(), BakeError> {
        let Some(preset @ (Preset::P0Matrix8 | Preset::P0Dq8)) = self.settings.preset else {
            return Ok(());
        };
        for (range, &joint) in ranges.iter().zip(joints) {
            if p0::box_bytes(p0::BoxCode::of_bones(code), range).is_none() {
                let numbers = range.center.iter().chain(&range.half_extent);
                return Err(BakeError::PresetBox {
                    preset: preset.name(),
                    what: format!("joint '{}'", self.joint_name(joint)),
                    value: numbers.fold(0.0, |a: f64, x| a.max(x.abs())),
                    remedy: self.settings.encoding.name(),
                });
            }
        }
        Ok(())
    }
}
