//! Who stands where, and what each plays: always the same for the same number.

use glam::{Affine3A, Quat, Vec3};
use throng_wgpu::{Instance, Play, Ticks};

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
        false => Play::held(clip.index, held as f32),
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

/// People in the first row of what is scattered.
const FIRST_ROW: u32 = 9;

/// A crowd on the ground that faces the camera, which sees `slope` times as far to the side as ahead.
pub fn arrange(
    source: &Source,
    count: u32,
    arrangement: Arrangement,
    slope: f32,
    timing: &Timing,
) -> Vec<Instance> {
    let spacing = spacing(source);
    let places = match arrangement {
        Arrangement::Grid => grid(count),
        Arrangement::Scatter => wedge(count, slope),
    };
    (0..)
        .zip(places)
        .map(|(index, [x, z])| {
            let mut random = Random(u64::from(index));
            let [dx, dz, turn, taller] = std::array::from_fn(|_| random.signed());
            let place = Vec3::new(x, 0.0, z) * spacing;
            let world_from_model = match arrangement {
                Arrangement::Grid => Affine3A::from_translation(place),
                Arrangement::Scatter => Affine3A::from_scale_rotation_translation(
                    Vec3::splat(1.0 + 0.05 * taller),
                    Quat::from_rotation_y(0.7 * turn),
                    place + Vec3::new(dx, 0.0, dz) * (0.3 * spacing),
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

/// Rows of one length, the first in front.
fn grid(count: u32) -> Vec<[f32; 2]> {
    let columns = (f64::from(count) * 0.5).sqrt().ceil().max(1.0) as u32;
    let places = (0..count).map(|index| {
        let (row, column) = (index / columns, index % columns);
        [column as f32 - (columns as f32 - 1.0) * 0.5, -(row as f32)]
    });
    places.collect()
}

/// Rows as wide as the camera sees there, so that a picture is full; the last may be short, and stands apart.
fn wedge(count: u32, slope: f32) -> Vec<[f32; 2]> {
    let first = count.min(FIRST_ROW) as f32;
    let mut places = Vec::with_capacity(count as usize);
    let mut row = 0;
    while places.len() < count as usize {
        let wide = (first + 2.0 * slope * row as f32).max(1.0);
        let left = count as usize - places.len();
        let people = (wide as usize).min(left);
        let step = wide / people as f32;
        let place = |column: usize| (column as f32 + 0.5) * step - 0.5 * wide;
        places.extend((0..people).map(|column| [place(column), -(row as f32)]));
        row += 1;
    }
    places
}

/// From one to the next: clips that reach far do so beside others that do not.
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
    let round_secs = clip.duration_secs / f64::from(speed);
    Play {
        clip: clip.index,
        start: Ticks::from_secs(-f64::from(phase) * round_secs),
        speed,
    }
}

/// A little darker, a little warmer or colder, a little greener.
fn tint(random: &mut Random) -> [u8; 4] {
    let light = 0.62 + 0.38 * random.unit();
    let warmth = 1.0 + 0.1 * random.signed();
    let green = 1.0 + 0.12 * random.signed();
    let channel = |share: f32| (255.0 * (light * share).clamp(0.0, 1.0)) as u8;
    [channel(warmth), channel(green), channel(2.0 - warmth), 255]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_has_a_place_of_their_own() {
        for count in [1, 2, 7, 50, 1999] {
            for places in [grid(count), wedge(count, 0.5)] {
                assert_eq!(places.len(), count as usize);
                let mut bits: Vec<_> = places.iter().map(|p| p.map(f32::to_bits)).collect();
                bits.sort_unstable();
                bits.dedup();
                assert_eq!(bits.len(), count as usize);
            }
        }
    }

    #[test]
    fn rows_grow_with_what_the_camera_sees() {
        let places = wedge(2000, 0.5);
        let widest = |row: f32| {
            let row = places.iter().filter(|place| place[1] == row);
            row.map(|place| place[0]).fold(0.0, f32::max)
        };
        assert!((widest(-20.0) - widest(0.0) - 10.0).abs() < 1.0);
    }

    #[test]
    fn numbers_are_even_and_always_the_same() {
        let mut random = Random(7);
        let mean: f32 = (0..4096).map(|_| random.unit()).sum::<f32>() / 4096.0;
        assert!((mean - 0.5).abs() < 0.02, "{mean}");
        assert_eq!(Random(7).word(), Random(7).word());
        assert_ne!(Random(7).word(), Random(8).word());
    }
}
