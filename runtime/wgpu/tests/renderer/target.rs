//! Targets and an orthographic camera that sees three humanoids from the front.

use glam::{Mat4, Vec3};
use throng_wgpu::{Gpu, wgpu};
use wgpu::util::{BufferInitDescriptor, DeviceExt};

/// Direction of depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// 0 is near.
    Forward,
    /// 1 is near.
    Reversed,
}

const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Attachments and camera of a pass.
pub struct Target {
    colors: Vec<wgpu::Texture>,
    depth: wgpu::TextureView,
    direction: Depth,
    pub camera_layout: wgpu::BindGroupLayout,
    pub camera_group: wgpu::BindGroup,
}

impl Target {
    pub fn new(gpu: &Gpu, [width, height]: [u32; 2], colors: usize, direction: Depth) -> Self {
        let device = gpu.device();
        let texture = |format, usage| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: wgpu::Extent3d {
                    width,
                    height,
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | usage,
                view_formats: &[],
            })
        };
        let color = || {
            let format = wgpu::TextureFormat::Rgba32Uint;
            texture(format, wgpu::TextureUsages::COPY_SRC)
        };
        let depth = texture(DEPTH, wgpu::TextureUsages::empty());
        let camera_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: None,
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::VERTEX,
                ty: wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            }],
        });
        let camera = device.create_buffer_init(&BufferInitDescriptor {
            label: None,
            contents: bytemuck::cast_slice(&clip_from_world(direction).to_cols_array()),
            usage: wgpu::BufferUsages::UNIFORM,
        });
        let camera_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &camera_layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: camera.as_entire_binding(),
            }],
        });
        Self {
            colors: (0..colors).map(|_| color()).collect(),
            depth: depth.create_view(&Default::default()),
            direction,
            camera_layout,
            camera_group,
        }
    }

    pub fn depth_state(&self, compare: wgpu::CompareFunction) -> wgpu::DepthStencilState {
        wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(compare != wgpu::CompareFunction::Equal),
            depth_compare: Some(compare),
            stencil: Default::default(),
            bias: Default::default(),
        }
    }

    /// Begins a pass that clears everything.
    pub fn begin<'e>(&self, encoder: &'e mut wgpu::CommandEncoder) -> wgpu::RenderPass<'e> {
        self.begin_with(encoder, &self.colors, self.clear_depth())
    }

    /// Begins a pass into the depth buffer alone.
    pub fn begin_depth<'e>(&self, encoder: &'e mut wgpu::CommandEncoder) -> wgpu::RenderPass<'e> {
        self.begin_with(encoder, &[], self.clear_depth())
    }

    /// Begins a pass that keeps the depth.
    pub fn begin_after_depth<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
    ) -> wgpu::RenderPass<'e> {
        self.begin_with(encoder, &self.colors, wgpu::LoadOp::Load)
    }

    fn clear_depth(&self) -> wgpu::LoadOp<f32> {
        wgpu::LoadOp::Clear(match self.direction {
            Depth::Forward => 1.0,
            Depth::Reversed => 0.0,
        })
    }

    fn begin_with<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        colors: &[wgpu::Texture],
        depth: wgpu::LoadOp<f32>,
    ) -> wgpu::RenderPass<'e> {
        let views: Vec<_> = colors
            .iter()
            .map(|color| color.create_view(&Default::default()))
            .collect();
        let attachments: Vec<_> = views
            .iter()
            .map(|view| {
                Some(wgpu::RenderPassColorAttachment {
                    view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                        store: wgpu::StoreOp::Store,
                    },
                })
            })
            .collect();
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: None,
            color_attachments: &attachments,
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations {
                    load: depth,
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        })
    }

    /// Texels of a colour target.
    pub fn texels(&self, gpu: &Gpu, color: usize) -> Vec<[u32; 4]> {
        let bytes = gpu.read_texture(&self.colors[color]).unwrap();
        bytemuck::pod_collect_to_vec(&bytes)
    }

    /// Positions that a target holds as bits; `None` for the background.
    pub fn positions(&self, gpu: &Gpu, color: usize) -> Vec<Option<Vec3>> {
        let position = |texel: &[u32; 4]| {
            let vector = Vec3::from_array([0, 1, 2].map(|k| f32::from_bits(texel[k])));
            (texel[3] == 1).then_some(vector)
        };
        self.texels(gpu, color).iter().map(position).collect()
    }
}

/// Sees x from -2.6 to 2.6, y from -0.1 to 1.98 and z from -2 to 2.
fn clip_from_world(depth: Depth) -> Mat4 {
    let sign = match depth {
        Depth::Forward => -1.0,
        Depth::Reversed => 1.0,
    };
    let scale = Vec3::new(1.0 / 2.6, 1.0 / 1.04, sign / 4.0);
    Mat4::from_translation(Vec3::new(0.0, 0.0, 0.5))
        * Mat4::from_scale(scale)
        * Mat4::from_translation(Vec3::new(0.0, -0.94, 0.0))
}
