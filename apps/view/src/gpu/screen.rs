//! One viewport on the device: a scene, its content, and the picture that the window shows.

use eframe::egui::TextureId;
use eframe::egui_wgpu::RenderState;
use throng_rig::Bounds;
use throng_studio::{
    Camera, Cast, LineDepth, LineVertex, Lines, PosedColors, PosedMesh, Scene, Shot, Subject,
    Surface,
};
use throng_wgpu::{Crowd, GpuTimes, Instance, PendingCapture, Ticks, wgpu};

use super::overlay::posed_vertices;
use super::{Colors, Content, ContentKey, Vertices};

/// Everything that a picture depends on, beside the content.
pub struct FrameSpec<'a> {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Point of view.
    pub camera: Camera,
    /// Bounding box of all instances.
    pub casters: Bounds,
    /// Height of the ground.
    pub ground_y: f32,
    /// Size of the character.
    pub character_size: f32,
    /// Time.
    pub now: Ticks,
    /// Instances; uploaded when the key changes.
    pub instances: &'a dyn Fn() -> Vec<Instance>,
    /// Changes with the instances.
    pub instances_key: u64,
    /// Instance at the origin, whose vertices overlays show.
    pub probe: Instance,
    /// Deform factor of blended methods.
    pub factor: f32,
    /// Appearance.
    pub surface: Surface,
    /// Colours.
    pub colors: Colors<'a>,
    /// Lines behind surfaces, and on top.
    pub lines: [&'a [LineVertex]; 2],
    /// Vertices of a pose set by hand, shown instead of the content.
    pub held: Option<&'a Vertices>,
    /// True if overlays or other viewports need the vertices.
    pub needs_vertices: bool,
}

/// A viewport.
pub struct Screen {
    scene: Scene,
    loaded: Option<Loaded>,
    lines: [Lines; 2],
    /// Copy of the scene's picture in the colour space of the window's textures.
    shown: wgpu::Texture,
    /// Texture of the window.
    pub texture: TextureId,
    /// Reason why the content cannot be shown.
    pub problem: Option<String>,
}

/// Content on the device.
struct Loaded {
    content: Content,
    key: ContentKey,
    subject: Subject,
    instances_key: Option<u64>,
    /// One instance, whose vertices are read back.
    probe: Crowd,
    pending: Option<(Ticks, PendingCapture)>,
    vertices: Option<Vertices>,
    /// Mesh with vertices of the probe, or of a pose set by hand; made when needed.
    posed: Option<(PosedColors, PosedMesh)>,
}

impl Screen {
    /// A viewport without content.
    pub fn new(render: &RenderState) -> Result<Self, String> {
        let size = [16, 16];
        let scene = Scene::new(&render.device, &render.queue, size);
        let scene = scene.map_err(|error| error.to_string())?;
        let shown = shown_texture(&render.device, size);
        let view = shown.create_view(&Default::default());
        let texture = render.renderer.write().register_native_texture(
            &render.device,
            &view,
            wgpu::FilterMode::Nearest,
        );
        Ok(Self {
            lines: [
                scene.lines(LineDepth::Tested),
                scene.lines(LineDepth::OnTop),
            ],
            scene,
            loaded: None,
            shown,
            texture,
            problem: None,
        })
    }

    /// Releases the texture of the window.
    pub fn release(&mut self, render: &RenderState) {
        render.renderer.write().free_texture(&self.texture);
    }

    /// Content that is shown.
    pub fn content(&self) -> Option<&Content> {
        self.loaded.as_ref().map(|loaded| &loaded.content)
    }

    /// Vertices of the probe, and their time.
    pub fn vertices(&self) -> Option<&Vertices> {
        self.loaded.as_ref()?.vertices.as_ref()
    }

    /// Picture that the window shows.
    pub fn picture(&self) -> &wgpu::Texture {
        &self.shown
    }

    /// Shows another content. A content that cannot be uploaded leaves the old one.
    pub fn show(&mut self, render: &RenderState, content: &Content) {
        let key = content.key();
        if self.loaded.as_ref().is_some_and(|loaded| loaded.key == key) {
            return;
        }
        match self.load(render, content) {
            Ok(loaded) => {
                self.loaded = Some(loaded);
                self.problem = None;
            }
            Err(error) => self.problem = Some(error),
        }
    }

    /// Shows nothing.
    pub fn clear(&mut self) {
        self.loaded = None;
        self.problem = None;
    }

    fn load(&self, render: &RenderState, content: &Content) -> Result<Loaded, String> {
        let model = content.upload(&render.device, &render.queue)?;
        let crowd = || model.crowd().map_err(|error| error.to_string());
        let subject = self.scene.subject(crowd()?, content.character());
        Ok(Loaded {
            key: content.key(),
            subject: subject.map_err(|error| error.to_string())?,
            instances_key: None,
            probe: crowd()?,
            pending: None,
            vertices: None,
            posed: None,
            content: content.clone(),
        })
    }

    fn resize(&mut self, render: &RenderState, size: [u32; 2]) -> Result<(), String> {
        if size == self.scene.size() {
            return Ok(());
        }
        self.scene.resize(size).map_err(|error| error.to_string())?;
        self.shown = shown_texture(&render.device, size);
        render
            .renderer
            .write()
            .update_egui_texture_from_wgpu_texture(
                &render.device,
                &self.shown.create_view(&Default::default()),
                wgpu::FilterMode::Nearest,
                self.texture,
            );
        Ok(())
    }

