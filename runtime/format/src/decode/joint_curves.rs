//! `bone-local`: evaluates each joint's curves in its parent's space, then multiplies from the roots down.
//!
//! Computes in float32 and in the order of the shader, whose functions have the same names.

use glam::{Affine3A, DAffine3, Mat3A, Quat, Vec3, Vec3A};
use throng_rig::quat_from_mrp_f32;

use super::{BonePose, ClipTime};
use crate::curves::{
    ClipRecord, CurveHeader, JointRecord, Words, header_word, rotation_curve, row_words,
    vector_curve,
};
use crate::{JointCurveLayout, Texture, TextureSet};

/// A time of a clip, as a position in the compressed curves.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
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
            row: record.first_row + segment * row_words(curves),
            position,
        }
    }

    /// First key word of a curve's block, and the curve's header.
    pub fn header(&self, words: Words<'_>, curve: u32) -> (u32, CurveHeader) {
        let (block, header) = header_word(curve);
        let at = self.row + header;
        let header = CurveHeader::unpack([words.get(at), words.get(at + 1), words.get(at + 2)]);
        (words.get(self.row + block), header)
    }

    /// Value of a curve of translation, scale or offsets.
    pub fn vector(&self, words: Words<'_>, curve: u32) -> Vec3 {
        let (first_key_word, header) = self.header(words, curve);
        let reference = Vec3::from_array(header.reference());
        reference + vector_curve(words, first_key_word, &header, self.position)
    }

    /// Value of a curve of rotation.
    pub fn rotation(&self, words: Words<'_>, curve: u32) -> Quat {
        let (first_key_word, header) = self.header(words, curve);
        let reference = quat_from_mrp_f32(Vec3::from_array(header.reference()));
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

/// Evaluates a joint in its parent's space.
pub fn local_joint(words: Words<'_>, record: &JointRecord, moment: Moment) -> LocalJoint {
    let mut curve = record.first_curve;
    let mut rotation = quat_from_mrp_f32(record.rotation);
    if record.has_curve[0] {
        rotation = moment.rotation(words, curve);
        curve += 1;
    }
    let mut translation = record.translation;
    if record.has_curve[1] {
        translation += record.translation_extent() * moment.vector(words, curve);
        curve += 1;
    }
    let mut scale = record.scale;
    if record.has_curve[2] {
        scale += record.scale_extent * moment.vector(words, curve);
    }
    LocalJoint {
        translation,
        rotation,
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
    resolve(words, layout, |record| local_joint(words, record, moment))
}

/// Multiplies local transforms from the roots down, one per record.
fn resolve(
    words: Words<'_>,
    layout: &JointCurveLayout,
    local: impl Fn(&JointRecord) -> LocalJoint,
) -> Vec<Affine3A> {
    let mut model_from_joint: Vec<Affine3A> = Vec::with_capacity(layout.bones.len());
    for record in 0..layout.bones.len() as u32 {
        let record = JointRecord::read(words, layout.joint_table, layout.record_words, record);
        let parent_from_joint = local(&record).to_affine();
        model_from_joint.push(match record.parent {
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
    let joints = resolve(words, layout, |record| {
        local_joint(words, record, from).mix(local_joint(words, record, to), weight as f32)
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
