//! A lit scene: sun, sky, ground with shadows, base colours, four samples per pixel.
//!
//! A picture takes four steps: depth as seen from the sun, heights above the ground, their blur, and the lit pass.

use glam::Mat4;
use throng_rig::{Bounds, Character};
use throng_shaders::{Frame, backdrop_shader};
use throng_wgpu::{Crowd, CrowdPipelines, FrameUniform, Gpu, PassTargets, Ticks};

use crate::contact::ContactBlur;
use crate::cover::cover_pipeline;
use crate::maps::{self, Maps};
use crate::material::{self, Materials};
use crate::target::{self, DEPTH, Target};
use crate::{Camera, Lights, Picture, StudioError};

/// Render target, lights and shadow maps for pictures of one size.
#[derive(Debug)]
pub struct Scene {
    gpu: Gpu,
    /// Lights of the next shots.
    pub lights: Lights,
    target: Target,
    frames: [FrameUniform; 3],
    blur: ContactBlur,
    backdrop: wgpu::RenderPipeline,
    material_layout: wgpu::BindGroupLayout,
    scene_layout: wgpu::BindGroupLayout,
    maps: Option<Maps>,
}

/// A crowd with its materials and pipelines.
#[derive(Debug)]
pub struct Subject {
    /// The crowd; its instances may be replaced between shots.
    pub crowd: Crowd,
    draw: CrowdPipelines,
    shadow: CrowdPipelines,
    materials: Materials,
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
    /// Blend between LBS (0) and DQS (1) for blended methods, see [`Crowd::deform_factor`].
    pub deform_factor: f32,
}

/// Point of view of a pass.
#[derive(Debug, Clone, Copy)]
enum PassView {
    Camera,
    Sun,
    Ground,
}

impl Scene {
    /// Makes a scene of `[width, height]` pixels with default lights.
    pub fn new(gpu: &Gpu, size: [u32; 2]) -> Result<Self, StudioError> {
        let material_layout = material::layout(gpu)?;
        let scene_layout = maps::layout(gpu)?;
        let layouts = [None, None, None, Some(&scene_layout)];
        let frame = || FrameUniform::new(gpu);
        Ok(Self {
            target: Target::new(gpu, size)?,
            lights: Lights::default(),
            frames: [frame()?, frame()?, frame()?],
            blur: ContactBlur::new(gpu)?,
            backdrop: cover_pipeline(gpu, &backdrop_shader(), &layouts, &target::pass_targets())?,
            maps: None,
            gpu: gpu.clone(),
            material_layout,
            scene_layout,
        })
    }

    /// Makes the pipelines of a crowd and uploads the character's materials.
    pub fn subject(&self, crowd: Crowd, character: &Character) -> Result<Subject, StudioError> {
        let frame = &self.frames[0];
        let depth_only = PassTargets {
            colors: Vec::new(),
            depth: Some(DEPTH),
            samples: 1,
        };
        let others = [&self.material_layout, &self.scene_layout];
        Ok(Subject {
            draw: crowd.pipelines(frame, &others, &target::pass_targets())?,
            shadow: crowd.shadow_pipelines(frame, &others[..1], &depth_only)?,
            materials: Materials::new(&self.gpu, &self.material_layout, character)?,
            crowd,
        })
    }

    fn frame(&self, pass_view: PassView) -> &FrameUniform {
        &self.frames[pass_view as usize]
    }

    fn write_frame(&self, pass_view: PassView, clip_from_world: Mat4, shot: &Shot) {
        let frame = Frame {
            clip_from_world: clip_from_world.to_cols_array_2d(),
            now: shot.now.0,
            deform_factor: shot.deform_factor,
            padding: [0; 2],
        };
        self.frame(pass_view).write(&self.gpu, &frame);
    }

    /// Draws a subject and reads the picture back. Blocks, so it cannot be used in browsers.
    pub fn shoot(&mut self, subject: &mut Subject, shot: &Shot) -> Result<Picture, StudioError> {
        let gpu = self.gpu.clone();
        gpu.checked(|| self.shoot_on(&gpu, subject, shot))?
    }

    fn shoot_on(
        &mut self,
        gpu: &Gpu,
        subject: &mut Subject,
        shot: &Shot,
    ) -> Result<Picture, StudioError> {
        let maps = match self.maps.take() {
            Some(maps) if maps.fits(shot, &self.lights) => maps,
            _ => Maps::new(gpu, &self.blur, &self.scene_layout, shot, &self.lights)?,
        };
        maps.write(gpu, shot, &self.lights);
        self.write_frame(PassView::Camera, shot.camera.clip_from_world(), shot);
        self.write_frame(PassView::Sun, maps.sun_view.clip_from_world, shot);
        self.write_frame(PassView::Ground, maps.contact_view.clip_from_world, shot);

        let mut encoder = gpu.device().create_command_encoder(&Default::default());
        subject
            .crowd
            .prepare(&mut encoder, self.frame(PassView::Camera), shot.now)?;
        gpu.checked(|| {
            self.draw_depth(&mut encoder, PassView::Sun, &maps.sun, subject);
            self.draw_depth(
                &mut encoder,
                PassView::Ground,
                &maps.contact.heights,
                subject,
            );
            self.blur.run(&mut encoder, &maps.contact);
            let mut pass = self.target.begin(&mut encoder);
            pass.set_bind_group(3, &maps.group, &[]);
            pass.set_pipeline(&self.backdrop);
            pass.draw(0..3, 0..1);
            let frame = self.frame(PassView::Camera);
            subject
                .crowd
                .draw(&mut pass, frame, &subject.draw, |pass, material| {
                    pass.set_bind_group(2, subject.materials.group(material), &[]);
                    pass.set_bind_group(3, &maps.group, &[]);
                });
            drop(pass);
            gpu.queue().submit([encoder.finish()]);
        })?;
        self.maps = Some(maps);
        Ok(self.target.read(gpu)?)
    }

    fn draw_depth(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        pass_view: PassView,
        view: &wgpu::TextureView,
        subject: &Subject,
    ) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow"),
            color_attachments: &[],
            depth_stencil_attachment: Some(target::depth_attachment(view, wgpu::StoreOp::Store)),
            ..Default::default()
        });
        let frame = self.frame(pass_view);
        subject
            .crowd
            .draw(&mut pass, frame, &subject.shadow, |pass, material| {
                pass.set_bind_group(2, subject.materials.group(material), &[]);
            });
    }
}
