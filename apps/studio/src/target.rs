//! The multisampled render target of a scene, and its read-back.

use throng_wgpu::wgpu;

use crate::StudioError;

const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
/// Format of depth buffers and shadow maps.
pub(crate) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Samples per pixel.
const SAMPLES: u32 = 4;

/// Attachments of one size.
#[derive(Debug)]
pub(crate) struct Target {
    samples: wgpu::TextureView,
    depth: wgpu::TextureView,
    resolved: wgpu::Texture,
    resolved_view: wgpu::TextureView,
}

/// Formats of a pass with one colour target.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PassFormats {
    pub color: wgpu::TextureFormat,
    /// True if there is a depth buffer, of the format [`DEPTH`].
    pub has_depth: bool,
    /// Samples per pixel.
    pub samples: u32,
}

/// Formats of the lit pass.
pub(crate) const LIT_FORMATS: PassFormats = PassFormats {
    color: COLOR,
    has_depth: true,
    samples: SAMPLES,
};

/// Depth test of crowds.
pub(crate) fn depth_state() -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH,
        depth_write_enabled: Some(true),
        depth_compare: Some(wgpu::CompareFunction::Less),
        stencil: Default::default(),
        bias: Default::default(),
    }
}

impl Target {
    pub fn new(device: &wgpu::Device, [width, height]: [u32; 2]) -> Result<Self, StudioError> {
        let max_side = device.limits().max_texture_dimension_2d;
        if width == 0 || height == 0 || width.max(height) > max_side {
            return Err(StudioError::PictureSize {
                width,
                height,
                max_side,
            });
        }
        let create = |label, format, sample_count, usage| {
            device.create_texture(&wgpu::TextureDescriptor {
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
        let shown = wgpu::TextureUsages::COPY_SRC | wgpu::TextureUsages::TEXTURE_BINDING;
        let resolved = create("picture", COLOR, 1, shown);
        Ok(Self {
            samples: create("samples", COLOR, SAMPLES, none).create_view(&Default::default()),
            depth: create("depth", DEPTH, SAMPLES, none).create_view(&Default::default()),
            resolved_view: resolved.create_view(&Default::default()),
            resolved,
        })
    }

    /// Begins the lit pass.
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

    /// The finished picture.
    pub fn picture(&self) -> &wgpu::Texture {
        &self.resolved
    }
}

/// Returns a depth attachment that is cleared to the far plane.
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

/// Creates a texture that is drawn into and then sampled.
pub(crate) fn map(
    device: &wgpu::Device,
    label: &str,
    [width, height]: [u32; 2],
    format: wgpu::TextureFormat,
) -> wgpu::TextureView {
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
    let map = device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    });
    map.create_view(&Default::default())
}
