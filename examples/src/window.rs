//! A window that shows a scene, with a camera that flies.

use std::collections::HashSet;
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use throng_wgpu::wgpu;
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::keyboard::{KeyCode, PhysicalKey};
use winit::window::{Window, WindowId};

use crate::FlyCamera;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Metres per second of the keys that fly.
const FLY_SPEED: f32 = 6.0;

/// A scene that a window shows.
pub trait Scene {
    /// The camera, which the keys fly.
    fn camera(&mut self) -> &mut FlyCamera;

    /// Draws a frame, `secs` seconds after the first one.
    fn draw(&mut self, target: &wgpu::Texture, secs: f64) -> Result<()>;
}

/// Opens a window and shows a scene until it is closed. W, A, S, D, Q and E fly, the arrow keys turn.
///
/// `make` makes the scene on the window's device, for targets of a format.
pub fn show<S: Scene, M>(title: &str, make: M) -> Result<()>
where
    M: Fn(&wgpu::Device, &wgpu::Queue, wgpu::TextureFormat) -> Result<S>,
{
    let events = EventLoop::new()?;
    let display = Box::new(events.owned_display_handle());
    let mut app = App {
        title: title.to_owned(),
        make,
        instance: wgpu::Instance::new(wgpu::InstanceDescriptor::new_with_display_handle(display)),
        shown: None,
        keys: HashSet::new(),
        start: Instant::now(),
        drawn_secs: 0.0,
    };
    Ok(events.run_app(&mut app)?)
}

/// The window, once there is one.
struct App<S, M> {
    title: String,
    make: M,
    instance: wgpu::Instance,
    shown: Option<Shown<S>>,
    keys: HashSet<KeyCode>,
    start: Instant,
    drawn_secs: f64,
}

struct Shown<S> {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    device: wgpu::Device,
    queue: wgpu::Queue,
    scene: S,
}

impl<S: Scene> Shown<S> {
    fn new(
        instance: &wgpu::Instance,
        window: Window,
        make: impl Fn(&wgpu::Device, &wgpu::Queue, wgpu::TextureFormat) -> Result<S>,
    ) -> Result<Self> {
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
        let scene = make(&device, &queue, config.format)?;
        let mut shown = Self {
            window,
            surface,
            config,
            device,
            queue,
            scene,
        };
        shown.configure();
        Ok(shown)
    }

    fn configure(&mut self) {
        let size = self.window.inner_size();
        (self.config.width, self.config.height) = (size.width.max(1), size.height.max(1));
        self.surface.configure(&self.device, &self.config);
    }
}

impl<S: Scene, M> App<S, M> {
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
        let camera = shown.scene.camera();
        camera.fly(moves.map(|m| FLY_SPEED * m), turns);
        use wgpu::CurrentSurfaceTexture::{Suboptimal, Success};
        match shown.surface.get_current_texture() {
            Success(frame) | Suboptimal(frame) => {
                shown.scene.draw(&frame.texture, secs)?;
                shown.queue.present(frame);
            }
            // The window has changed: draw again in the next frame.
            _ => shown.configure(),
        }
        shown.window.request_redraw();
        Ok(())
    }
}

impl<S: Scene, M> ApplicationHandler for App<S, M>
where
    M: Fn(&wgpu::Device, &wgpu::Queue, wgpu::TextureFormat) -> Result<S>,
{
    fn resumed(&mut self, events: &ActiveEventLoop) {
        let attributes = Window::default_attributes().with_title(&self.title);
        let window = events.create_window(attributes).expect("a window opens");
        let shown = Shown::new(&self.instance, window, &self.make);
        self.shown = Some(shown.expect("a device opens"));
        self.start = Instant::now();
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
