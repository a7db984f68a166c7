//! `bone-local`: evaluates each joint's curves in its parent's space, then multiplies from the roots down.
//!
//! Computes in float32 and in the order of the shader, whose functions have the same names.

use glam::{Affine3A, DAffine3, Mat3A, Quat, Vec3, Vec3A};
use throng_rig::quat_from_mrp_f32;

use super::{BonePose, ClipTime};
use crate::curves::{
    ClipRecord, CurveHeader, JointRecord, RecordForm, Words, header_word, rank, read_reference,
    rotation_curve, vector_curve,
};
use crate::{JointCurveLayout, Texture, TextureSet};

/// A time of a clip, as a position in the compressed curves.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// First word of the clip's presence masks.
    pub masks: u32,
    /// First word of the segment's headers.
    pub row: u32,
    /// Position in the segment, from 0 to 1.
    pub position: f32,
}

impl Moment {
    /// Finds the segment of a time, in seconds from the start of the clip. Clamped to the clip.
    pub fn find(words: Words<'_>, clip_table: u32, curves: u32, clip: u32, time_secs: f32) -> Self {
        let record = ClipRecord::read(words, clip_table, clip);
        let (segment, position) = record.segment(time_secs);
        Self {
            masks: record.first_word,
            row: record.row(curves, segment),
            position,
        }
    }

    /// First key word of a curve's block, and the curve's header; `None` where the clip has no such curve.
    pub fn header(&self, words: Words<'_>, curve: u32) -> Option<(u32, CurveHeader)> {
        let (block, header) = header_word(rank(words, self.masks, curve)?);
        let at = self.row + header;
        let header = CurveHeader::unpack([words.get(at), words.get(at + 1)]);
        Some((words.get(self.row + block), header))
    }

    /// Value of a curve of translation, scale or offsets; zero where the clip has no such curve.
    pub fn vector(&self, words: Words<'_>, curve: u32) -> Vec3 {
        let Some((first_key_word, header)) = self.header(words, curve) else {
            return Vec3::ZERO;
        };
        let value = vector_curve(words, first_key_word, &header, self.position);
        if header.has_reference {
            read_reference(words, first_key_word, &header) + value
        } else {
            value
        }
    }

    /// Value of a curve of rotation; `constant` where the clip has no such curve. A curve without a reference of its own
    /// is relative to `constant`.
    pub fn rotation(&self, words: Words<'_>, curve: u32, constant: Quat) -> Quat {
        let Some((first_key_word, header)) = self.header(words, curve) else {
            return constant;
        };
        let reference = if header.has_reference {
            quat_from_mrp_f32(read_reference(words, first_key_word, &header))
        } else {
            constant
        };
        reference * rotation_curve(words, first_key_word, &header, self.position)
    }
}

/// A joint in its parent's space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LocalJoint {
    /// Translation in the parent's space.
    pub translation: Vec3,
    /// Rotation in the parent's space.
    pub rotation: Quat,
    /// Scale, applied before the rotation.
    pub scale: Vec3,
}

impl LocalJoint {
    /// Blends with another pose of the joint, in its parent's space. Twin of the shader's `local_joint_mix`.
    fn mix(self, other: Self, weight: f32) -> Self {
        let sign = if self.rotation.dot(other.rotation) < 0.0 {
            -1.0
        } else {
            1.0
        };
        let rotation = self.rotation * (1.0 - weight) + other.rotation * (sign * weight);
        Self {
            translation: self.translation.lerp(other.translation, weight),
            rotation: rotation.normalize(),
            scale: self.scale.lerp(other.scale, weight),
        }
    }

    fn to_affine(self) -> Affine3A {
        Affine3A {
            matrix3: Mat3A::from_quat(self.rotation) * Mat3A::from_diagonal(self.scale),
            translation: Vec3A::from(self.translation),
        }
    }
}

