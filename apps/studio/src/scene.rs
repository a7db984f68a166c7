//! A lit scene: sun, sky, ground with shadows, base colours, four samples per pixel.
//!
//! A picture takes four steps: depth as seen from the sun, heights above the ground, their blur, and the lit pass.

use glam::Mat4;
use throng_rig::{Bounds, Character};
use throng_wgpu::{Crowd, CrowdMaterial, MaterialDescriptor, Ticks, wgpu};

use crate::contact::ContactBlur;
use crate::cover::cover_pipeline;
use crate::culling::{Culling, PassViews};
use crate::lines::Lines;
use crate::maps::{self, Maps};
use crate::material::{self, Materials};
use crate::pass_camera::{self, PassCamera};
use crate::posed_mesh::PosedMesh;
use crate::shader::{LIT, LIT_OUTFITS, SHADOW, WIRE, backdrop};
use crate::target::{self, LIT_FORMATS, Target, depth_state};
use crate::wireframe::wire_depth_state;
use crate::{Camera, Lights, Outfit, StudioError, Surface, Wardrobe};

/// Render target, lights and shadow maps of pictures, on a device of the caller. Nothing here waits for the device.
#[derive(Debug)]
pub struct Scene {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    /// Lights of the next pictures.
    pub lights: Lights,
    /// Colours of outfits in the next pictures.
    pub wardrobe: Wardrobe,
    target: Target,
    cameras: [PassCamera; 3],
    pub(crate) camera_layout: wgpu::BindGroupLayout,
    blur: ContactBlur,
    backdrop: wgpu::RenderPipeline,
    pub(crate) material_layout: wgpu::BindGroupLayout,
    pub(crate) scene_layout: wgpu::BindGroupLayout,
    maps: Option<Maps>,
}

/// A crowd with its materials and pipelines.
#[derive(Debug)]
pub struct Subject {
    /// The crowd; its instances may be replaced between pictures.
    pub crowd: Crowd,
    /// Appearance of the crowd.
    pub surface: Surface,
    /// Instances that are drawn, and their detail.
    pub culling: Culling,
    /// Views of the passes, where instances are culled.
    views: Option<PassViews>,
    lit: CrowdMaterial,
    shadow: CrowdMaterial,
    /// `None` where the device draws no lines of triangles.
    wire: Option<CrowdMaterial>,
    materials: Materials,
}

/// Everything that a picture shows.
#[derive(Debug, Default)]
pub struct Cast<'a> {
    /// Crowds.
    pub subjects: &'a mut [Subject],
    /// Meshes with vertices of the caller.
    pub meshes: &'a [PosedMesh],
    /// Lines on top.
    pub lines: &'a [Lines],
}

/// Camera, time and region of one picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shot {
    /// Point of view.
    pub camera: Camera,
    /// Bounding box of all instances in world space; geometry outside casts no shadow.
    pub casters: Bounds,
    /// Height of the ground.
    pub ground_y: f32,
    /// Size of the character: the softness of shadows and the extent of the ground scale with it.
    pub character_size: f32,
    /// Time on the GPU.
    pub now: Ticks,
}

/// Point of view of a pass.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PassView {
    Camera,
    Sun,
    Ground,
}

