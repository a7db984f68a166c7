//! Transforms, clips and tints of the instances. The same arguments give the same crowd.

use glam::{Affine3A, Quat, Vec3};
use throng_rig::select_by_name;
use throng_studio::{Activity, Outfit, Random, places, random_tint};
use throng_wgpu::{Fade, Instance, Play, Ticks};

use super::activity::suited;
use super::placements::Placement;
use super::subject::{PlayedClip, Source};
use super::timing::Timing;
use crate::cli::{CrowdArgs, Outfits, Spread, Tint, parse_color};
use crate::command::CommandError;

/// Spacing of instances, relative to the mean extent of their clips.
const SPACING_PER_EXTENT: f32 = 1.2;
/// Number of poses of a crowd that is skinned once.
pub const GROUPS: u32 = 16;
/// Speeds of a crowd.
const CROWD_SPEED: Spread = Spread::new(0.9, 1.1);

/// Clip, offset and speed of an instance. A clip that is blended in has the same offset, so that steps coincide.
#[derive(Debug, Clone, Copy)]
struct Motion {
    /// Index into [`Source::clips`].
    clip: usize,
    /// Offset at the start, as a part of the clip's duration.
    offset: f32,
    speed: f32,
}

/// Makes the instances of an image. Their clips are indices into [`Source::clips`].
pub struct Instances<'a> {
    pub source: &'a Source,
    pub args: &'a CrowdArgs,
    pub timing: &'a Timing,
}

