//! Poses of all instances, in float32 and on all cores.

use throng_rig::{CharacterPose, CrowdFade, CrowdPalette, CrowdPlay, CrowdPose};

use crate::cpu::source::CpuSource;
use crate::instance::{Instance, Play, Ticks};

/// Poses of a list of instances, in buffers that are reused.
#[derive(Debug)]
pub(crate) struct CpuPoses {
    plays: Vec<CrowdPlay>,
    fractions: Vec<f32>,
    pose: CrowdPose,
    /// One per skin of the character.
    palettes: Vec<CrowdPalette>,
    /// True if all instances show one pose.
    is_held: bool,
    /// Morph weights of that pose.
    held_weights: Vec<f32>,
}

impl CpuPoses {
    pub fn new(source: &CpuSource) -> Self {
        Self {
            plays: Vec::new(),
            fractions: Vec::new(),
            pose: CrowdPose::default(),
            palettes: vec![CrowdPalette::default(); source.character.skins().len()],
            is_held: false,
            held_weights: Vec::new(),
        }
    }

    /// Poses instances at a time, or all as `held`.
    pub fn update(
        &mut self,
        source: &CpuSource,
        instances: &[Instance],
        now: Ticks,
        held: Option<&CharacterPose>,
    ) {
        self.is_held = held.is_some();
        self.fractions.clear();
        let fractions = instances.iter().map(|instance| instance.fraction);
        self.fractions.extend(fractions);
        if let Some(held) = held {
            let weights = held.local.morph_weights.iter();
            self.held_weights.clear();
            self.held_weights
                .extend(weights.map(|&weight| weight as f32));
            for (palette, held) in self.palettes.iter_mut().zip(&held.palettes) {
                palette.hold(held, instances.len());
            }
            return;
        }
        self.update_plays(
            source,
            instances.iter().map(|one| crowd_play(source, one, now)),
        );
    }

    /// Poses clips at times.
    pub fn update_plays(&mut self, source: &CpuSource, plays: impl Iterator<Item = CrowdPlay>) {
        self.is_held = false;
        self.plays.clear();
        self.plays.extend(plays);
        source.clips.sample_parallel(&self.plays, &mut self.pose);
        for (palette, skin) in self.palettes.iter_mut().zip(source.character.skins()) {
            palette.update_parallel(skin, &self.pose);
        }
    }

    /// Fraction between the bind pose (0) and the pose (1) of an instance.
    pub fn fraction(&self, instance: usize) -> f32 {
        self.fractions[instance]
    }

    /// The palettes of a skin.
    pub fn palette(&self, skin: usize) -> &CrowdPalette {
        &self.palettes[skin]
    }

    /// Writes the morph weights of an instance.
    pub fn morph_weights(&self, source: &CpuSource, instance: usize, out: &mut Vec<f32>) {
        out.resize(source.clips.morph_weight_count(), 0.0);
        match self.is_held {
            true => out.copy_from_slice(&self.held_weights),
            false => source.clips.morph_weights(&self.plays[instance], out),
        }
    }
}

/// Returns the clips and times of an instance. A fade that is over is its second clip alone.
pub(crate) fn crowd_play(source: &CpuSource, instance: &Instance, now: Ticks) -> CrowdPlay {
    let at = |play: &Play| {
        let clip = play.clip() as usize;
        let Some(timing) = source.timings.get(clip) else {
            return (clip, 0.0);
        };
        let time_secs = play.time_secs(timing.duration_secs, timing.looping, now);
        (
            clip,
            source.character.clips()[clip].start_secs() + time_secs,
        )
    };
    let fade = instance.fade.map(|fade| (fade.to, fade.weight(now)));
    let (first, second) = match fade {
        Some((to, 1.0)) => (to, None),
        Some((to, weight)) if weight > 0.0 => (instance.play, Some((to, weight))),
        _ => (instance.play, None),
    };
    let (clip, time_secs) = at(&first);
    CrowdPlay {
        clip,
        time_secs,
        fade: second.map(|(to, weight)| {
            let (clip, time_secs) = at(&to);
            CrowdFade {
                clip,
                time_secs,
                weight: weight as f32,
            }
        }),
    }
}
