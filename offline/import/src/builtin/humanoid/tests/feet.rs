//! Feet on the ground: they neither slide nor sink.

use glam::DVec3;
use throng_rig::{Character, CharacterPose, Clip, Method};
use throng_skin::reference::{Skinned, skin_part};

use super::{COARSE, clip, mesh};
use crate::builtin::humanoid::motion::{RUN, WALK};
use crate::builtin::humanoid::{RUN_SPEED, WALK_SPEED};

/// Samples a clip is looked at, keys and times between them.
const SAMPLES: usize = 272;
/// A vertex that is no higher touches the ground, in metres.
const CONTACT: f64 = 0.010;

/// Every vertex at every sample.
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

/// The farthest that a vertex of a sole goes along the belt while it touches it, in metres. A foot is
/// down from its own phase 0 to `stance`; the right one is half a phase later.
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
        // Where it is on the belt, while it touches.
        let mut touched: Option<(DVec3, DVec3)> = None;
        for (sample, frame) in frames.iter().enumerate() {
            let own = if rest.x > 0.0 { 0.0 } else { 0.5 };
            let own = (own + sample as f64 / SAMPLES as f64) % 1.0;
            let moved = DVec3::Z * (belt * sample as f64 * secs_per_sample);
            let place = frame[vertex] + moved;
            touched = match touched {
                _ if frame[vertex].y > CONTACT || own > stance => None,
                None => Some((place, place)),
                Some((low, high)) => Some((low.min(place), high.max(place))),
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
fn a_foot_on_the_ground_slides_less_than_a_centimetre() {
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
fn nothing_sinks_into_the_ground() {
    let character = &*COARSE;
    for clip in character.clips() {
        for method in [Method::Lbs, Method::Dqs] {
            let frames = skinned(character, clip, 96, method);
            let heights = frames.iter().flatten().map(|p| p.y);
            let lowest = heights.fold(f64::INFINITY, f64::min);
            println!("{}, {method}: {:.1} mm", clip.name, 1e3 * lowest);
            // Five millimetres.
            assert!(lowest > -0.005, "{}, {method}: {lowest} m", clip.name);
        }
    }
}

#[test]
fn a_foot_is_always_on_the_ground_except_in_a_run() {
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