impl Instances<'_> {
    /// Returns one instance at the origin, at a time of its clip. Of ranges, it has the first value.
    pub fn single(&self, time_secs: Option<f64>) -> Instance {
        let mut instance = Instance {
            tint: self.tint(Tint::None, &mut Random::of_instance(self.args.seed, 0)),
            user: self.outfit(0),
            ..Instance::default()
        };
        let Some(clip) = self.source.clips.first() else {
            return instance;
        };
        let phase = match (time_secs, self.args.offset) {
            (Some(time_secs), _) if self.source.pose_clip.is_none() => {
                (time_secs - clip.start_secs) / clip.duration_secs.max(f64::MIN_POSITIVE)
            }
            (_, Some(offset)) => f64::from(offset.from),
            (_, None) => self.source.default_phase,
        };
        let motion = Motion {
            clip: 0,
            offset: phase.clamp(0.0, 1.0) as f32,
            speed: self.args.speed.map_or(1.0, |spread| spread.from),
        };
        instance.play = self.play(motion);
        if let (Some(fade), Some(clip)) = (&self.args.fade, self.source.fade_clip) {
            let weight = fade.weight.map(|spread| spread.from);
            instance.fade = Some(self.fade(Motion { clip, ..motion }, weight));
        }
        self.hold_pose(&mut instance, self.args.fraction.map(|spread| spread.from));
        instance
    }

    /// Distance between neighbours in metres.
    pub fn spacing(&self) -> f32 {
        let factor = self.args.arrangement().spacing_factor();
        let asked = self.args.spacing;
        asked.unwrap_or_else(|| factor * spacing(self.source))
    }

    /// Returns a crowd on the ground. The view widens by `slope` to each side per unit of depth.
    pub fn arranged(&self, slope: f32) -> Vec<Instance> {
        let spacing = self.spacing();
        let places = places(self.args.arrangement(), self.args.instances, slope);
        let pools = Pools::new(self.source, self.args);
        (0..)
            .zip(places)
            .map(|(index, place)| {
                let mut random = Random::of_instance(self.args.seed, index);
                let mut instance = Instance {
                    world_from_model: place.world_from_model(spacing, &mut random),
                    tint: self.tint(self.crowd_tint(), &mut random),
                    group: index % GROUPS,
                    user: self.outfit(index),
                    ..Instance::default()
                };
                let motion = self.random_motion(pools.of(place.activity), &mut random);
                instance.play = self.play(motion);
                self.vary(&mut instance, index, motion, &mut random);
                instance
            })
            .collect()
    }

    /// Returns the instances of a file. Clips are chosen from all clips of the source.
    pub fn placed(&self, placements: &[Placement]) -> Result<Vec<Instance>, CommandError> {
        let one = |(index, placement): (u32, &Placement)| self.of_placement(index, placement);
        (0..).zip(placements).map(one).collect()
    }

    fn of_placement(&self, index: u32, placement: &Placement) -> Result<Instance, CommandError> {
        let mut random = Random::of_instance(self.args.seed, index);
        let at = |value: Option<f32>| value.unwrap_or(0.0);
        let rotation = Quat::from_rotation_y(at(placement.heading).to_radians());
        let position = Vec3::new(at(placement.x), at(placement.y), at(placement.z));
        let scale = Vec3::splat(placement.scale.unwrap_or(1.0));
        let pool: Vec<usize> = (0..self.source.pool).collect();
        let chosen = self.random_motion(&pool, &mut random);
        let motion = Motion {
            clip: match &placement.clip {
                Some(name) => self.clip_named(index, "clip", name)?,
                None => chosen.clip,
            },
            offset: placement.offset.unwrap_or(chosen.offset),
            speed: placement.speed.unwrap_or(chosen.speed),
        };
        let mut instance = Instance {
            world_from_model: Affine3A::from_scale_rotation_translation(scale, rotation, position),
            tint: self.tint(self.crowd_tint(), &mut random),
            play: self.play(motion),
            group: index % GROUPS,
            user: self.outfit(index),
            ..Instance::default()
        };
        self.vary(&mut instance, index, motion, &mut random);
        if let Some([r, g, b]) = placement.tint.as_deref().and_then(parse_color) {
            instance.tint = [r, g, b, 255];
        }
        if placement.fraction.is_some() {
            self.hold_pose(&mut instance, placement.fraction);
        }
        if let Some(name) = &placement.fade_clip {
            let clip = self.clip_named(index, "fade_clip", name)?;
            instance.fade = Some(self.fade(Motion { clip, ..motion }, placement.fade_weight));
        }
        Ok(instance)
    }

    /// Returns the number of a clip that a placement names.
    fn clip_named(&self, index: u32, key: &str, name: &str) -> Result<usize, CommandError> {
        let names = self.source.names.iter().map(String::as_str);
        let found = select_by_name(names, name).ok();
        let mut clips = self.source.clips.iter();
        let number = clips.position(|clip| found.as_ref().is_some_and(|f| f.index == clip.index));
        number.ok_or_else(|| {
            CommandError::Usage(format!(
                "--placements: instance {index}: {key}: '{name}' is not played"
            ))
        })
    }

    /// Returns a clip of a pool, an offset and a speed.
    fn random_motion(&self, pool: &[usize], random: &mut Random) -> Motion {
        let (pick, offset, speed) = (random.unit(), random.unit(), random.unit());
        let offsets = self.args.offset.unwrap_or(Spread::new(0.0, 1.0));
        let number = ((pick * pool.len() as f32) as usize).min(pool.len().max(1) - 1);
        Motion {
            clip: pool.get(number).copied().unwrap_or(0),
            offset: offsets.at(offset),
            speed: self.args.speed.unwrap_or(CROWD_SPEED).at(speed),
        }
    }

    /// Sets the fraction and the fade of an instance of a crowd.
    fn vary(&self, instance: &mut Instance, index: u32, motion: Motion, random: &mut Random) {
        let unit = match self.args.instances {
            // In order, so that a row shows the whole range.
            count @ 2.. => index as f32 / (count - 1) as f32,
            _ => random.unit(),
        };
        if let (Some(fade), Some(clip)) = (&self.args.fade, self.source.fade_clip) {
            let weight = fade.weight.map(|spread| spread.at(unit));
            instance.fade = Some(self.fade(Motion { clip, ..motion }, weight));
        }
        self.hold_pose(instance, self.args.fraction.map(|spread| spread.at(unit)));
    }

    /// Holds a fraction of the pose. Without a fraction, instances that play the clip of the pose hold it whole in a still.
    fn hold_pose(&self, instance: &mut Instance, fraction: Option<f32>) {
        let Some(pose_clip) = self.source.pose_clip else {
            return;
        };
        let plays_pose = instance.play.clip() as usize == pose_clip;
        let fraction = match fraction {
            Some(fraction) => fraction,
            None if plays_pose && self.args.is_crowd() && !self.timing.is_animated() => 1.0,
            None => return,
        };
        let duration_secs = self.source.clips[pose_clip].duration_secs as f32;
        instance.play = Play::held(pose_clip as u32, fraction * duration_secs);
    }

    /// Plays a clip from an offset; a still of one instance holds it.
    fn play(&self, motion: Motion) -> Play {
        let Motion {
            clip,
            offset,
            speed,
        } = motion;
        let Some(PlayedClip { duration_secs, .. }) = self.source.clips.get(clip) else {
            return Play::new(0);
        };
        let duration_secs = *duration_secs;
        let is_still = !self.timing.is_animated() && !self.args.is_crowd();
        if is_still || speed == 0.0 {
            return Play::held(clip as u32, offset * duration_secs as f32);
        }
        let speed = self.timing.looping_speed(duration_secs, speed);
        let loop_secs = duration_secs / f64::from(speed);
        Play::Running {
            clip: clip as u32,
            start: Ticks::from_secs(-f64::from(offset) * loop_secs),
            speed,
        }
    }

    /// Returns the blend with a clip: held at a weight, else from the first to the last frame of an animated image. A still
    /// is half way.
    fn fade(&self, motion: Motion, weight: Option<f32>) -> Fade {
        let to = self.play(motion);
        match weight {
            Some(weight) => Fade::held(to, weight),
            None if self.timing.is_animated() => {
                let start = self.timing.secs(0);
                let end = self.timing.secs(self.timing.frames.max(2) - 1);
                let duration = Ticks::from_secs(end - start);
                Fade::starting(to, Ticks::from_secs(start), duration)
            }
            None => Fade::held(to, 0.5),
        }
    }

    /// Returns the user word of an instance: its outfit, or 0.
    fn outfit(&self, index: u32) -> u32 {
        match self.has_outfits() {
            true => Outfit::of_instance(self.args.seed, index).word(),
            false => 0,
        }
    }

    fn has_outfits(&self) -> bool {
        let outfits = self.args.outfits.unwrap_or(match self.args.is_crowd() {
            true => Outfits::Varied,
            false => Outfits::One,
        });
        self.source.has_outfits && outfits == Outfits::Varied
    }

    /// Default tint of a crowd.
    fn crowd_tint(&self) -> Tint {
        match self.has_outfits() {
            true => Tint::None,
            false => Tint::Random,
        }
    }

    /// Returns the tint asked for, else the default.
    fn tint(&self, default: Tint, random: &mut Random) -> [u8; 4] {
        // Drawn in any case, so that the tint does not change what follows.
        let random = random_tint(random);
        match self.args.tint.unwrap_or(default) {
            Tint::None => [255; 4],
            Tint::Random => random,
            Tint::Rgb([r, g, b]) => [r, g, b, 255],
        }
    }
}

