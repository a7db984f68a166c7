//! A small picture of the crowd, the same natively and in a browser.

use glam::Vec3;
use throng_format::TextureSet;
use throng_wgpu::{CrowdModel, GpuError, MaterialDescriptor, ModelSettings, Ticks, wgpu};

use crate::{Attachments, FlyCamera, SKY, depth_state, instances, multisample};

/// Width and height in pixels.
pub const SMALL_SIZE: [u32; 2] = [192, 96];

/// Draws twelve instances with the material of `draw_crowd` into a new texture of [`SMALL_SIZE`].
pub fn small_picture(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    set: &TextureSet,
    now: Ticks,
) -> Result<wgpu::Texture, GpuError> {
    let [width, height] = SMALL_SIZE;
    let target = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("small picture"),
        size: wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let mut camera = FlyCamera::new(device, Vec3::new(0.0, 2.6, 8.0), -0.24);
    camera.write(queue, width as f32 / height as f32);
    let model = CrowdModel::new(device, queue, set, ModelSettings::default())?;
    let material = model.material(&MaterialDescriptor {
        wgsl: include_str!("../examples/draw_crowd.wgsl"),
        fragment: Some("shade"),
        bind_group_layouts: &[Some(&camera.layout)],
        targets: &[Some(target.format().into())],
        depth_stencil: Some(depth_state(wgpu::CompareFunction::Less)),
        multisample: multisample(),
        ..Default::default()
    })?;
    let mut crowd = model.crowd()?;
    crowd.set_instances(&instances(12, 2, now))?;
    let mut encoder = device.create_command_encoder(&Default::default());
    crowd.prepare(&mut encoder, now)?;
    let attachments = Attachments::new(device, &target);
    let mut pass = attachments.begin(&mut encoder, SKY, wgpu::LoadOp::Clear(1.0));
    pass.set_bind_group(0, &camera.group, &[]);
    crowd.draw(&mut pass, &material);
    drop(pass);
    queue.submit([encoder.finish()]);
    Ok(target)
}
