//! Examples: crowds inside a renderer of your own, natively and in a browser.
//!
//! - `draw_crowd`: a window, a crowd with its own lit material, and a camera that flies.
//! - `custom_material`: WGSL of someone else, with a rim light, a depth pre-pass and a shadow map.
//! - `crowd_steering`: a street of people who avoid each other, with gaits chosen by speed and feet that do not slide.
//! - `bake_and_read`: bakes a character in memory, and decodes it on the CPU.
//!
//! ```sh
//! cargo run -p throng-examples --example draw_crowd
//! cargo run -p throng-examples --example draw_crowd -- --headless crowd.png
//! ```
//!
//! This library holds what they share. The first two show the crowd of [`instances`], and tests compare its vertices with
//! those of the CPU, on Vulkan, on GL, and in Chromium on WebGPU and WebGL2.
//!
//! ```
//! use throng_wgpu::Ticks;
//!
//! let crowd = throng_examples::instances(100, 5, Ticks::from_secs(2.0));
//! assert_eq!(crowd.len(), 100);
//! ```

mod attachments;
mod bindings;
mod fly_camera;
mod ground;
#[cfg(not(target_arch = "wasm32"))]
mod native;
mod small_picture;
#[cfg(not(target_arch = "wasm32"))]
pub mod steering;
#[cfg(target_arch = "wasm32")]
mod web;
#[cfg(not(target_arch = "wasm32"))]
mod window;

pub use attachments::{
    Attachments, DEPTH, SAMPLES, SKY, attachment, begin_depth, depth_state, multisample,
};
pub use bindings::Group;
pub use fly_camera::FlyCamera;
use glam::{Affine3A, Quat, Vec3};
pub use ground::ground_pipeline;
#[cfg(not(target_arch = "wasm32"))]
pub use native::{baked_humanoid, headless_output, picture, save_png};
pub use small_picture::{SMALL_SIZE, small_picture};
use throng_wgpu::{Instance, Play, Ticks};
#[cfg(not(target_arch = "wasm32"))]
pub use window::{Scene, show};

/// Distance between neighbours in metres.
const SPACING: f32 = 1.1;

/// A crowd around the origin that faces +Z: `count` instances of `clips` clips, forwards, backwards, held, and in the middle
/// of cross-fades at the time `now`.
pub fn instances(count: usize, clips: u32, now: Ticks) -> Vec<Instance> {
    let columns = ((1.6 * count as f32).sqrt().ceil() as usize).max(1);
    let rows = count.div_ceil(columns);
    let instances = (0..count).map(|index| {
        let mut random = Random(index as u64);
        let [x, z] = [(index % columns, columns), (index / columns, rows)]
            .map(|(at, of)| at as f32 + 0.7 * random.unit() - 0.5 * of as f32);
        let turn = 0.7 * (random.unit() - 0.5);
        let place = Affine3A::from_rotation_translation(
            Quat::from_rotation_y(turn),
            SPACING * Vec3::new(x, 0.0, -z),
        );
        let ago = |secs: f32| Ticks(now.0.wrapping_sub(Ticks::from_secs(secs.into()).0));
        let mut running = |clip: usize| Play::Running {
            clip: clip as u32 % clips.max(1),
            start: ago(60.0 * random.unit()),
            speed: 0.9 + 0.2 * random.unit(),
        };
        let (play, next) = (running(index), running(index + 1));
        let [red, green, blue] = [(); 3].map(|()| (140.0 + 115.0 * random.unit()) as u8);
        let mut instance = Instance {
            user: index as u32,
            ..Instance::at(place)
                .playing(play)
                .tinted([red, green, blue, 255])
        };
        match index % 10 {
            3 => instance.cross_fade(next, ago(0.4), Ticks::from_secs(1.0)),
            5 => instance.play = Play::held(play.clip(), 0.3),
            7 => {
                instance.play = Play::Running {
                    clip: play.clip(),
                    start: ago(9.0),
                    speed: -0.8,
                };
            }
            _ => {}
        }
        instance
    });
    instances.collect()
}

/// SplitMix64: the same numbers on every machine.
struct Random(u64);

impl Random {
    /// Returns a number from 0 to 1.
    fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z >> 40) as f32 / (1 << 24) as f32
    }
}

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
