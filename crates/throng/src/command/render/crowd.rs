//! Who stands where, and what each plays: always the same for the same number.

use glam::{Affine3A, Quat, Vec3};
use throng_gpu::{Instance, Play, Ticks};

use super::subject::{PlayedClip, Source};
use super::timing::Timing;
use crate::cli::Arrangement;

/// Places for one are this much wider than what they do.
const ROOM: f32 = 1.2;
/// Poses that a crowd shares where it is skinned once.
pub const GROUPS: u32 = 16;

/// One character in the origin.
pub fn alone(clip: Option<&PlayedClip>, time_secs: Option<f64>, timing: &Timing) -> Instance {
    let Some(clip) = clip else {
        return Instance::default();
    };
    let default_secs = clip.start_secs + 0.08 * clip.duration_secs;
    let held = time_secs.unwrap_or(default_secs) - clip.start_secs;
    let held = held.clamp(0.0, clip.duration_secs);
    let play = match timing.is_animated() {
        false => Play::held(clip.index, held),
        true => {
            let speed = timing.looping_speed(clip.duration_secs, 1.0);
            Play {
                clip: clip.index,
                start: Ticks::from_secs(-held / f64::from(speed)),
                speed,
            }
        }
    };
    Instance {
        play,
        ..Instance::default()
    }
}

/// A crowd on the ground, its middle in the origin.
pub fn arrange(
    source: &Source,
    count: u32,
    arrangement: Arrangement,
    timing: &Timing,
) -> Vec<Instance> {
    let spacing = spacing(source);
    let columns = (f64::from(count) * 1.8).sqrt().ceil().max(1.0) as u32;
    let rows = count.div_ceil(columns);
    let place = |index: u32| {
        let (row, column) = (index / columns, index % columns);
        // The last row may be short: it stands in the middle too.
        let in_row = columns.min(count - row * columns);
        let x = column as f32 - (in_row as f32 - 1.0) * 0.5;
        let z = (rows as f32 - 1.0) * 0.5 - row as f32;
        Vec3::new(x, 0.0, z) * spacing
    };
    (0..count)
        .map(|index| {
            let mut random = Random(u64::from(index));
            let [dx, dz, turn, taller] = std::array::from_fn(|_| random.signed());
            let world_from_model = match arrangement {
                Arrangement::Grid => Affine3A::from_translation(place(index)),
                Arrangement::Scatter => Affine3A::from_scale_rotation_translation(
                    Vec3::splat(1.0 + 0.05 * taller),
                    Quat::from_rotation_y(0.7 * turn),
                    place(index) + Vec3::new(dx, 0.0, dz) * (0.3 * spacing),
                ),
            };
            let group = index % GROUPS;
            Instance {
                world_from_model,
                tint: tint(&mut random),
                play: play(source, &mut random, timing),
                group,
                ..Instance::default()
            }
        })
        .collect()
}

/// From one to the next: clips that reach far do so beside others that do not.
fn spacing(source: &Source) -> f32 {
    let footprint = |clip: Option<&PlayedClip>| {
        let extent = source.bounds(clip).extent();
        extent.x.max(extent.z)
    };
    let mean = if source.clips.is_empty() {
        footprint(None)
    } else {
        let sum: f32 = source.clips.iter().map(|clip| footprint(Some(clip))).sum();
        sum / source.clips.len() as f32
    };
    (mean * ROOM).max(source.size * 0.05)
}

fn play(source: &Source, random: &mut Random, timing: &Timing) -> Play {
    let (pick, phase, speed) = (random.unit(), random.unit(), random.signed());
    let count = source.clips.len();
    let Some(clip) = source
        .clips
        .get(((pick * count as f32) as usize).min(count.max(1) - 1))
    else {
        return Play::new(0);
    };
    let speed = timing.looping_speed(clip.duration_secs, 1.0 + 0.1 * speed);
    let round_secs = clip.duration_secs / f64::from(speed);
    Play {
        clip: clip.index,
        start: Ticks::from_secs(-f64::from(phase) * round_secs),
        speed,
    }
}

/// A little darker, a little warmer or colder.
fn tint(random: &mut Random) -> [u8; 4] {
    let light = 0.86 + 0.14 * random.unit();
    let warmth = 0.07 * random.signed();
    let hue = 0.04 * random.signed();
    let channel = |share: f32| (255.0 * (light + share).clamp(0.0, 1.0)) as u8;
    [channel(warmth), channel(hue), channel(-warmth), 255]
}

/// SplitMix64: the same numbers on every machine.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 to below 1.
    fn unit(&mut self) -> f32 {
        (self.word() >> 40) as f32 / (1 << 24) as f32
    }

    /// From -1 to 1.
    fn signed(&mut self) -> f32 {
        2.0 * self.unit() - 1.0
    }
}
