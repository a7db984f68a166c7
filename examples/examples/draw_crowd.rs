//! A crowd in a window: your device, camera, depth buffer and material.
//!
//! `cargo run -p throng-examples --example draw_crowd` opens a window. W, A, S, D, Q and E fly, the arrow keys turn.
//! With `-- --headless crowd.png` it writes a picture instead.

use std::error::Error;

use glam::Vec3;
use throng_examples::{
    Attachments, FlyCamera, SKY, Scene, baked_humanoid, depth_state, headless_output, instances,
    multisample, picture, save_png, show,
};
use throng_wgpu::{
    Crowd, CrowdMaterial, CrowdModel, Gpu, MaterialDescriptor, ModelSettings, Ticks, wgpu,
};

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
}

impl Scene for Renderer {
    fn camera(&mut self) -> &mut FlyCamera {
        &mut self.camera
    }

    fn draw(&mut self, target: &wgpu::Texture, secs: f64) -> Result<()> {
        let aspect = target.width() as f32 / target.height() as f32;
        self.camera.write(&self.queue, aspect);
        let mut encoder = self.device.create_command_encoder(&Default::default());
        self.crowd
            .prepare(&mut encoder, Ticks::from_secs(1.0 + secs))?;
        let attachments = Attachments::new(&self.device, target);
        let mut pass = attachments.begin(&mut encoder, SKY, wgpu::LoadOp::Clear(1.0));
        pass.set_bind_group(0, &self.camera.group, &[]);
        self.crowd.draw(&mut pass, &self.material);
        drop(pass);
        self.queue.submit([encoder.finish()]);
        Ok(())
    }
}

fn main() -> Result<()> {
    if let Some(path) = headless_output()? {
        let gpu = Gpu::headless()?;
        let target = picture(gpu.device(), 1280, 720);
        let mut renderer = Renderer::new(gpu.device(), gpu.queue(), target.format())?;
        renderer.draw(&target, 0.0)?;
        return save_png(&gpu, &target, &path);
    }
    show("Throng: draw_crowd", Renderer::new)
}
