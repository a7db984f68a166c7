//! A lit scene: sun, sky, ground with shadows, base colours, four samples per pixel.
//!
//! A picture takes four steps: depth as seen from the sun, heights above the ground, their blur, and the lit pass.

use throng_rig::{Bounds, Character};
use throng_wgpu::{Crowd, CrowdMaterial, Gpu, GpuError, MaterialDescriptor, Ticks, wgpu};

use crate::contact::ContactBlur;
use crate::cover::cover_pipeline;
use crate::maps::{self, Maps};
use crate::material::{self, Materials};
use crate::pass_camera::{self, PassCamera};
use crate::shader::{LIT, SHADOW, backdrop};
use crate::target::{self, LIT_FORMATS, Target, depth_state};
use crate::{Camera, Lights, Picture, StudioError};

/// Render target, lights and shadow maps for pictures of one size.
#[derive(Debug)]
pub struct Scene {
    gpu: Gpu,
    /// Lights of the next shots.
    pub lights: Lights,
    target: Target,
    cameras: [PassCamera; 3],
    camera_layout: wgpu::BindGroupLayout,
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
    lit: CrowdMaterial,
    shadow: CrowdMaterial,
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
        let camera_layout = pass_camera::layout(gpu)?;
        let scene_layout = maps::layout(gpu)?;
        let layouts = [None, None, None, Some(&scene_layout)];
        let camera = || PassCamera::new(gpu, &camera_layout);
        Ok(Self {
            target: Target::new(gpu, size)?,
            lights: Lights::default(),
            cameras: [camera()?, camera()?, camera()?],
            blur: ContactBlur::new(gpu)?,
            backdrop: cover_pipeline(gpu, &backdrop(), &layouts, &LIT_FORMATS)?,
            maps: None,
            gpu: gpu.clone(),
            material_layout: material::layout(gpu)?,
            camera_layout,
            scene_layout,
        })
    }

    /// Compiles the materials of a crowd and uploads the character's textures.
    pub fn subject(&self, crowd: Crowd, character: &Character) -> Result<Subject, StudioError> {
        let (camera, material) = (Some(&self.camera_layout), Some(&self.material_layout));
        let lit = MaterialDescriptor {
            label: Some("lit"),
            wgsl: LIT,
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
        let compiled = |descriptor: &MaterialDescriptor<'_>| {
            self.gpu.checked(|| crowd.model().material(descriptor))?
        };
        Ok(Subject {
            lit: compiled(&lit)?,
            shadow: compiled(&shadow)?,
            materials: Materials::new(&self.gpu, &self.material_layout, character)?,
            crowd,
        })
    }

    fn camera(&self, pass_view: PassView) -> &PassCamera {
        &self.cameras[pass_view as usize]
    }

    /// Draws a subject and reads the picture back. Blocks, so it cannot be used in browsers.
    pub fn shoot(&mut self, subject: &mut Subject, shot: &Shot) -> Result<Picture, StudioError> {
        self.shoot_all(std::slice::from_mut(subject), shot)
    }

    /// Draws several subjects in one picture, such as the characters of a party. Blocks, so it cannot be used in browsers.
    pub fn shoot_all(
        &mut self,
        subjects: &mut [Subject],
        shot: &Shot,
    ) -> Result<Picture, StudioError> {
        let gpu = self.gpu.clone();
        gpu.checked(|| self.shoot_on(&gpu, subjects, shot))?
    }

    fn shoot_on(
        &mut self,
        gpu: &Gpu,
        subjects: &mut [Subject],
        shot: &Shot,
    ) -> Result<Picture, StudioError> {
        let maps = match self.maps.take() {
            Some(maps) if maps.fits(shot, &self.lights) => maps,
            _ => Maps::new(gpu, &self.blur, &self.scene_layout, shot, &self.lights)?,
        };
        maps.write(gpu, shot, &self.lights);
        let views = [
            (PassView::Camera, shot.camera.clip_from_world()),
            (PassView::Sun, maps.sun_view.clip_from_world),
            (PassView::Ground, maps.contact_view.clip_from_world),
        ];
        for (view, clip_from_world) in views {
            self.camera(view).write(gpu, clip_from_world);
        }
        let mut encoder = gpu.device().create_command_encoder(&Default::default());
        gpu.checked(|| {
            for subject in &mut *subjects {
                subject.crowd.prepare(&mut encoder, shot.now)?;
            }
            self.draw_depth(&mut encoder, PassView::Sun, &maps.sun, subjects);
            self.draw_depth(
                &mut encoder,
                PassView::Ground,
                &maps.contact.heights,
                subjects,
            );
            self.blur.run(&mut encoder, &maps.contact);
            let mut pass = self.target.begin(&mut encoder);
            pass.set_bind_group(3, &maps.group, &[]);
            pass.set_pipeline(&self.backdrop);
            pass.draw(0..3, 0..1);
            for subject in &*subjects {
                self.draw(&mut pass, PassView::Camera, subject, &subject.lit);
            }
            drop(pass);
            gpu.queue().submit([encoder.finish()]);
            Ok::<_, GpuError>(())
        })??;
        self.maps = Some(maps);
        Ok(self.target.read(gpu)?)
    }

    /// Draws all parts, each with its textures.
    fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        pass_view: PassView,
        subject: &Subject,
        material: &CrowdMaterial,
    ) {
        pass.set_bind_group(0, &self.camera(pass_view).group, &[]);
        for (index, part) in subject.crowd.model().parts().iter().enumerate() {
            pass.set_bind_group(2, subject.materials.group(part.material), &[]);
            subject.crowd.draw_part(pass, material, index);
        }
    }

    fn draw_depth(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        pass_view: PassView,
        view: &wgpu::TextureView,
        subjects: &[Subject],
    ) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow"),
            color_attachments: &[],
            depth_stencil_attachment: Some(target::depth_attachment(view, wgpu::StoreOp::Store)),
            ..Default::default()
        });
        for subject in subjects {
            self.draw(&mut pass, pass_view, subject, &subject.shadow);
        }
    }
}
