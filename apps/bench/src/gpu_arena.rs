//! Contestants on the device.

use glam::Mat4;
use throng_wgpu::{CrowdMaterial, CrowdView, Detail, Ticks, ViewCamera};

use crate::BenchError;
use crate::arena::{Arena, FrameTimes};
use crate::entrant::{Made, Visibility};
use crate::field::{FieldCamera, everywhere, field};
use crate::stage::{PICTURE, Stage, grid};

/// Contestants that draw crowds on a stage.
pub struct GpuArena<'a> {
    stage: &'a Stage,
    entrants: Vec<Option<Playing>>,
    spacing_m: f32,
    ground: Ground,
}

/// Places of the instances, and the camera.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// A grid that fills the picture of a parallel camera.
    Grid,
    /// A round field before a camera with perspective.
    Field(FieldCamera),
}

struct Playing {
    made: Made,
    material: CrowdMaterial,
    /// `None` if all instances are drawn in full detail.
    view: Option<CrowdView>,
    instances: u32,
    clip_from_world: Mat4,
    frame: u32,
}

/// Ticks between frames: a sixtieth of a second.
const TICKS_PER_FRAME: u32 = 1092;

impl<'a> GpuArena<'a> {
    /// Contestants of one character, `spacing_m` metres apart; `None` for those that were refused.
    pub fn new(
        stage: &'a Stage,
        entrants: Vec<Option<Made>>,
        spacing_m: f64,
        ground: Ground,
    ) -> Result<Self, BenchError> {
        let playing = |made: Made| {
            let model = made.crowd.model().clone();
            let material = stage.gpu().checked(|| stage.plain(&model))??;
            let view = match made.visibility {
                Visibility::Whole => None,
                _ => Some(made.crowd.view()?),
            };
            Ok(Playing {
                made,
                material,
                view,
                instances: 0,
                clip_from_world: Mat4::IDENTITY,
                frame: 0,
            })
        };
        let entrants = entrants
            .into_iter()
            .map(|made| made.map(playing).transpose());
        Ok(Self {
            stage,
            entrants: entrants.collect::<Result<_, BenchError>>()?,
            spacing_m: spacing_m as f32,
            ground,
        })
    }

    fn playing(&mut self, entrant: usize) -> Result<&mut Playing, BenchError> {
        let playing = self.entrants.get_mut(entrant).and_then(Option::as_mut);
        playing.ok_or_else(|| BenchError::TooMany("the contestant was refused".into()))
    }
}

impl Arena for GpuArena<'_> {
    fn set_instances(&mut self, entrant: usize, instances: u32) -> Result<(), BenchError> {
        let (gpu, spacing_m) = (self.stage.gpu().clone(), self.spacing_m);
        let ground = self.ground;
        let playing = self.playing(entrant)?;
        if playing.instances == instances {
            return Ok(());
        }
        let clips = playing.made.clips.len() as u32;
        let (mut list, clip_from_world) = match ground {
            Ground::Grid => grid(instances, clips, spacing_m),
            Ground::Field(camera) => field(instances, clips, spacing_m, camera),
        };
        for instance in &mut list {
            if let throng_wgpu::Play::Running { clip, .. } = &mut instance.play {
                *clip = playing.made.clips[*clip as usize];
            }
        }
        gpu.checked(|| playing.made.crowd.set_instances(&list))
            .and_then(|set| set)
            .map_err(|error| BenchError::TooMany(error.to_string()))?;
        playing.instances = instances;
        playing.clip_from_world = clip_from_world;
        Ok(())
    }

    fn frame(&mut self, entrant: usize) -> Result<FrameTimes, BenchError> {
        let stage = self.stage;
        let playing = self.playing(entrant)?;
        playing.frame = playing.frame.wrapping_add(1);
        let now = Ticks(playing.frame.wrapping_mul(TICKS_PER_FRAME));
        let camera = playing.clip_from_world;
        let visibility = playing.made.visibility;
        let view = playing.view.as_mut();
        let view = view.map(|view| (view, view_camera(camera, visibility)));
        stage.frame(
            &mut playing.made.crowd,
            &playing.material,
            now,
            camera,
            view,
        )
    }
}

/// Frustum and detail of a contestant.
fn view_camera(clip_from_world: Mat4, visibility: Visibility) -> ViewCamera {
    let detail = Detail {
        clip_from_world,
        size_px: PICTURE.map(|side| side as f32),
        max_error_px: 0.5,
    };
    ViewCamera {
        clip_from_world: match visibility.is_culled() {
            true => clip_from_world,
            false => everywhere(),
        },
        detail: visibility.has_levels().then_some(detail),
    }
}
