//! Transforms, clips and tints of the instances. The same arguments give the same crowd.

use glam::{Affine3A, Quat, Vec3};
use throng_wgpu::{Instance, Play, Ticks};

use super::subject::{PlayedClip, Source};
use super::timing::Timing;
use crate::cli::Arrangement;

/// Spacing of instances, relative to the mean extent of their clips.
const ROOM: f32 = 1.2;
/// Number of poses of a crowd that is skinned once.
pub const GROUPS: u32 = 16;

/// Returns one instance at the origin.
pub fn single_instance(
    clip: Option<&PlayedClip>,
    time_secs: Option<f64>,
    timing: &Timing,
) -> Instance {
    let Some(clip) = clip else {
        return Instance::default();
    };
    let default_secs = clip.start_secs + 0.08 * clip.duration_secs;
    let held = time_secs.unwrap_or(default_secs) - clip.start_secs;
    let held = held.clamp(0.0, clip.duration_secs);
    let play = match timing.is_animated() {
        false => Play::held(clip.index, held as f32),
        true => {
            let speed = timing.looping_speed(clip.duration_secs, 1.0);
            Play::Running {
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

/// Instances in the first row of a scattered crowd.
const FIRST_ROW: u32 = 9;

/// Returns a crowd on the ground that faces the camera. The view widens by `slope` to each side per unit of depth.
pub fn arrange(
    source: &Source,
    count: u32,
    arrangement: Arrangement,
    slope: f32,
    timing: &Timing,
) -> Vec<Instance> {
    let spacing = spacing(source);
    let positions = match arrangement {
        Arrangement::Grid => grid(count),
        Arrangement::Scatter => wedge(count, slope),
    };
    (0..)
        .zip(positions)
        .map(|(index, [x, z])| {
            let mut random = Random(u64::from(index));
            let [dx, dz, heading, height] = std::array::from_fn(|_| random.signed());
            let position = Vec3::new(x, 0.0, z) * spacing;
            let world_from_model = match arrangement {
                Arrangement::Grid => Affine3A::from_translation(position),
                Arrangement::Scatter => Affine3A::from_scale_rotation_translation(
                    Vec3::splat(1.0 + 0.05 * height),
                    Quat::from_rotation_y(0.7 * heading),
                    position + Vec3::new(dx, 0.0, dz) * (0.3 * spacing),
                ),
            };
            Instance {
                world_from_model,
                tint: tint(&mut random),
                play: play(source, &mut random, timing),
                group: index % GROUPS,
                ..Instance::default()
            }
        })
        .collect()
}

/// Returns positions in rows of one length, the first in front.
fn grid(count: u32) -> Vec<[f32; 2]> {
    let columns = (f64::from(count) * 0.5).sqrt().ceil().max(1.0) as u32;
    let positions = (0..count).map(|index| {
        let (row, column) = (index / columns, index % columns);
        [column as f32 - (columns as f32 - 1.0) * 0.5, -(row as f32)]
    });
    positions.collect()
}

/// Returns positions in rows as wide as the view at their depth. The last row may have fewer instances, spread over
/// its width.
fn wedge(count: u32, slope: f32) -> Vec<[f32; 2]> {
    let first = count.min(FIRST_ROW) as f32;
    let mut positions = Vec::with_capacity(count as usize);
    let mut row = 0;
    while positions.len() < count as usize {
        let wide = (first + 2.0 * slope * row as f32).max(1.0);
        let left = count as usize - positions.len();
        let instances = (wide as usize).min(left);
        let step = wide / instances as f32;
        let x = |column: usize| (column as f32 + 0.5) * step - 0.5 * wide;
        positions.extend((0..instances).map(|column| [x(column), -(row as f32)]));
        row += 1;
    }
    positions
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
    let loop_secs = clip.duration_secs / f64::from(speed);
    Play::Running {
        clip: clip.index,
        start: Ticks::from_secs(-f64::from(phase) * loop_secs),
        speed,
    }
}

/// Random tint: slightly darker, warmer or colder, and greener.
fn tint(random: &mut Random) -> [u8; 4] {
    let light = 0.62 + 0.38 * random.unit();
    let warmth = 1.0 + 0.1 * random.signed();
    let green = 1.0 + 0.12 * random.signed();
    let channel = |share: f32| (255.0 * (light * share).clamp(0.0, 1.0)) as u8;
    [channel(warmth), channel(green), channel(2.0 - warmth), 255]
}

/// SplitMix64 random numbers, the same on every machine.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number in 0..1.
    fn unit(&mut self) -> f32 {
        (self.word() >> 40) as f32 / (1 << 24) as f32
    }

    /// Returns a number in -1..1.
    fn signed(&mut self) -> f32 {
        2.0 * self.unit() - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_distinct() {
        for count in [1, 2, 7, 50, 1999] {
            for positions in [grid(count), wedge(count, 0.5)] {
                assert_eq!(positions.len(), count as usize);
                let mut bits: Vec<_> = positions.iter().map(|p| p.map(f32::to_bits)).collect();
                bits.sort_unstable();
                bits.dedup();
                assert_eq!(bits.len(), count as usize);
            }
        }
    }

    #[test]
    fn rows_widen_with_the_view() {
        let positions = wedge(2000, 0.5);
        let widest = |row: f32| {
            let row = positions.iter().filter(|position| position[1] == row);
            row.map(|position| position[0]).fold(0.0, f32::max)
        };
        assert!((widest(-20.0) - widest(0.0) - 10.0).abs() < 1.0);
    }

    #[test]
    fn random_numbers_are_uniform_and_deterministic() {
        let mut random = Random(7);
        let mean: f32 = (0..4096).map(|_| random.unit()).sum::<f32>() / 4096.0;
        assert!((mean - 0.5).abs() < 0.02, "{mean}");
        assert_eq!(Random(7).word(), Random(7).word());
        assert_ne!(Random(7).word(), Random(8).word());
    }
}
