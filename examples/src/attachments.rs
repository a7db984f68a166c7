//! Colour and depth attachments of the examples.

use throng_wgpu::wgpu;

/// Format of depth buffers.
pub const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Samples per pixel of [`Attachments`].
pub const SAMPLES: u32 = 4;

/// Background of the examples.
pub const SKY: wgpu::Color = wgpu::Color {
    r: 0.42,
    g: 0.52,
    b: 0.64,
    a: 1.0,
};

/// A multisampled colour buffer and a depth buffer, of the size of a target.
#[derive(Debug)]
pub struct Attachments {
    color: wgpu::TextureView,
    depth: wgpu::TextureView,
    target: wgpu::TextureView,
}

impl Attachments {
    /// Creates the buffers for a target.
    pub fn new(device: &wgpu::Device, target: &wgpu::Texture) -> Self {
        Self {
            color: attachment(device, target.size(), target.format(), SAMPLES),
            depth: attachment(device, target.size(), DEPTH, SAMPLES),
            target: target.create_view(&Default::default()),
        }
    }

    /// Begins a pass that draws into the target. Depth is cleared to the far plane, or kept from [`Self::begin_depth`].
    pub fn begin<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        background: wgpu::Color,
        depth: wgpu::LoadOp<f32>,
    ) -> wgpu::RenderPass<'e> {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("crowd"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.color,
                depth_slice: None,
                resolve_target: Some(&self.target),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(background),
                    store: wgpu::StoreOp::Discard,
                },
            })],
            depth_stencil_attachment: Some(depth_attachment(&self.depth, depth)),
            ..Default::default()
        })
    }

    /// Begins a pass into the depth buffer alone.
    pub fn begin_depth<'e>(&self, encoder: &'e mut wgpu::CommandEncoder) -> wgpu::RenderPass<'e> {
        begin_depth(encoder, &self.depth)
    }
}

/// Begins a pass into a depth buffer.
pub fn begin_depth<'e>(
    encoder: &'e mut wgpu::CommandEncoder,
    view: &wgpu::TextureView,
) -> wgpu::RenderPass<'e> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("depth"),
        color_attachments: &[],
        depth_stencil_attachment: Some(depth_attachment(view, wgpu::LoadOp::Clear(1.0))),
        ..Default::default()
    })
}

/// Creates a texture to draw into; those of one sample can be read by shaders.
pub fn attachment(
    device: &wgpu::Device,
    size: wgpu::Extent3d,
    format: wgpu::TextureFormat,
    sample_count: u32,
) -> wgpu::TextureView {
    let read = match sample_count {
        1 => wgpu::TextureUsages::TEXTURE_BINDING,
        _ => wgpu::TextureUsages::empty(),
    };
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("attachment"),
        size,
        mip_level_count: 1,
        sample_count,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | read,
        view_formats: &[],
    });
    texture.create_view(&Default::default())
}

/// Depth test of a pipeline. It writes depth unless only equal depths pass.
pub fn depth_state(compare: wgpu::CompareFunction) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH,
        depth_write_enabled: Some(compare != wgpu::CompareFunction::Equal),
        depth_compare: Some(compare),
        stencil: Default::default(),
        bias: Default::default(),
    }
}

/// Multisampling of [`Attachments`].
pub fn multisample() -> wgpu::MultisampleState {
    wgpu::MultisampleState {
        count: SAMPLES,
        ..Default::default()
    }
}

fn depth_attachment(
    view: &wgpu::TextureView,
    load: wgpu::LoadOp<f32>,
) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations {
            load,
            store: wgpu::StoreOp::Store,
        }),
        stencil_ops: None,
    }
}