impl Scene {
    /// Makes a scene of `[width, height]` pixels with default lights.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        size: [u32; 2],
    ) -> Result<Self, StudioError> {
        let camera_layout = pass_camera::layout(device);
        let scene_layout = maps::layout(device);
        let layouts = [None, None, None, Some(&scene_layout)];
        let camera = || PassCamera::new(device, &camera_layout);
        Ok(Self {
            target: Target::new(device, size)?,
            lights: Lights::default(),
            wardrobe: Wardrobe::default(),
            cameras: [camera(), camera(), camera()],
            blur: ContactBlur::new(device),
            backdrop: cover_pipeline(device, &backdrop(), &layouts, &LIT_FORMATS),
            maps: None,
            device: device.clone(),
            queue: queue.clone(),
            material_layout: material::layout(device),
            camera_layout,
            scene_layout,
        })
    }

    /// Changes the size of the next pictures.
    pub fn resize(&mut self, size: [u32; 2]) -> Result<(), StudioError> {
        if size != self.size() {
            self.target = Target::new(&self.device, size)?;
        }
        Ok(())
    }

    /// Width and height of the picture.
    pub fn size(&self) -> [u32; 2] {
        let size = self.picture().size();
        [size.width, size.height]
    }

    /// The picture of the last [`Self::draw`], in sRGB; it may be copied and sampled.
    pub fn picture(&self) -> &wgpu::Texture {
        self.target.picture()
    }

    /// Compiles the materials of a crowd and uploads the character's textures. Instances of a character that an
    /// [`Outfit`] fits have the outfit of their user word.
    pub fn subject(&self, crowd: Crowd, character: &Character) -> Result<Subject, StudioError> {
        let (camera, material) = (Some(&self.camera_layout), Some(&self.material_layout));
        let lit = MaterialDescriptor {
            label: Some("lit"),
            wgsl: match Outfit::fits(character) {
                true => LIT_OUTFITS,
                false => LIT,
            },
            fragment: Some("shade"),
            bind_group_layouts: &[camera, None, material, Some(&self.scene_layout)],
            targets: &[Some(LIT_FORMATS.color.into())],
            depth_stencil: Some(depth_state()),
            multisample: wgpu::MultisampleState {
                count: LIT_FORMATS.samples,
                // Alpha-tested materials get smooth edges.
                alpha_to_coverage_enabled: true,
                ..Default::default()
            },
            ..Default::default()
        };
        let shadow = MaterialDescriptor {
            label: Some("shadow"),
            wgsl: SHADOW,
            fragment: Some("shade"),
            bind_group_layouts: &[camera, None, material],
            depth_stencil: Some(depth_state()),
            ..Default::default()
        };
        let wire = MaterialDescriptor {
            label: Some("wire"),
            wgsl: WIRE,
            fragment: Some("shade"),
            bind_group_layouts: &[camera],
            targets: &[Some(LIT_FORMATS.color.into())],
            depth_stencil: Some(wire_depth_state()),
            multisample: wgpu::MultisampleState {
                count: LIT_FORMATS.samples,
                ..Default::default()
            },
            primitive: wgpu::PrimitiveState {
                polygon_mode: wgpu::PolygonMode::Line,
                ..Default::default()
            },
            ..Default::default()
        };
        let model = crowd.model();
        let wire = self.has_wireframe().then(|| model.material(&wire));
        Ok(Subject {
            surface: Surface::default(),
            culling: Culling::default(),
            views: None,
            lit: model.material(&lit)?,
            shadow: model.material(&shadow)?,
            wire: wire.transpose()?,
            materials: Materials::new(&self.device, &self.queue, &self.material_layout, character)?,
            crowd,
        })
    }

    /// Returns true if the device can draw wireframes.
    pub fn has_wireframe(&self) -> bool {
        self.device
            .features()
            .contains(wgpu::Features::POLYGON_MODE_LINE)
    }

    fn camera(&self, pass_view: PassView) -> &PassCamera {
        &self.cameras[pass_view as usize]
    }

    /// Encodes a picture. There is one per scene and submission.
    pub fn draw(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        cast: &mut Cast<'_>,
        shot: &Shot,
    ) -> Result<(), StudioError> {
        for subject in &mut *cast.subjects {
            subject.crowd.prepare(encoder, shot.now)?;
        }
        let mut maps = self.maps.take();
        let maps = match maps.take_if(|maps| maps.aim(&self.device, shot, &self.lights)) {
            Some(maps) => maps,
            None => Maps::new(
                &self.device,
                &self.blur,
                &self.scene_layout,
                shot,
                &self.lights,
            ),
        };
        maps.write(&self.queue, shot, &self.lights, &self.wardrobe);
        let views = [
            (PassView::Camera, shot.camera.clip_from_world()),
            (PassView::Sun, maps.sun_view.clip_from_world),
            (PassView::Ground, maps.contact_view.clip_from_world),
        ];
        for (view, clip_from_world) in views {
            self.camera(view).write(&self.queue, clip_from_world);
        }
        let clip_from_world = views.map(|(_, clip_from_world)| clip_from_world);
        let size_px = self.size().map(|side| side as f32);
        for subject in &mut *cast.subjects {
            subject.cull(encoder, clip_from_world, size_px)?;
        }
        self.draw_depth(encoder, PassView::Sun, &maps.sun, cast);
        self.draw_depth(encoder, PassView::Ground, &maps.contact.heights, cast);
        self.blur.run(encoder, &maps.contact);
        let mut pass = self.target.begin(encoder);
        pass.set_bind_group(3, &maps.group, &[]);
        pass.set_pipeline(&self.backdrop);
        pass.draw(0..3, 0..1);
        pass.set_bind_group(0, &self.camera(PassView::Camera).group, &[]);
        for subject in &*cast.subjects {
            subject.draw_surface(&mut pass);
        }
        for mesh in cast.meshes {
            mesh.draw_surface(&mut pass);
        }
        for lines in cast.lines {
            lines.draw(&mut pass);
        }
        drop(pass);
        self.maps = Some(maps);
        Ok(())
    }

    fn draw_depth(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        pass_view: PassView,
        view: &wgpu::TextureView,
        cast: &Cast<'_>,
    ) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow"),
            color_attachments: &[],
            depth_stencil_attachment: Some(target::depth_attachment(view, wgpu::StoreOp::Store)),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.camera(pass_view).group, &[]);
        for subject in &*cast.subjects {
            if subject.surface.casts_shadows() {
                subject.draw_parts(&mut pass, &subject.shadow, pass_view);
            }
        }
        for mesh in cast.meshes {
            mesh.draw_shadow(&mut pass);
        }
    }
}

impl Subject {
    /// Finds the visible instances of all passes, where they are culled. Crowds that cannot be culled are drawn whole.
    fn cull(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        clip_from_world: [Mat4; 3],
        size_px: [f32; 2],
    ) -> Result<(), StudioError> {
        if self.culling == Culling::None {
            self.views = None;
            return Ok(());
        }
        if self.views.is_none() {
            self.views = PassViews::new(&self.crowd);
        }
        if let Some(views) = &mut self.views {
            views.cull(&self.crowd, encoder, clip_from_world, size_px, self.culling)?;
        }
        Ok(())
    }

    /// Draws all parts, each with its textures.
    fn draw_parts(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        material: &CrowdMaterial,
        pass_view: PassView,
    ) {
        for (index, part) in self.crowd.model().parts().iter().enumerate() {
            pass.set_bind_group(2, self.materials.group(part.material), &[]);
            match &self.views {
                Some(views) => {
                    let view = views.of(pass_view);
                    self.crowd.draw_view_part(pass, material, view, index);
                }
                None => self.crowd.draw_part(pass, material, index),
            }
        }
    }

    fn draw_surface(&self, pass: &mut wgpu::RenderPass<'_>) {
        if self.surface.is_lit() {
            self.draw_parts(pass, &self.lit, PassView::Camera);
        }
        if let Some(wire) = &self.wire
            && self.surface.has_wireframe()
        {
            match &self.views {
                Some(views) => self.crowd.draw_view(pass, wire, views.of(PassView::Camera)),
                None => self.crowd.draw(pass, wire),
            }
        }
    }
}
