//! A pose set by hand: angles of joints on top of the rest pose or of the current frame.

use glam::{DQuat, DVec3, EulerRot};
use throng_format::{InterpolatedValues, Keyframe};
use throng_rig::{Character, CharacterPose, LocalPose, Skinning};
use throng_skin::reference::{Skinned, skin_part};
use throng_wgpu::Ticks;

use crate::gpu::Vertices;

/// A pose set by hand.
#[derive(Debug, Clone)]
pub struct PoseEdit {
    /// True while viewports show the pose instead of the timeline.
    pub is_active: bool,
    /// Angles of every joint about its own X, Y and Z axes, in degrees.
    pub angles_deg: Vec<[f32; 3]>,
    /// Pose that the angles are added to; `None` for the rest pose.
    pub base: Option<LocalPose>,
    /// 0 is the rest pose, 1 the pose.
    pub fraction: f64,
    /// Values that are interpolated.
    pub by: InterpolatedValues,
    /// Text that joints must contain to be listed.
    pub filter: String,
}

impl Default for PoseEdit {
    fn default() -> Self {
        Self {
            is_active: false,
            angles_deg: Vec::new(),
            base: None,
            fraction: 1.0,
            by: InterpolatedValues::Rotations,
            filter: String::new(),
        }
    }
}

impl PoseEdit {
    /// The rest pose of a character.
    pub fn of(character: &Character) -> Self {
        Self {
            angles_deg: vec![[0.0; 3]; character.skeleton().len()],
            ..Self::default()
        }
    }

    /// Interpolation of the pose as a clip.
    pub fn keyframe(&self) -> Keyframe {
        Keyframe {
            fraction: self.fraction,
            by: self.by,
        }
    }

    /// Sets all angles to zero, on top of the rest pose.
    pub fn reset(&mut self) {
        self.angles_deg.fill([0.0; 3]);
        self.base = None;
        self.fraction = 1.0;
    }

    /// The whole pose, before any interpolation.
    pub fn whole(&self, character: &Character) -> CharacterPose {
        let mut pose = CharacterPose::rest(character);
        if let Some(base) = &self.base {
            pose.local.clone_from(base);
        }
        for (joint, angles) in pose.local.joints.iter_mut().zip(&self.angles_deg) {
            if *angles != [0.0; 3] {
                let [x, y, z] = angles.map(|angle| f64::from(angle).to_radians());
                let turned = joint.rotation * DQuat::from_euler(EulerRot::XYZ, x, y, z);
                joint.rotation = turned.normalize();
            }
        }
        pose.resolve(character);
        pose
    }

    /// The pose with its joints interpolated from the rest pose.
    pub fn pose(&self, character: &Character) -> CharacterPose {
        let mut pose = self.whole(character);
        let rest = LocalPose::rest(character);
        let mut local = rest;
        local.blend(&pose.local, self.fraction);
        pose.local = local;
        pose.resolve(character);
        pose
    }

    /// Skinned vertices of the pose, by a method.
    pub fn vertices(&self, character: &Character, skinning: Skinning) -> Vertices {
        let skinned = |pose: &CharacterPose| -> [Vec<DVec3>; 2] {
            let mut part_of = Skinned::default();
            let mut all = [Vec::new(), Vec::new()];
            for part in character.parts() {
                skin_part(character, part, pose, skinning, &mut part_of);
                all[0].extend_from_slice(&part_of.positions);
                all[1].extend_from_slice(&part_of.normals);
            }
            all
        };
        let [mut positions, mut normals] = match self.by {
            InterpolatedValues::Rotations => skinned(&self.pose(character)),
            InterpolatedValues::Positions => skinned(&self.whole(character)),
        };
        if self.by == InterpolatedValues::Positions {
            let [rest, rest_normals] = skinned(&CharacterPose::rest(character));
            for (position, rest) in positions.iter_mut().zip(rest) {
                *position = rest.lerp(*position, self.fraction);
            }
            for (normal, rest) in normals.iter_mut().zip(rest_normals) {
                let mixed = rest.lerp(*normal, self.fraction);
                *normal = mixed.try_normalize().unwrap_or(rest);
            }
        }
        Vertices {
            positions: positions
                .iter()
                .map(|position| position.as_vec3())
                .collect(),
            normals: normals.iter().map(|normal| normal.as_vec3()).collect(),
            at: Ticks(0),
        }
    }
}