    /// Draws a picture and submits it.
    pub fn draw(
        &mut self,
        render: &RenderState,
        frame: &FrameSpec<'_>,
        times: Option<&mut GpuTimes>,
    ) -> Result<(), String> {
        self.resize(render, frame.size)?;
        if let Some(loaded) = &mut self.loaded {
            loaded.prepare(&self.scene, frame)?;
        }
        for (lines, vertices) in self.lines.iter_mut().zip(frame.lines) {
            lines.write(vertices);
        }
        let shot = Shot {
            camera: frame.camera,
            casters: frame.casters,
            ground_y: frame.ground_y,
            character_size: frame.character_size,
            now: frame.now,
        };
        let (subjects, meshes): (&mut [Subject], &[PosedMesh]) = match &mut self.loaded {
            None => (&mut [], &[]),
            Some(loaded) => (
                std::slice::from_mut(&mut loaded.subject),
                match &loaded.posed {
                    Some((_, posed)) => std::slice::from_ref(posed),
                    None => &[],
                },
            ),
        };
        let mut cast = Cast {
            subjects,
            meshes,
            lines: &self.lines,
        };
        let mut encoder = render.device.create_command_encoder(&Default::default());
        let times = times.filter(|times| !times.is_pending());
        if let Some(times) = &times {
            times.begin(&mut encoder);
        }
        let drawn = self.scene.draw(&mut encoder, &mut cast, &shot);
        drawn.map_err(|error| error.to_string())?;
        if let Some(times) = &times {
            times.end(&mut encoder);
        }
        encoder.copy_texture_to_texture(
            self.scene.picture().as_image_copy(),
            self.shown.as_image_copy(),
            self.shown.size(),
        );
        render.queue.submit([encoder.finish()]);
        if let Some(times) = times {
            times.request();
        }
        Ok(())
    }
}

impl Loaded {
    fn prepare(&mut self, scene: &Scene, frame: &FrameSpec<'_>) -> Result<(), String> {
        // The content of an older document may lack clips of the new one; it stays as it is until it is replaced.
        let clips = self.subject.crowd.model().clip_names().len().max(1);
        let is_known = |instance: &Instance| instance.clips().all(|clip| (clip as usize) < clips);
        let can_play = is_known(&frame.probe);
        if self.instances_key != Some(frame.instances_key) && can_play {
            let mut instances = (frame.instances)();
            instances.retain(is_known);
            let set = self.subject.crowd.set_instances(&instances);
            set.map_err(|error| error.to_string())?;
            self.instances_key = Some(frame.instances_key);
        }
        self.subject.crowd.set_deform_factor(frame.factor);
        let needs_posed = frame.colors != Colors::Materials || frame.held.is_some();
        match frame.held {
            Some(held) => self.vertices = Some(held.clone()),
            None if frame.needs_vertices && can_play => self.capture(frame)?,
            None => {
                self.vertices = None;
                self.pending = None;
            }
        }
        let vertices = self.vertices.as_ref().filter(|_| needs_posed);
        let Some(vertices) = vertices else {
            self.subject.surface = frame.surface;
            if let Some((_, posed)) = &mut self.posed {
                posed.surface = Surface::Hidden;
            }
            return Ok(());
        };
        let colors = match frame.colors {
            Colors::Materials => PosedColors::Materials,
            _ => PosedColors::Vertices,
        };
        if self
            .posed
            .as_ref()
            .is_none_or(|(known, _)| *known != colors)
        {
            let made = scene.posed_mesh(self.content.character(), colors);
            self.posed = Some((colors, made.map_err(|error| error.to_string())?));
        }
        if let Some((_, posed)) = &mut self.posed {
            let character = self.content.character();
            posed.write(&posed_vertices(character, vertices, frame.colors));
            posed.surface = frame.surface;
        }
        self.subject.surface = Surface::Hidden;
        Ok(())
    }

    /// Reads back the vertices of the probe, some frames later.
    fn capture(&mut self, frame: &FrameSpec<'_>) -> Result<(), String> {
        if let Some((at, pending)) = &self.pending {
            let captured = pending.try_read().map_err(|error| error.to_string())?;
            if let Some(captured) = captured.and_then(|all| all.into_iter().next()) {
                self.vertices = Some(Vertices {
                    positions: captured.positions,
                    normals: captured.normals,
                    at: *at,
                });
                self.pending = None;
            }
        }
        let is_current = self.vertices.as_ref().is_some_and(|v| v.at == frame.now)
            && self.probe.instances() == [frame.probe]
            && self.probe.deform_factor() == frame.factor;
        if self.pending.is_none() && !is_current {
            let capture = || {
                self.probe.set_instances(&[frame.probe])?;
                self.probe.set_deform_factor(frame.factor);
                self.probe.capture(frame.now)
            };
            let mut capture = capture;
            let pending = capture().map_err(|error| error.to_string())?;
            self.pending = Some((frame.now, pending));
        }
        Ok(())
    }
}

fn shown_texture(device: &wgpu::Device, [width, height]: [u32; 2]) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some("viewport"),
        size: wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        // Windows blend in gamma space.
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::COPY_DST
            | wgpu::TextureUsages::COPY_SRC
            | wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    })
}
