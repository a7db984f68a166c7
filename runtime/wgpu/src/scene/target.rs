//! What a scene is drawn into: four samples a texel, and the picture that comes of them.

use super::picture::Picture;
use crate::pipeline::PassTargets;
use crate::{Gpu, GpuError, texture};

const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
/// Of everything that is compared or sampled.
pub(crate) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
const SAMPLES: u32 = 4;

/// Textures of one size.
#[derive(Debug)]
pub(crate) struct Target {
    samples: wgpu::TextureView,
    depth: wgpu::TextureView,
    resolved: wgpu::Texture,
    resolved_view: wgpu::TextureView,
}

/// What pipelines draw into.
pub(crate) fn pass_targets() -> PassTargets {
    PassTargets {
        colors: vec![COLOR],
        depth: Some(DEPTH),
        samples: SAMPLES,
    }
}

impl Target {
    pub fn new(gpu: &Gpu, [width, height]: [u32; 2]) -> Result<Self, GpuError> {
        let max_side = gpu.device.limits().max_texture_dimension_2d;
        if width == 0 || height == 0 || width.max(height) > max_side {
            return Err(GpuError::PictureSize {
                width,
                height,
                max_side,
            });
        }
        let create = |label, format, sample_count, usage| {
            gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d {
                    width,
                    height,
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | usage,
                view_formats: &[],
            })
        };
        let none = wgpu::TextureUsages::empty();
        gpu.checked(|| {
            let resolved = create("picture", COLOR, 1, wgpu::TextureUsages::COPY_SRC);
            Self {
                samples: create("samples", COLOR, SAMPLES, none).create_view(&Default::default()),
                depth: create("depth", DEPTH, SAMPLES, none).create_view(&Default::default()),
                resolved_view: resolved.create_view(&Default::default()),
                resolved,
            }
        })
    }

    /// Begins the pass that everything is drawn in.
    pub fn begin<'e>(&self, encoder: &'e mut wgpu::CommandEncoder) -> wgpu::RenderPass<'e> {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("scene"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.samples,
                depth_slice: None,
                resolve_target: Some(&self.resolved_view),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Discard,
                },
            })],
            depth_stencil_attachment: Some(depth_attachment(&self.depth, wgpu::StoreOp::Discard)),
            ..Default::default()
        })
    }

    /// The picture, once everything was submitted. Blocks, so it is not for browsers.
    pub fn read(&self, gpu: &Gpu) -> Result<Picture, GpuError> {
        let size = self.resolved.size();
        let rgba = crate::read_back::texture(gpu, &self.resolved)?;
        Ok(Picture::from_rgba(size.width, size.height, &rgba))
    }
}

/// Depth that starts as far away as can be.
pub(crate) fn depth_attachment(
    view: &wgpu::TextureView,
    store: wgpu::StoreOp,
) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations {
            load: wgpu::LoadOp::Clear(1.0),
            store,
        }),
        stencil_ops: None,
    }
}

/// A square map that is drawn into and then sampled.
pub(crate) fn map(
    gpu: &Gpu,
    label: &str,
    side: u32,
    format: wgpu::TextureFormat,
) -> Result<wgpu::TextureView, GpuError> {
    gpu.checked(|| {
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
        let map = texture::create(gpu, label, [side, side, 1], format, usage);
        map.create_view(&Default::default())
    })
}
