//! A crowd in a window: your device, camera, depth buffer and material.
//!
//! `cargo run -p throng-examples --example draw_crowd` opens a window. W, A, S, D, Q and E fly, the arrow keys turn.
//! With `-- --headless crowd.png` it writes a picture instead.

use std::collections::HashSet;
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use glam::Vec3;
use throng_examples::{
    Attachments, FlyCamera, SKY, baked_humanoid, depth_state, headless_output, instances,
    multisample, picture, save_png,
};
use throng_wgpu::{
    Crowd, CrowdMaterial, CrowdModel, Gpu, MaterialDescriptor, ModelSettings, Ticks, wgpu,
};
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::keyboard::{KeyCode, PhysicalKey};
use winit::window::{Window, WindowId};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A renderer of one crowd, as small as it can be.
struct Renderer {
    device: wgpu::Device,
    queue: wgpu::Queue,
    camera: FlyCamera,
    crowd: Crowd,
    material: CrowdMaterial,
}

impl Renderer {
    fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        format: wgpu::TextureFormat,
    ) -> Result<Self> {
        let camera = FlyCamera::new(device, Vec3::new(0.0, 6.4, 19.0), -0.34);
        let model = CrowdModel::new(device, queue, &baked_humanoid()?, ModelSettings::default())?;
        let material = model.material(&MaterialDescriptor {
            wgsl: include_str!("draw_crowd.wgsl"),
            fragment: Some("shade"),
            bind_group_layouts: &[Some(&camera.layout)],
            targets: &[Some(format.into())],
            depth_stencil: Some(depth_state(wgpu::CompareFunction::Less)),
            multisample: multisample(),
            ..Default::default()
        })?;
        let mut crowd = model.crowd()?;
        let clips = model.clip_names().len() as u32;
        crowd.set_instances(&instances(600, clips, Ticks::from_secs(1.0)))?;
        Ok(Self {
            device: device.clone(),
            queue: queue.clone(),
            camera,
            crowd,
            material,
        })
    }

    fn draw(&mut self, target: &wgpu::Texture, secs: f64) -> Result<()> {
        let aspect = target.width() as f32 / target.height() as f32;
        self.camera.write(&self.queue, aspect);
        let mut encoder = self.device.create_command_encoder(&Default::default());
        self.crowd.prepare(&mut encoder, Ticks::from_secs(secs))?;
        let attachments = Attachments::new(&self.device, target);
        let mut pass = attachments.begin(&mut encoder, SKY, wgpu::LoadOp::Clear(1.0));
        pass.set_bind_group(0, &self.camera.group, &[]);
        self.crowd.draw(&mut pass, &self.material);
        drop(pass);
        self.queue.submit([encoder.finish()]);
        Ok(())
    }
}

/// The window, once there is one.
struct App {
    instance: wgpu::Instance,
    shown: Option<Shown>,
    keys: HashSet<KeyCode>,
    start: Instant,
    drawn_secs: f64,
}

struct Shown {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    renderer: Renderer,
}

impl Shown {
    fn new(instance: &wgpu::Instance, window: Window) -> Result<Self> {
        let window = Arc::new(window);
        let surface = instance.create_surface(window.clone())?;
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
            compatible_surface: Some(&surface),
            ..Default::default()
        }))?;
        let (device, queue) = pollster::block_on(adapter.request_device(&Default::default()))?;
        let config = surface
            .get_default_config(&adapter, 1, 1)
            .ok_or("the adapter cannot draw into this window")?;
        let renderer = Renderer::new(&device, &queue, config.format)?;
        let mut shown = Self {
            window,
            surface,
            config,
            renderer,
        };
        shown.configure();
        Ok(shown)
    }

    fn configure(&mut self) {
        let size = self.window.inner_size();
        (self.config.width, self.config.height) = (size.width.max(1), size.height.max(1));
        self.surface.configure(&self.renderer.device, &self.config);
    }
}

impl App {
    fn frame(&mut self) -> Result<()> {
        let Some(shown) = &mut self.shown else {
            return Ok(());
        };
        let secs = self.start.elapsed().as_secs_f64();
        let step = (secs - std::mem::replace(&mut self.drawn_secs, secs)) as f32;
        let axis = |more, less| {
            let pressed = |key| f32::from(u8::from(self.keys.contains(&key)));
            step * (pressed(more) - pressed(less))
        };
        use KeyCode::{
            ArrowDown, ArrowLeft, ArrowRight, ArrowUp, KeyA, KeyD, KeyE, KeyQ, KeyS, KeyW,
        };
        let moves = [axis(KeyD, KeyA), axis(KeyE, KeyQ), axis(KeyW, KeyS)];
        let turns = [axis(ArrowLeft, ArrowRight), axis(ArrowUp, ArrowDown)];
        shown.renderer.camera.fly(moves.map(|m| 6.0 * m), turns);
        use wgpu::CurrentSurfaceTexture::{Suboptimal, Success};
        match shown.surface.get_current_texture() {
            Success(frame) | Suboptimal(frame) => {
                shown.renderer.draw(&frame.texture, 1.0 + secs)?;
                shown.renderer.queue.present(frame);
            }
            // The window has changed: draw again in the next frame.
            _ => shown.configure(),
        }
        shown.window.request_redraw();
        Ok(())
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        let attributes = Window::default_attributes().with_title("Throng: draw_crowd");
        let window = events.create_window(attributes).expect("a window opens");
        self.shown = Some(Shown::new(&self.instance, window).expect("a device opens"));
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested => events.exit(),
            WindowEvent::KeyboardInput { event, .. } => {
                if let PhysicalKey::Code(key) = event.physical_key {
                    match event.state.is_pressed() {
                        true => self.keys.insert(key),
                        false => self.keys.remove(&key),
                    };
                }
            }
            WindowEvent::RedrawRequested => self.frame().expect("a frame is drawn"),
            _ => {}
        }
    }
}

fn main() -> Result<()> {
    if let Some(path) = headless_output()? {
        let gpu = Gpu::headless()?;
        let target = picture(gpu.device(), 1280, 720);
        let mut renderer = Renderer::new(gpu.device(), gpu.queue(), target.format())?;
        renderer.draw(&target, 1.0)?;
        return save_png(&gpu, &target, &path);
    }
    let events = EventLoop::new()?;
    let display = Box::new(events.owned_display_handle());
    let mut app = App {
        instance: wgpu::Instance::new(wgpu::InstanceDescriptor::new_with_display_handle(display)),
        shown: None,
        keys: HashSet::new(),
        start: Instant::now(),
        drawn_secs: 0.0,
    };
    Ok(events.run_app(&mut app)?)
}
