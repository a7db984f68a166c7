//! GPU time of a crowd in the viewer beside that of the same passes without it: nothing is made anew for each frame.

use throng_studio::{Cast, Scene, Shot};
use throng_wgpu::{GpuTimes, wgpu};

use super::*;

/// Rounds, in each of which both draw in turns.
const ROUNDS: usize = 9;

/// Frames of a turn.
const FRAMES: usize = 3;

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn finish(device: &wgpu::Device) {
    device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
}

/// The scene of the first viewport, drawn without the viewer.
struct Bare {
    scene: Scene,
    subject: throng_studio::Subject,
    times: GpuTimes,
    shot: Shot,
}

impl Bare {
    /// Copies what the viewer shows.
    fn of(viewer: &Viewer) -> Option<Self> {
        let stage = viewer.stage()?;
        let (device, queue) = (&stage.render.device, &stage.render.queue);
        let state = &viewer.state;
        let document = state.document.clone().unwrap();
        let size = stage.screens[0].picture().size();
        let scene = Scene::new(device, queue, [size.width, size.height]).unwrap();
        let content = state.content(0).unwrap();
        let mut crowd = content.upload(device, queue).unwrap().crowd().unwrap();
        let instances = state.crowd.instances(&document, &state.timeline);
        crowd.set_instances(&instances).unwrap();
        Some(Self {
            subject: scene.subject(crowd, content.character()).unwrap(),
            scene,
            times: GpuTimes::new(device, queue)?,
            shot: Shot {
                camera: state.orbit.camera(size.width as f32 / size.height as f32),
                casters: state.crowd.bounds(&document, &state.timeline),
                ground_y: document.clip_bounds(state.timeline.clip()).min.y as f32,
                character_size: document.size_m as f32,
                now: state.timeline.ticks(),
            },
        })
    }

    fn frame(&mut self, render: &eframe::egui_wgpu::RenderState) -> f64 {
        let mut encoder = render.device.create_command_encoder(&Default::default());
        self.times.begin(&mut encoder);
        let mut cast = Cast {
            subjects: std::slice::from_mut(&mut self.subject),
            meshes: &[],
            lines: &[],
        };
        self.shot.now.0 += 1000;
        self.scene
            .draw(&mut encoder, &mut cast, &self.shot)
            .unwrap();
        self.times.end(&mut encoder);
        render.queue.submit([encoder.finish()]);
        self.times.request();
        finish(&render.device);
        self.times.try_read().unwrap()
    }
}

#[test]
#[ignore = "prints times: cargo test -p throng-view gpu_times -- --ignored --nocapture"]
fn gpu_times_of_a_crowd() {
    let Some(mut harness) = open_sized("builtin:humanoid", [1280.0, 720.0]) else {
        return;
    };
    for encoding in [Encoding::BoneLocal, Encoding::BoneQt, Encoding::Vertex] {
        let state = &mut harness.state_mut().state;
        state.views[0].show = Show::Encoding(encoding);
        state.crowd.instances = 30;
        state.frame_document();
        harness.step();
        wait(&mut harness, is_ready);
        let render = harness.state().stage().unwrap().render.clone();
        let Some(mut bare) = Bare::of(harness.state()) else {
            println!("the device has no timestamps");
            return;
        };
        let mut ratios = Vec::new();
        let mut times = [0.0; 2];
        for _ in 0..ROUNDS {
            let [mut ours, mut theirs] = [Vec::new(), Vec::new()];
            for _ in 0..FRAMES {
                harness.step();
                finish(&render.device);
                harness.step();
                finish(&render.device);
                let last = harness.state().state.performance.frames().rev();
                ours.extend(last.filter_map(|frame| frame.gpu_ms).next().map(f64::from));
                theirs.push(bare.frame(&render));
            }
            times = [median(ours), median(theirs)];
            ratios.push(times[0] / times[1]);
        }
        println!(
            "{encoding}: viewer {:.1} ms, bare {:.1} ms; median ratio of {ROUNDS} rounds {:.3}",
            times[0],
            times[1],
            median(ratios)
        );
    }
}
