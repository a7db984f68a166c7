//! Contact shadows: a height map of the casters near the ground, blurred along rows and then along columns.

use throng_wgpu::wgpu;

use crate::cover::cover_pipeline;
use crate::shader::{BlurPass, blur_contact};
use crate::target::{self, DEPTH, PassFormats};

/// Occlusion: 1 at the ground, 0 at the height limit and above.
const OCCLUSION: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;

/// Pipelines of the two blur passes, for maps of any size.
#[derive(Debug)]
pub(crate) struct ContactBlur {
    layout: wgpu::BindGroupLayout,
    rows: wgpu::RenderPipeline,
    columns: wgpu::RenderPipeline,
}

/// Textures of one size, from heights to the blurred map.
#[derive(Debug)]
pub(crate) struct ContactMap {
    /// Depth target of the casters as seen from the ground.
    pub heights: wgpu::TextureView,
    rows_blurred: wgpu::TextureView,
    /// Result of both blur passes.
    pub blurred: wgpu::TextureView,
    rows_group: wgpu::BindGroup,
    columns_group: wgpu::BindGroup,
}

impl ContactBlur {
    pub fn new(device: &wgpu::Device) -> Self {
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("contact"),
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::FRAGMENT,
                ty: wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Float { filterable: false },
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: false,
                },
                count: None,
            }],
        });
        let targets = PassFormats {
            color: OCCLUSION,
            has_depth: false,
            samples: 1,
        };
        let pipeline =
            |pass| cover_pipeline(device, &blur_contact(pass), &[Some(&layout)], &targets);
        Self {
            rows: pipeline(BlurPass::Rows),
            columns: pipeline(BlurPass::Columns),
            layout,
        }
    }

    pub fn map(&self, device: &wgpu::Device, sides: [u32; 2]) -> ContactMap {
        let heights = target::map(device, "heights", sides, DEPTH);
        let rows_blurred = target::map(device, "contact, rows blurred", sides, OCCLUSION);
        let blurred = target::map(device, "contact", sides, OCCLUSION);
        let group = |view: &wgpu::TextureView| {
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("contact"),
                layout: &self.layout,
                entries: &[wgpu::BindGroupEntry {
                    binding: 0,
                    resource: wgpu::BindingResource::TextureView(view),
                }],
            })
        };
        ContactMap {
            rows_group: group(&heights),
            columns_group: group(&rows_blurred),
            heights,
            rows_blurred,
            blurred,
        }
    }

    /// Encodes both blur passes; the heights must have been drawn before.
    pub fn run(&self, encoder: &mut wgpu::CommandEncoder, map: &ContactMap) {
        let passes = [
            (&map.rows_blurred, &self.rows, &map.rows_group),
            (&map.blurred, &self.columns, &map.columns_group),
        ];
        for (view, pipeline, group) in passes {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("contact"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            });
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, group, &[]);
            pass.draw(0..3, 0..1);
        }
    }
}