/// Evaluates a joint in its parent's space. `first_curve` is the joint's curve of rotation; those of translation and, if
/// the record's form has it, scale follow.
pub fn local_joint(
    words: Words<'_>,
    form: RecordForm,
    record: &JointRecord,
    first_curve: u32,
    moment: Moment,
) -> LocalJoint {
    let mut scale = record.scale;
    if form.has_scale {
        scale += record.scale_extent() * moment.vector(words, first_curve + 2);
    }
    LocalJoint {
        translation: record.translation
            + record.translation_extent() * moment.vector(words, first_curve + 1),
        rotation: moment.rotation(words, first_curve, quat_from_mrp_f32(record.rotation)),
        scale,
    }
}

/// Decodes the joints of a layout at a time, in model space, one per record.
///
/// # Panics
/// If the words of the texture point outside it; those of a [`TextureSet`] do not.
pub fn model_from_joints(
    texture: &Texture,
    layout: &JointCurveLayout,
    clip: u32,
    time_secs: f32,
) -> Vec<Affine3A> {
    let words = Words::of(texture);
    let moment = Moment::find(words, layout.clip_table, layout.curves, clip, time_secs);
    resolve(words, layout, |joint| joint.at(words, moment))
}

/// A record and its curves.
struct JointCurves {
    form: RecordForm,
    record: JointRecord,
    first_curve: u32,
}

impl JointCurves {
    fn at(&self, words: Words<'_>, moment: Moment) -> LocalJoint {
        local_joint(words, self.form, &self.record, self.first_curve, moment)
    }
}

/// Multiplies local transforms from the roots down, one per record.
fn resolve(
    words: Words<'_>,
    layout: &JointCurveLayout,
    local: impl Fn(&JointCurves) -> LocalJoint,
) -> Vec<Affine3A> {
    let form = RecordForm::of_words(layout.record_words).expect("the set was checked");
    let mut model_from_joint: Vec<Affine3A> = Vec::with_capacity(layout.bones.len());
    for index in 0..layout.bones.len() as u32 {
        let joint = JointCurves {
            form,
            record: JointRecord::read(words, layout.joint_table, form, index),
            first_curve: index * form.channels(),
        };
        let parent_from_joint = local(&joint).to_affine();
        model_from_joint.push(match joint.record.parent {
            Some(parent) => model_from_joint[parent as usize] * parent_from_joint,
            None => parent_from_joint,
        });
    }
    model_from_joint
}

/// Decodes all joints of the set at a time, in model space.
pub(super) fn joints(
    set: &TextureSet,
    layout: &JointCurveLayout,
    (clip, time_secs): ClipTime,
    out: &mut BonePose,
) {
    let texture = &set.textures()[layout.texture];
    let joints = model_from_joints(texture, layout, clip as u32, time_secs as f32);
    write_joints(layout, joints, out);
}

/// Decodes all joints of the set at two times and blends them in their parents' spaces.
pub(super) fn fade_joints(
    set: &TextureSet,
    layout: &JointCurveLayout,
    times: [ClipTime; 2],
    weight: f64,
    out: &mut BonePose,
) {
    let words = Words::of(&set.textures()[layout.texture]);
    let [from, to] = times.map(|(clip, time_secs)| {
        let (clip, time_secs) = (clip as u32, time_secs as f32);
        Moment::find(words, layout.clip_table, layout.curves, clip, time_secs)
    });
    let joints = resolve(words, layout, |joint| {
        joint
            .at(words, from)
            .mix(joint.at(words, to), weight as f32)
    });
    write_joints(layout, joints, out);
}

fn write_joints(layout: &JointCurveLayout, joints: Vec<Affine3A>, out: &mut BonePose) {
    for (&joint, model) in layout.bones.iter().zip(joints) {
        out.model_from_joint[joint] = DAffine3 {
            matrix3: glam::Mat3::from(model.matrix3).as_dmat3(),
            translation: Vec3::from(model.translation).as_dvec3(),
        };
    }
}
