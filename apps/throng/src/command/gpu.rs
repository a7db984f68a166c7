//! Sets and poses evaluated on a GPU and read back.

use std::sync::{Arc, Mutex, PoisonError};

use glam::DVec3;
use throng_bake::accuracy::{Playback, Played, Player};
use throng_format::TextureSet;
use throng_rig::{Character, CharacterPose, LoopPolicy, Skinning};
use throng_skin::reference::Skinned;
use throng_wgpu::{
    Captured, Crowd, CrowdModel, Gpu, GpuError, Instance, ModelSettings, Play, Technique, Ticks,
};

/// Uploads a texture set and makes a crowd of it.
pub fn crowd_of_set(
    gpu: &Gpu,
    set: &TextureSet,
    settings: ModelSettings,
) -> Result<Crowd, GpuError> {
    gpu.checked(|| CrowdModel::new(gpu.device(), gpu.queue(), set, settings)?.crowd())?
}

/// Uploads a character that is static or posed by the CPU, and makes a crowd of it.
pub fn crowd_of_character(
    gpu: &Gpu,
    character: &Arc<Character>,
    loops: &[LoopPolicy],
    technique: Technique,
    skinning: Skinning,
    settings: ModelSettings,
) -> Result<Crowd, GpuError> {
    let (device, queue) = (gpu.device(), gpu.queue());
    gpu.checked(|| {
        CrowdModel::of_character(
            device, queue, character, loops, technique, skinning, settings,
        )?
        .crowd()
    })?
}

/// Draws all vertices at a time and waits for them.
pub fn capture(gpu: &Gpu, crowd: &mut Crowd, now: Ticks) -> Result<Vec<Captured>, GpuError> {
    gpu.checked(|| crowd.capture(now)?.wait())?
}

/// Plays a set on a GPU and reads its vertices back.
pub struct GpuPlayback<'s> {
    gpu: Gpu,
    set: &'s TextureSet,
    /// Shared by all players.
    crowd: Mutex<Crowd>,
    /// First error of a capture.
    error: Mutex<Option<GpuError>>,
}

impl<'s> GpuPlayback<'s> {
    pub fn new(gpu: &Gpu, set: &'s TextureSet) -> Result<Self, GpuError> {
        Ok(Self {
            gpu: gpu.clone(),
            set,
            crowd: Mutex::new(crowd_of_set(gpu, set, ModelSettings::default())?),
            error: Mutex::new(None),
        })
    }

    /// Returns the first error of a capture, if there was one.
    pub fn into_error(self) -> Option<GpuError> {
        self.error
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn capture(&self, clip: usize, time_secs: f64) -> Result<Captured, GpuError> {
        let mut crowd = self.crowd.lock().unwrap_or_else(PoisonError::into_inner);
        crowd.set_instances(&[Instance {
            play: Play::held(clip as u32, time_secs as f32),
            ..Instance::default()
        }])?;
        Ok(capture(&self.gpu, &mut crowd, Ticks(0))?.remove(0))
    }
}

impl Playback for GpuPlayback<'_> {
    fn player(&self) -> Box<dyn Player + '_> {
        Box::new(GpuPlayer(self))
    }
}

struct GpuPlayer<'a>(&'a GpuPlayback<'a>);

impl Player for GpuPlayer<'_> {
    fn play(&mut self, clip: usize, time_secs: f64, out: &mut Played) {
        let Self(playback) = self;
        out.parts.clear();
        out.model_from_joint.clear();
        let model = playback.set.model();
        let captured = playback.capture(clip, time_secs).unwrap_or_else(|error| {
            let mut first = playback
                .error
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert(error);
            Captured::default()
        });
        out.parts.resize_with(model.parts().len(), Skinned::default);
        split_parts(model, &captured, &mut out.parts);
    }
}

/// Skins a pose on a GPU. Replaces positions and normals; tangents stay as they are.
pub fn skin_pose(
    gpu: &Gpu,
    character: &Arc<Character>,
    pose: &CharacterPose,
    skinning: Skinning,
    parts: &mut [Skinned],
) -> Result<(), GpuError> {
    let settings = ModelSettings::default();
    let technique = Technique::PaletteDq;
    let mut crowd = crowd_of_character(gpu, character, &[], technique, skinning, settings)?;
    crowd.set_instances(&[Instance::default()])?;
    crowd.hold(Some(pose.clone()))?;
    let captured = capture(gpu, &mut crowd, Ticks(0))?.remove(0);
    split_parts(character, &captured, parts);
    Ok(())
}

/// Distributes captured vertices to parts. Missing vertices are NaN.
fn split_parts(model: &Character, captured: &Captured, parts: &mut [Skinned]) {
    let missing = glam::Vec3::NAN;
    let mut first = 0;
    for (part, skinned) in model.parts().iter().zip(parts) {
        let vertices = first..first + model.mesh_of(part).vertex_count();
        first = vertices.end;
        let vectors = |all: &[glam::Vec3]| -> Vec<DVec3> {
            let vector = |vertex: usize| all.get(vertex).unwrap_or(&missing).as_dvec3();
            vertices.clone().map(vector).collect()
        };
        skinned.positions = vectors(&captured.positions);
        skinned.normals = vectors(&captured.normals);
    }
}
