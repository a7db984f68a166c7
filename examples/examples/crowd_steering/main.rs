//! A street of 20 000 people who follow flow fields, avoid each other, and choose idle, walk or run by their speed.
//!
//! `cargo run -p throng-examples --example crowd_steering` opens a window. W, A, S, D, Q and E fly, the arrow keys
//! turn. With `-- --headless street.png` it simulates some seconds, writes a picture and prints what it measured.
//!
//! All steering is in `throng_examples::steering`, on the CPU. Each frame, [`Walkers`] makes one step and changes all
//! instances at once; the device gets one upload.

mod options;
mod renderer;
mod report;
mod solids;
mod walkers;

use std::error::Error;
use std::io::{ErrorKind, Write};

use throng_bake::lod::{add_levels, auto_ratios};
use throng_bake::{BakeSettings, bake};
use throng_examples::steering::{Gaits, Simulation, Street};
use throng_examples::{FlyCamera, Scene, picture, save_png, show};
use throng_format::{Encoding, Precision, Source, TextureSet};
use throng_wgpu::{Crowd, Gpu, Ticks, wgpu};

use options::Options;
use renderer::{Renderer, Views};
use report::Report;
use walkers::Walkers;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The character.
const CHARACTER: &str = "humanoid:2000";
/// Time step of the simulation without a window, in ticks: 1/32 s.
const STEP: Ticks = Ticks(2048);

/// The street, its walkers and their texture set.
struct World {
    street: Street,
    walkers: Walkers,
    set: TextureSet,
}

impl World {
    fn new(options: &Options) -> Result<Self> {
        let character = throng_import::builtin::builtin(CHARACTER)?;
        let gaits = Gaits::measure(&character)?;
        let clips = [&gaits.idle, &gaits.walk, &gaits.run].map(|stride| stride.clip as usize);
        let settings = BakeSettings {
            encoding: Encoding::BoneQt,
            storage: Precision::Unorm16.into(),
            clips: clips.to_vec(),
            ..BakeSettings::default()
        };
        let source = Source::in_memory(format!("builtin:{CHARACTER}"));
        let set = bake(&character, &settings, &source, &())?.set;
        let levels = auto_ratios(&character);
        let set = add_levels(set, &character, &levels, &())?.set;
        let street = Street::new();
        let agents = street.agents(options.agents, options.seed)?;
        let map = street.map.clone();
        let simulation = Simulation::new(map, &street.goals, gaits, agents, options.seed);
        Ok(Self {
            street,
            walkers: Walkers::new(simulation),
            set,
        })
    }
}

/// The scene of the window.
struct Live {
    renderer: Renderer,
    walkers: Walkers,
    crowd: Crowd,
    views: Views,
}

impl Live {
    fn new(
        options: &Options,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        format: wgpu::TextureFormat,
    ) -> Result<Self> {
        let World {
            street,
            walkers,
            set,
        } = World::new(options)?;
        let renderer = Renderer::new(device, queue, format, &set, &street.solids)?;
        let mut crowd = renderer.model.crowd()?;
        crowd.set_instances(walkers.instances())?;
        Ok(Self {
            views: Views::new(&crowd)?,
            renderer,
            walkers,
            crowd,
        })
    }
}

impl Scene for Live {
    fn camera(&mut self) -> &mut FlyCamera {
        &mut self.renderer.camera
    }

    fn draw(&mut self, target: &wgpu::Texture, secs: f64) -> Result<()> {
        // Slow frames slow time down.
        let since = Ticks(Ticks::from_secs(secs).0.wrapping_sub(self.walkers.now().0));
        self.walkers.step(Ticks(since.0.clamp(1, STEP.0)));
        self.walkers.write(&mut self.crowd)?;
        let now = self.walkers.now();
        self.renderer
            .draw(target, &mut self.crowd, &mut self.views, now)
    }
}

/// Simulates, draws a picture and prints the report.
fn headless(options: &Options, path: &std::path::Path) -> Result<()> {
    let gpu = Gpu::headless()?;
    let World {
        street,
        mut walkers,
        set,
    } = World::new(options)?;
    let [width, height] = options.size;
    let target = picture(gpu.device(), width, height);
    let (device, queue) = (gpu.device(), gpu.queue());
    let mut renderer = Renderer::new(device, queue, target.format(), &set, &street.solids)?;
    let mut crowd = renderer.model.crowd()?;
    crowd.set_instances(walkers.instances())?;
    let mut report = Report::new(&set, &walkers)?;
    for _ in 0..(options.secs / STEP.secs()).round() as u32 {
        report.steering(|| walkers.step(STEP));
        report.update(|| -> Result<()> {
            walkers.write(&mut crowd)?;
            let mut encoder = device.create_command_encoder(&Default::default());
            crowd.prepare(&mut encoder, walkers.now())?;
            queue.submit([encoder.finish()]);
            Ok(())
        })?;
        device.poll(wgpu::PollType::Poll)?;
        report.observe(&walkers);
    }
    let mut views = Views::new(&crowd)?;
    renderer.draw(&target, &mut crowd, &mut views, walkers.now())?;
    save_png(&gpu, &target, path)?;
    let mut text = Vec::new();
    report.write(&mut walkers, &mut text)?;
    match std::io::stdout().write_all(&text) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

fn main() -> Result<()> {
    let options = Options::parse(std::env::args().skip(1))?;
    match &options.headless {
        Some(path) => headless(&options, path),
        None => show("Throng: crowd_steering", |device, queue, format| {
            Live::new(&options, device, queue, format)
        }),
    }
}
