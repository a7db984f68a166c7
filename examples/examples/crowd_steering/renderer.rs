//! The renderer: a shadow map of the sun, then people, solids and pavement.

use glam::camera::rh::proj::directx::orthographic;
use glam::camera::rh::view::look_to_mat4;
use glam::{Mat4, Vec3};
use throng_examples::steering::street::Solid;
use throng_examples::{
    Attachments, DEPTH, FlyCamera, Group, attachment, begin_depth, depth_state, ground_pipeline,
    multisample,
};
use throng_format::TextureSet;
use throng_wgpu::{
    Crowd, CrowdMaterial, CrowdModel, CrowdView, MaterialDescriptor, ModelSettings, Ticks,
    ViewCamera, wgpu,
};
use wgpu::util::{BufferInitDescriptor, DeviceExt};

use crate::Result;
use crate::solids::{Solids, shadow_depth};

/// Side of the shadow map in texels.
const SHADOW_SIDE: u32 = 4096;
/// Half of the width that the sun lights with shadows, in metres, and its middle.
const SHADOW_HALF: f32 = 98.0;
const SHADOW_MIDDLE: Vec3 = Vec3::new(0.0, 0.0, -28.0);
/// The clear colour: the horizon of `light.wgsl` as it is developed.
const HORIZON: wgpu::Color = wgpu::Color {
    r: 0.47,
    g: 0.58,
    b: 0.72,
    a: 1.0,
};

/// Pipelines and bind groups.
pub struct Renderer {
    device: wgpu::Device,
    queue: wgpu::Queue,
    /// The camera.
    pub camera: FlyCamera,
    /// The character.
    pub model: CrowdModel,
    people: CrowdMaterial,
    people_shadow: CrowdMaterial,
    solids: Solids,
    ground: wgpu::RenderPipeline,
    sun: Group,
    shadow: Group,
    shadow_map: wgpu::TextureView,
}

/// Direction to the sun.
fn to_sun() -> Vec3 {
    Vec3::new(-0.74, 0.58, 0.34).normalize()
}

/// View of the sun.
fn sun_from_world() -> Mat4 {
    let view = look_to_mat4(SHADOW_MIDDLE + 170.0 * to_sun(), -to_sun(), Vec3::Y);
    let half = SHADOW_HALF;
    orthographic(-half, half, -half, half, 20.0, 320.0) * view
}

/// The block `Sun` of the shaders.
fn sun_block() -> Vec<f32> {
    let mut block = sun_from_world().to_cols_array().to_vec();
    block.extend(to_sun().extend(0.0).to_array());
    block
}

/// Views of a crowd: those of the camera and of the sun.
pub struct Views {
    camera: CrowdView,
    sun: CrowdView,
}

impl Views {
    /// Makes the views.
    pub fn new(crowd: &Crowd) -> Result<Self> {
        Ok(Self {
            camera: crowd.view()?,
            sun: crowd.view()?,
        })
    }
}

impl Renderer {
    /// Makes everything that does not change from frame to frame.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        format: wgpu::TextureFormat,
        set: &TextureSet,
        solids: &[Solid],
    ) -> Result<Self> {
        let mut camera = FlyCamera::new(device, Vec3::new(5.0, 11.0, 66.0), -0.20);
        camera.yaw_rad = 0.07;
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
        let model = CrowdModel::new(device, queue, set, ModelSettings::default())?;
        let people = model.material(&MaterialDescriptor {
            label: Some("people"),
            wgsl: concat!(include_str!("light.wgsl"), include_str!("people.wgsl")),
            fragment: Some("shade"),
            bind_group_layouts: &layouts,
            targets: &[Some(format.into())],
            depth_stencil: Some(depth_state(wgpu::CompareFunction::Less)),
            multisample: multisample(),
            ..Default::default()
        })?;
        let people_shadow = model.material(&MaterialDescriptor {
            label: Some("shadows of people"),
            wgsl: include_str!("shadow.wgsl"),
            bind_group_layouts: &[None, None, Some(&sun.layout)],
            depth_stencil: Some(shadow_depth()),
            ..Default::default()
        })?;
        Ok(Self {
            solids: Solids::new(device, &layouts, format, solids),
            ground: ground_pipeline(
                device,
                &layouts,
                concat!(include_str!("light.wgsl"), include_str!("ground.wgsl")),
                format,
            ),
            device: device.clone(),
            queue: queue.clone(),
            camera,
            model,
            people,
            people_shadow,
            sun,
            shadow,
            shadow_map,
        })
    }

    /// Draws a frame.
    pub fn draw(
        &mut self,
        target: &wgpu::Texture,
        crowd: &mut Crowd,
        views: &mut Views,
        now: Ticks,
    ) -> Result<()> {
        let size = [target.width() as f32, target.height() as f32];
        let aspect = size[0] / size[1];
        self.camera.write(&self.queue, aspect);
        let mut encoder = self.device.create_command_encoder(&Default::default());
        crowd.prepare(&mut encoder, now)?;
        // Distant people have fewer triangles, and cast the shadows of these.
        let camera = ViewCamera::new(self.camera.clip_from_world(aspect)).with_detail(size);
        let sun = ViewCamera {
            clip_from_world: sun_from_world(),
            ..camera
        };
        crowd.cull(&mut encoder, &mut views.camera, &camera)?;
        crowd.cull(&mut encoder, &mut views.sun, &sun)?;

        let mut pass = begin_depth(&mut encoder, &self.shadow_map);
        pass.set_bind_group(0, &self.camera.group, &[]);
        pass.set_bind_group(2, &self.sun.group, &[]);
        self.solids.draw_shadow(&mut pass);
        crowd.draw_view(&mut pass, &self.people_shadow, &views.sun);
        drop(pass);

        let attachments = Attachments::new(&self.device, target);
        let mut pass = attachments.begin(&mut encoder, HORIZON, wgpu::LoadOp::Clear(1.0));
        pass.set_bind_group(0, &self.camera.group, &[]);
        pass.set_bind_group(2, &self.sun.group, &[]);
        pass.set_bind_group(3, &self.shadow.group, &[]);
        self.solids.draw(&mut pass);
        crowd.draw_view(&mut pass, &self.people, &views.camera);
        pass.set_pipeline(&self.ground);
        pass.draw(0..4, 0..1);
        drop(pass);
        self.queue.submit([encoder.finish()]);
        Ok(())
    }
}
