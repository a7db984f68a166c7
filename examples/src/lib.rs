//! Examples of crowds on a device of the caller, natively and in a browser.
//!
//! Both draw the crowd of [`instances`], so that tests compare them with the same vertices of the CPU.

#[cfg(target_arch = "wasm32")]
mod web;

use glam::{Affine3A, Quat, Vec3};
use throng_wgpu::{Fade, Instance, Play, Ticks};

/// Instances of the first two clips at a time: held, forwards, in the middle of a cross-fade, and backwards.
pub fn instances(now: Ticks) -> Vec<Instance> {
    let ago = |secs: f64| Ticks(now.0.wrapping_sub(Ticks::from_secs(secs).0));
    let play = |clip, secs, speed| Play::Running {
        clip,
        start: ago(secs),
        speed,
    };
    let fade = Fade {
        to: play(1, 0.7, 1.25),
        start: ago(0.4),
        duration: Ticks::from_secs(1.0),
    };
    let plays = [
        (Play::held(0, 0.0), None),
        (play(0, 0.37, 1.0), None),
        (play(0, 31.9, 1.0), Some(fade)),
        (play(1, 5.21, -0.8), None),
        (play(1, 4000.0, 1.1), None),
    ];
    let instances = plays.into_iter().enumerate().map(|(index, (play, fade))| {
        let step = index as f32;
        Instance {
            world_from_model: Affine3A::from_scale_rotation_translation(
                Vec3::splat(0.8 + 0.1 * step),
                Quat::from_rotation_y(1.3 * step),
                Vec3::new(5.0 * step, 0.0, -3.0 * step),
            ),
            play,
            fade,
            ..Instance::default()
        }
    });
    instances.collect()
}

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
