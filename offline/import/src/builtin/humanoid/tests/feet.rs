//! Contact of the feet with the ground: no sliding, no sinking.

use glam::DVec3;
use throng_rig::{Character, CharacterPose, Clip, Method};
use throng_skin::reference::{Skinned, skin_part};

use super::{COARSE, clip, mesh};
use crate::builtin::humanoid::motion::{RUN, WALK};
use crate::builtin::humanoid::{RUN_SPEED, WALK_SPEED};

/// Number of samples per clip, at keys and between them.
const SAMPLES: usize = 272;
/// Maximum height of a vertex that touches the ground, in metres.
const CONTACT: f64 = 0.010;

/// Returns every vertex at every sample.
fn skinned(character: &Character, clip: &Clip, samples: usize, method: Method) -> Vec<Vec<DVec3>> {
    let mut pose = CharacterPose::rest(character);
    let mut out = Skinned::default();
    let at = |sample: usize| {
        let secs = clip.duration_secs() * sample as f64 / samples as f64;
        pose.sample(character, clip, secs);
        skin_part(character, &character.parts()[0], &pose, method, &mut out);
        out.positions.clone()
    };
    (0..=samples).map(at).collect()
}

/// Returns the maximum distance that a vertex of a sole slides on the belt while it touches it, in metres.
/// The left foot is on the ground from phase 0 to `stance`, the right foot half a phase later.
fn worst_slide(
    character: &Character,
    clip: &Clip,
    (belt, stance): (f64, f64),
    method: Method,
) -> f64 {
    let frames = skinned(character, clip, SAMPLES, method);
    let secs_per_sample = clip.duration_secs() / SAMPLES as f64;
    let mut worst: f64 = 0.0;
    for (vertex, rest) in mesh(character).positions().iter().enumerate() {
        if rest.y > 0.002 {
            continue;
        }
        // Bounds of its positions on the belt during contact.
        let mut touched: Option<(DVec3, DVec3)> = None;
        for (sample, frame) in frames.iter().enumerate() {
            let offset = if rest.x > 0.0 { 0.0 } else { 0.5 };
            let phase = (offset + sample as f64 / SAMPLES as f64) % 1.0;
            let moved = DVec3::Z * (belt * sample as f64 * secs_per_sample);
            let on_belt = frame[vertex] + moved;
            touched = match touched {
                _ if frame[vertex].y > CONTACT || phase > stance => None,
                None => Some((on_belt, on_belt)),
                Some((low, high)) => Some((low.min(on_belt), high.max(on_belt))),
            };
            if let Some((low, high)) = touched {
                let slid = (high - low).with_y(0.0).length();
                if slid > worst {
                    worst = slid;
                }
            }
        }
    }
    worst
}

#[test]
fn feet_on_the_ground_slide_less_than_a_centimetre() {
    let character = &*COARSE;
    for (name, ground) in [
        ("walk", (WALK_SPEED, WALK.stance)),
        ("run", (RUN_SPEED, RUN.stance)),
        ("idle", (0.0, 1.0)),
        ("wave", (0.0, 1.0)),
        ("dance", (0.0, 1.0)),
    ] {
        for method in [Method::Lbs, Method::Dqs] {
            let slid = worst_slide(character, clip(character, name), ground, method);
            println!("{name}, {method}: {:.1} mm", 1e3 * slid);
            assert!(slid < 0.01, "{name}, {method}: {slid} m");
        }
    }
}

#[test]
fn no_vertex_sinks_below_the_ground() {
    let character = &*COARSE;
    for clip in character.clips() {
        for method in [Method::Lbs, Method::Dqs] {
            let frames = skinned(character, clip, 96, method);
            let heights = frames.iter().flatten().map(|p| p.y);
            let lowest = heights.fold(f64::INFINITY, f64::min);
            println!("{}, {method}: {:.1} mm", clip.name, 1e3 * lowest);
            // 5 mm in metres.
            assert!(lowest > -0.005, "{}, {method}: {lowest} m", clip.name);
        }
    }
}

#[test]
fn a_foot_is_always_on_the_ground_except_in_run() {
    let character = &*COARSE;
    for clip in character.clips() {
        let frames = skinned(character, clip, 96, Method::Lbs);
        let lifted = frames.iter().filter(|frame| {
            let lowest = frame.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
            lowest > 0.006
        });
        let share = lifted.count() as f64 / frames.len() as f64;
        match clip.name.as_str() {
            "run" => assert!((0.15..0.5).contains(&share), "{share}"),
            name => assert_eq!(share, 0.0, "{name}"),
        }
    }
}
