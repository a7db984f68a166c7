//! Someone else's material: a rim light, a shadow map and a depth pre-pass, in a renderer with four bind groups.
//!
//! `cargo run -p throng-examples --example custom_material -- --headless rim.png` writes a picture.
//!
//! Group 0 is the camera, 1 is Throng's, 2 the sun and 3 the shadow map. Three materials draw the same crowd: depth for the
//! sun, depth for the camera, and the colours of those pixels alone whose depth is the one of the pre-pass.

use std::error::Error;

use glam::camera::rh::proj::directx::orthographic;
use glam::camera::rh::view::look_to_mat4;
use glam::{Mat4, Vec3};
use throng_examples::{
    Attachments, DEPTH, FlyCamera, Group, attachment, baked_humanoid, begin_depth, depth_state,
    ground_pipeline, headless_output, instances, multisample, picture, save_png,
};
use throng_wgpu::{CrowdModel, Gpu, Invariance, MaterialDescriptor, ModelSettings, Ticks, wgpu};
use wgpu::util::{BufferInitDescriptor, DeviceExt};

/// The clear colour; the haze of the shaders has it too.
const NIGHT: wgpu::Color = wgpu::Color {
    r: 0.015,
    g: 0.02,
    b: 0.045,
    a: 1.0,
};

/// Side of the shadow map in texels.
const SHADOW_SIDE: u32 = 2048;

/// The block `Sun` of the shaders: a low sun that sees 26 m around the origin.
fn sun_block() -> Vec<f32> {
    let direction = Vec3::new(-0.72, 0.42, -0.55).normalize();
    let view = look_to_mat4(40.0 * direction, -direction, Vec3::Y);
    let clip_from_world: Mat4 = orthographic(-13.0, 13.0, -13.0, 13.0, 1.0, 80.0) * view;
    let mut block = clip_from_world.to_cols_array().to_vec();
    block.extend(direction.extend(0.0).to_array());
    block
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = headless_output()?.ok_or("usage: --headless FILE.png")?;
    let gpu = Gpu::headless()?;
    let (device, queue) = (gpu.device(), gpu.queue());
    let target = picture(device, 1280, 720);

    let mut camera = FlyCamera::new(device, Vec3::new(3.2, 2.5, 12.5), -0.15);
    camera.yaw_rad = 0.22;
    camera.write(queue, 1280.0 / 720.0);
    let sun_buffer = device.create_buffer_init(&BufferInitDescriptor {
        label: Some("sun"),
        contents: bytemuck::cast_slice(&sun_block()),
        usage: wgpu::BufferUsages::UNIFORM,
    });
    let sun = Group::uniform(device, &sun_buffer);
    let shadow_size = wgpu::Extent3d {
        width: SHADOW_SIDE,
        height: SHADOW_SIDE,
        depth_or_array_layers: 1,
    };
    let shadow_map = attachment(device, shadow_size, DEPTH, 1);
    let shadow = Group::shadow(device, &shadow_map);
    let layouts = [
        Some(&camera.layout),
        None,
        Some(&sun.layout),
        Some(&shadow.layout),
    ];

    // One crowd, three materials.
    let model = CrowdModel::new(device, queue, &baked_humanoid()?, ModelSettings::default())?;
    let casts_shadow = model.material(&MaterialDescriptor {
        label: Some("shadow"),
        wgsl: include_str!("shadow.wgsl"),
        bind_group_layouts: &[None, None, Some(&sun.layout)],
        depth_stencil: Some(wgpu::DepthStencilState {
            bias: wgpu::DepthBiasState {
                constant: 2,
                slope_scale: 2.0,
                clamp: 0.0,
            },
            ..depth_state(wgpu::CompareFunction::Less)
        }),
        ..Default::default()
    })?;
    let pre_pass = model.material(&MaterialDescriptor {
        label: Some("pre-pass"),
        wgsl: include_str!("pre_pass.wgsl"),
        bind_group_layouts: &[Some(&camera.layout)],
        depth_stencil: Some(depth_state(wgpu::CompareFunction::Less)),
        multisample: multisample(),
        invariance: Invariance::Position,
        ..Default::default()
    })?;
    let rim_light = model.material(&MaterialDescriptor {
        label: Some("rim light"),
        wgsl: concat!(include_str!("light.wgsl"), include_str!("material.wgsl")),
        fragment: Some("shade"),
        bind_group_layouts: &layouts,
        targets: &[Some(target.format().into())],
        depth_stencil: Some(depth_state(wgpu::CompareFunction::Equal)),
        multisample: multisample(),
        invariance: Invariance::Position,
        ..Default::default()
    })?;
    let source = concat!(include_str!("light.wgsl"), include_str!("ground.wgsl"));
    let ground = ground_pipeline(device, &layouts, source, target.format());

    let now = Ticks::from_secs(1.0);
    let mut crowd = model.crowd()?;
    crowd.set_instances(&instances(90, model.clip_names().len() as u32, now))?;
    let mut encoder = device.create_command_encoder(&Default::default());
    crowd.prepare(&mut encoder, now)?;

    let mut pass = begin_depth(&mut encoder, &shadow_map);
    pass.set_bind_group(2, &sun.group, &[]);
    crowd.draw(&mut pass, &casts_shadow);
    drop(pass);

    let attachments = Attachments::new(device, &target);
    let mut pass = attachments.begin_depth(&mut encoder);
    pass.set_bind_group(0, &camera.group, &[]);
    crowd.draw(&mut pass, &pre_pass);
    drop(pass);

    let mut pass = attachments.begin(&mut encoder, NIGHT, wgpu::LoadOp::Load);
    pass.set_bind_group(0, &camera.group, &[]);
    pass.set_bind_group(2, &sun.group, &[]);
    pass.set_bind_group(3, &shadow.group, &[]);
    crowd.draw(&mut pass, &rim_light);
    pass.set_pipeline(&ground);
    pass.draw(0..4, 0..1);
    drop(pass);
    queue.submit([encoder.finish()]);
    save_png(&gpu, &target, &path)
}
