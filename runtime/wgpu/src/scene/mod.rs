//! A crowd as a picture: a sun and a sky, a ground with shadows, base colours, four samples a texel.
//!
//! [`Scene`] holds what stays, a [`Subject`] what is drawn, and a [`Shot`] says from where and when. A picture is
//! made in four steps: depth as the sun sees it, heights over the ground, the blur of those, and everything lit.

mod box3;
mod camera;
mod contact;
mod cover;
mod image;
mod light;
mod maps;
mod material;
mod picture;
mod shadow;
mod target;

pub use box3::Box3;
pub use camera::{Camera, View};
pub use light::Lights;
pub use picture::Picture;

use glam::Mat4;
use throng_rig::Character;
use throng_shaders::{Frame, backdrop_shader};

use crate::bindings::FrameUniform;
use crate::crowd::{Crowd, CrowdPipelines};
use crate::pipeline::PassTargets;
use crate::{Gpu, GpuError, Ticks};
use contact::ContactBlur;
use maps::Maps;
use material::Materials;
use target::{DEPTH, Target};

/// A place to draw in, of one size.
#[derive(Debug)]
pub struct Scene {
    gpu: Gpu,
    /// What is lit by what.
    pub lights: Lights,
    target: Target,
    frames: [FrameUniform; 3],
    blur: ContactBlur,
    backdrop: wgpu::RenderPipeline,
    material_layout: wgpu::BindGroupLayout,
    scene_layout: wgpu::BindGroupLayout,
    maps: Option<Maps>,
}

/// A crowd with its surfaces.
#[derive(Debug)]
pub struct Subject {
    /// Who is there.
    pub crowd: Crowd,
    draw: CrowdPipelines,
    shadow: CrowdPipelines,
    materials: Materials,
}

/// From where and when.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shot {
    /// The camera.
    pub camera: Camera,
    /// Holds everyone: what is outside casts no shadow.
    pub casters: Box3,
    /// How high the ground is.
    pub ground_y: f32,
    /// How large a character is: shadows are as soft, and the ground goes as far, as suits it.
    pub character_size: f32,
    /// When.
    pub now: Ticks,
    /// How much of the dual quaternions there is in blends, see [`Crowd::deform_factor`].
    pub deform_factor: f32,
}

/// Who looks in a pass.
#[derive(Debug, Clone, Copy)]
enum Seer {
    Camera,
    Sun,
    Ground,
}

impl Scene {
    /// A scene of a width and height in texels, with default lights.
    pub fn new(gpu: &Gpu, size: [u32; 2]) -> Result<Self, GpuError> {
        let material_layout = material::layout(gpu)?;
        let scene_layout = maps::layout(gpu)?;
        let layouts = [None, None, None, Some(&scene_layout)];
        let frame = || FrameUniform::new(gpu);
        Ok(Self {
            target: Target::new(gpu, size)?,
            lights: Lights::default(),
            frames: [frame()?, frame()?, frame()?],
            blur: ContactBlur::new(gpu)?,
            backdrop: cover::cover_pipeline(
                gpu,
                &backdrop_shader(),
                &layouts,
                &target::pass_targets(),
            )?,
            maps: None,
            gpu: gpu.clone(),
            material_layout,
            scene_layout,
        })
    }

    /// Makes a crowd ready; its surfaces are the character's.
    pub fn subject(&self, crowd: Crowd, character: &Character) -> Result<Subject, GpuError> {
        let frame = &self.frames[0];
        let depth_alone = PassTargets {
            colors: Vec::new(),
            depth: Some(DEPTH),
            samples: 1,
        };
        let others = [&self.material_layout, &self.scene_layout];
        Ok(Subject {
            draw: crowd.pipelines(frame, &others, &target::pass_targets())?,
            shadow: crowd.shadow_pipelines(frame, &others[..1], &depth_alone)?,
            materials: Materials::new(&self.gpu, &self.material_layout, character)?,
            crowd,
        })
    }

    fn frame(&self, seer: Seer) -> &FrameUniform {
        &self.frames[seer as usize]
    }

    fn write_frame(&self, seer: Seer, clip_from_world: Mat4, shot: &Shot) {
        let frame = Frame {
            clip_from_world: clip_from_world.to_cols_array_2d(),
            now: shot.now.0,
            deform_factor: shot.deform_factor,
            padding: [0; 2],
        };
        self.frame(seer).write(&self.gpu, &frame);
    }

    /// Draws a subject and reads the picture back. Blocks, so it is not for browsers.
    pub fn shoot(&mut self, subject: &mut Subject, shot: &Shot) -> Result<Picture, GpuError> {
        let gpu = self.gpu.clone();
        gpu.checked(|| self.shoot_on(&gpu, subject, shot))?
    }

    fn shoot_on(
        &mut self,
        gpu: &Gpu,
        subject: &mut Subject,
        shot: &Shot,
    ) -> Result<Picture, GpuError> {
        let maps = match self.maps.take() {
            Some(maps) if maps.fits(shot, &self.lights) => maps,
            _ => Maps::new(gpu, &self.blur, &self.scene_layout, shot, &self.lights)?,
        };
        maps.write(gpu, shot, &self.lights);
        self.write_frame(Seer::Camera, shot.camera.clip_from_world(), shot);
        self.write_frame(Seer::Sun, maps.sun_view.clip_from_world, shot);
        self.write_frame(Seer::Ground, maps.contact_view.clip_from_world, shot);

        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        subject
            .crowd
            .prepare(&mut encoder, self.frame(Seer::Camera), shot.now)?;
        gpu.checked(|| {
            self.draw_depth(&mut encoder, Seer::Sun, &maps.sun, subject);
            self.draw_depth(&mut encoder, Seer::Ground, &maps.contact.heights, subject);
            self.blur.run(&mut encoder, &maps.contact);
            let mut pass = self.target.begin(&mut encoder);
            pass.set_bind_group(3, &maps.group, &[]);
            pass.set_pipeline(&self.backdrop);
            pass.draw(0..3, 0..1);
            let frame = self.frame(Seer::Camera);
            subject
                .crowd
                .draw(&mut pass, frame, &subject.draw, |pass, material| {
                    pass.set_bind_group(2, subject.materials.group(material), &[]);
                    pass.set_bind_group(3, &maps.group, &[]);
                });
            drop(pass);
            gpu.queue.submit([encoder.finish()]);
        })?;
        self.maps = Some(maps);
        self.target.read(gpu)
    }

    fn draw_depth(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        seer: Seer,
        view: &wgpu::TextureView,
        subject: &Subject,
    ) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow"),
            color_attachments: &[],
            depth_stencil_attachment: Some(target::depth_attachment(view, wgpu::StoreOp::Store)),
            ..Default::default()
        });
        let frame = self.frame(seer);
        subject
            .crowd
            .draw(&mut pass, frame, &subject.shadow, |pass, material| {
                pass.set_bind_group(2, subject.materials.group(material), &[]);
            });
    }
}
