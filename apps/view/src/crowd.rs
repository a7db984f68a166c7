//! A crowd of the document.

use std::hash::{DefaultHasher, Hash, Hasher};

use glam::{Affine3A, Vec3};
use throng_rig::Bounds;
use throng_studio::{Arrangement, Outfit, Random, View, places, random_tint};
use throng_wgpu::{Instance, Play};

use crate::document::Document;
use crate::timeline::Timeline;

/// Most instances of a crowd.
pub const MAX_INSTANCES: u32 = 100_000;

/// Clips that instances play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CrowdClips {
    /// All play the clip of the timeline.
    Timeline,
    /// Each plays one of all clips that have a duration.
    Mixed,
}

/// Instances and their variation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrowdChoice {
    /// Number of instances.
    pub instances: u32,
    /// Distance between neighbours, in sizes of the character.
    pub spacing: f32,
    /// Positions.
    pub arrangement: Arrangement,
    /// Largest offset into the clip, as a part of its duration.
    pub offsets: f32,
    /// Largest difference of speeds from 1.
    pub speeds: f32,
    /// Clips of the instances.
    pub clips: CrowdClips,
    /// Spread of poses between the rest pose and the animation, 0 to 1: instances are that far from it, by positions.
    pub poses: f32,
    /// True if colours vary.
    pub is_tinted: bool,
    /// Seed of all variation.
    pub seed: u64,
}

impl Default for CrowdChoice {
    fn default() -> Self {
        Self {
            instances: 1,
            spacing: 1.2,
            arrangement: Arrangement::Scatter,
            offsets: 1.0,
            speeds: 0.1,
            clips: CrowdClips::Timeline,
            poses: 0.0,
            is_tinted: true,
            seed: 0,
        }
    }
}

impl CrowdChoice {
    /// Changes with everything that [`Self::instances`] depends on.
    pub fn key(&self, timeline: &Timeline, generation: u64) -> u64 {
        let mut hash = DefaultHasher::new();
        let floats = [self.spacing, self.offsets, self.speeds, self.poses];
        floats.map(f32::to_bits).hash(&mut hash);
        (self.instances, self.arrangement.name(), self.clips).hash(&mut hash);
        (self.is_tinted, self.seed, generation).hash(&mut hash);
        timeline.instance_key().hash(&mut hash);
        hash.finish()
    }

    /// Distance between neighbours in metres.
    fn spacing_m(&self, document: &Document, timeline: &Timeline) -> f32 {
        let extent = document.clip_bounds(timeline.clip()).extent().as_vec3();
        let footprint = extent.x.max(extent.z).max(0.05 * document.size_m as f32);
        self.spacing * footprint
    }

    /// Transforms of the instances; the first is at the origin.
    fn transforms(&self, document: &Document, timeline: &Timeline) -> Vec<Affine3A> {
        if self.instances <= 1 {
            return vec![Affine3A::IDENTITY];
        }
        let slope = (0.5 * View::CROWD.fov_rad).tan() * 1.6;
        let spacing = self.spacing_m(document, timeline);
        let places = places(self.arrangement, self.instances, slope);
        let transform = |(index, place): (u32, throng_studio::Place)| {
            place.world_from_model(spacing, &mut self.random(index, Purpose::Place))
        };
        (0..).zip(places).map(transform).collect()
    }

    fn random(&self, index: u32, purpose: Purpose) -> Random {
        Random::of_instance(
            self.seed.wrapping_mul(4).wrapping_add(purpose as u64),
            index,
        )
    }

    /// Instances on the clock of a timeline.
    pub fn instances(&self, document: &Document, timeline: &Timeline) -> Vec<Instance> {
        let moving: Vec<usize> = (0..timeline.clips.len())
            .filter(|&clip| timeline.clips[clip].duration_secs > 0.0)
            .collect();
        let transforms = self.transforms(document, timeline);
        let is_crowd = transforms.len() > 1;
        let has_outfits = is_crowd && self.is_tinted && Outfit::fits(&document.character);
        let instance = |(index, world_from_model): (u32, Affine3A)| {
            let mut random = self.random(index, Purpose::Motion);
            let [offset, speed, clip, pose] = std::array::from_fn(|_| random.unit());
            let duration_secs = timeline.duration_secs();
            let mut instance = match is_crowd {
                true => timeline.instance(
                    f64::from(offset * self.offsets) * duration_secs,
                    1.0 + self.speeds * (2.0 * speed - 1.0),
                ),
                false => timeline.instance(0.0, 1.0),
            };
            instance.world_from_model = world_from_model;
            if is_crowd && self.clips == CrowdClips::Mixed && !moving.is_empty() {
                let chosen = moving[(clip * moving.len() as f32) as usize % moving.len()];
                instance.play = with_clip(instance.play, chosen as u32);
                instance.fade = None;
            }
            if is_crowd {
                instance.fraction = 1.0 - self.poses * pose;
            }
            if has_outfits {
                instance.user = Outfit::of_instance(self.seed, index).word();
            } else if is_crowd && self.is_tinted {
                instance.tint = random_tint(&mut self.random(index, Purpose::Tint));
            }
            instance
        };
        (0..).zip(transforms).map(instance).collect()
    }

    /// Corners of the bounding boxes of all instances.
    pub fn corners(&self, document: &Document, timeline: &Timeline) -> Vec<Vec3> {
        let mut own = match (self.instances, self.clips) {
            (2.., CrowdClips::Mixed) => document.bounds(),
            _ => document.clip_bounds(timeline.clip()),
        };
        if self.instances > 1 {
            own.union(&document.rest);
        }
        let transforms = self.transforms(document, timeline);
        let corners = transforms
            .iter()
            .flat_map(|transform| own.transformed_corners(transform.as_daffine3()));
        corners.map(glam::DVec3::as_vec3).collect()
    }

    /// Bounding box of all instances.
    pub fn bounds(&self, document: &Document, timeline: &Timeline) -> Bounds {
        let corners = self.corners(document, timeline);
        Bounds::of(corners.iter().map(|corner| corner.as_dvec3()))
    }
}

/// Independent streams of random numbers.
#[derive(Debug, Clone, Copy)]
enum Purpose {
    Place,
    Motion,
    Tint,
}

fn with_clip(play: Play, clip: u32) -> Play {
    match play {
        Play::Running { start, speed, .. } => Play::Running { clip, start, speed },
        Play::Held { time_secs, .. } => Play::Held { clip, time_secs },
    }
}