/// Clips that instances choose from, by the activity of their place.
struct Pools([(Activity, Vec<usize>); 5]);

impl Pools {
    fn new(source: &Source, args: &CrowdArgs) -> Self {
        let clips = &source.clips[..source.pool];
        let pool = |activity| match args.clips.is_empty() {
            true => (activity, suited(clips, activity)),
            false => (activity, suited(clips, Activity::Any)),
        };
        Self(
            [
                Activity::Any,
                Activity::Walk,
                Activity::Run,
                Activity::Stand,
                Activity::Cheer,
            ]
            .map(pool),
        )
    }

    fn of(&self, activity: Activity) -> &[usize] {
        let pool = self.0.iter().find(|(of, _)| *of == activity);
        pool.map_or(&[], |(_, pool)| pool)
    }
}

/// Distance between neighbours, by the mean footprint of the clips.
fn spacing(source: &Source) -> f32 {
    let footprint = |clip: Option<&PlayedClip>| {
        let extent = source.bounds(clip).extent().as_vec3();
        extent.x.max(extent.z)
    };
    let mean = if source.clips.is_empty() {
        footprint(None)
    } else {
        let sum: f32 = source.clips.iter().map(|clip| footprint(Some(clip))).sum();
        sum / source.clips.len() as f32
    };
    (mean * SPACING_PER_EXTENT).max(source.size * 0.05)
}
