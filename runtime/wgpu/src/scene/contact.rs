//! The map of what stands closely over the ground: heights, blurred along rows and then along columns.

use throng_shaders::{BlurPass, blur_contact_shader};

use super::cover::cover_pipeline;
use super::target::{self, DEPTH};
use crate::pipeline::PassTargets;
use crate::{Gpu, GpuError};

const CLOSENESS: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;

/// The two blurs, for maps of any size.
#[derive(Debug)]
pub(crate) struct ContactBlur {
    layout: wgpu::BindGroupLayout,
    rows: wgpu::RenderPipeline,
    columns: wgpu::RenderPipeline,
}

/// Maps of one size.
#[derive(Debug)]
pub(crate) struct ContactMap {
    /// Heights are drawn into this.
    pub heights: wgpu::TextureView,
    half_blurred: wgpu::TextureView,
    /// And this comes of them.
    pub blurred: wgpu::TextureView,
    rows_group: wgpu::BindGroup,
    columns_group: wgpu::BindGroup,
}

impl ContactBlur {
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let layout = gpu.checked(|| {
            gpu.device
                .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
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
                })
        })?;
        let targets = PassTargets {
            colors: vec![CLOSENESS],
            depth: None,
            samples: 1,
        };
        let pipeline =
            |pass| cover_pipeline(gpu, &blur_contact_shader(pass), &[Some(&layout)], &targets);
        Ok(Self {
            rows: pipeline(BlurPass::Rows)?,
            columns: pipeline(BlurPass::Columns)?,
            layout,
        })
    }

    pub fn map(&self, gpu: &Gpu, side: u32) -> Result<ContactMap, GpuError> {
        let heights = target::map(gpu, "heights", side, DEPTH)?;
        let half_blurred = target::map(gpu, "contact, half", side, CLOSENESS)?;
        let blurred = target::map(gpu, "contact", side, CLOSENESS)?;
        let group = |view: &wgpu::TextureView| {
            gpu.checked(|| {
                gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                    label: Some("contact"),
                    layout: &self.layout,
                    entries: &[wgpu::BindGroupEntry {
                        binding: 0,
                        resource: wgpu::BindingResource::TextureView(view),
                    }],
                })
            })
        };
        Ok(ContactMap {
            rows_group: group(&heights)?,
            columns_group: group(&half_blurred)?,
            heights,
            half_blurred,
            blurred,
        })
    }

    /// After heights were drawn.
    pub fn run(&self, encoder: &mut wgpu::CommandEncoder, map: &ContactMap) {
        let passes = [
            (&map.half_blurred, &self.rows, &map.rows_group),
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
