//! Contestants on the device.

use throng_wgpu::{CrowdMaterial, Ticks};

use crate::BenchError;
use crate::arena::{Arena, FrameTimes};
use crate::entrant::Made;
use crate::stage::{Stage, grid};

/// Contestants that draw crowds on a stage.
pub struct GpuArena<'a> {
    stage: &'a Stage,
    entrants: Vec<Option<Playing>>,
    spacing_m: f32,
}

struct Playing {
    made: Made,
    material: CrowdMaterial,
    instances: u32,
    height_m: f32,
    frame: u32,
}

/// Ticks between frames: a sixtieth of a second.
const TICKS_PER_FRAME: u32 = 1092;

impl<'a> GpuArena<'a> {
    /// Contestants of one character, in rows `spacing_m` metres apart; `None` for those that were refused.
    pub fn new(
        stage: &'a Stage,
        entrants: Vec<Option<Made>>,
        spacing_m: f64,
    ) -> Result<Self, BenchError> {
        let playing = |made: Made| {
            let model = made.crowd.model().clone();
            let material = stage.gpu().checked(|| stage.plain(&model))??;
            Ok(Playing {
                made,
                material,
                instances: 0,
                height_m: 1.0,
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
        let playing = self.playing(entrant)?;
        if playing.instances == instances {
            return Ok(());
        }
        let clips = playing.made.clips.len() as u32;
        let (mut list, height_m) = grid(instances, clips, spacing_m);
        for instance in &mut list {
            if let throng_wgpu::Play::Running { clip, .. } = &mut instance.play {
                *clip = playing.made.clips[*clip as usize];
            }
        }
        gpu.checked(|| playing.made.crowd.set_instances(&list))
            .and_then(|set| set)
            .map_err(|error| BenchError::TooMany(error.to_string()))?;
        playing.instances = instances;
        playing.height_m = height_m;
        Ok(())
    }

    fn frame(&mut self, entrant: usize) -> Result<FrameTimes, BenchError> {
        let stage = self.stage;
        let playing = self.playing(entrant)?;
        playing.frame = playing.frame.wrapping_add(1);
        let now = Ticks(playing.frame.wrapping_mul(TICKS_PER_FRAME));
        let crowd = &mut playing.made.crowd;
        stage.frame(crowd, &playing.material, now, playing.height_m)
    }
}
