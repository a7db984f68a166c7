//! Capture: vertices are drawn as points, one texel each, and read back.

use glam::Vec3;

use crate::pipeline::PassTargets;
use crate::target::WordTarget;
use crate::{Captured, Crowd, CrowdPipelines, FrameUniform, Gpu, GpuError};

/// Creates the textures of positions and normals.
pub(crate) fn targets(
    gpu: &Gpu,
    vertices: u32,
    instances: usize,
) -> Result<[WordTarget; 2], GpuError> {
    let target = || WordTarget::new(gpu, "vertices", vertices, instances);
    Ok([target()?, target()?])
}

/// Formats of the capture pass.
pub(crate) fn pass_targets() -> PassTargets {
    PassTargets {
        colors: vec![wgpu::TextureFormat::Rgba32Uint; 2],
        depth: None,
        samples: 1,
    }
}

/// Textures and pipelines that capture a crowd of a fixed number of instances.
#[derive(Debug)]
pub(crate) struct Capture {
    pub frame: FrameUniform,
    pub pipelines: CrowdPipelines,
    positions: WordTarget,
    normals: WordTarget,
}

impl Capture {
    pub fn new(gpu: &Gpu, crowd: &Crowd) -> Result<Self, GpuError> {
        let [positions, normals] = targets(gpu, crowd.vertex_count() as u32, crowd.len())?;
        let frame = FrameUniform::new(gpu)?;
        Ok(Self {
            pipelines: crowd.capture_pipelines(&frame, &pass_targets())?,
            frame,
            positions,
            normals,
        })
    }

    pub fn begin<'e>(&self, encoder: &'e mut wgpu::CommandEncoder) -> wgpu::RenderPass<'e> {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("capture"),
            color_attachments: &[self.positions.attachment(), self.normals.attachment()],
            ..Default::default()
        })
    }

    /// Waits for the pass and returns the vertices of every instance.
    pub fn read(
        &self,
        gpu: &Gpu,
        vertices: usize,
        instances: usize,
    ) -> Result<Vec<Captured>, GpuError> {
        let positions = vectors(&self.positions.read(gpu)?);
        let normals = vectors(&self.normals.read(gpu)?);
        let of = |all: &[Vec3], instance: usize| all[instance * vertices..][..vertices].to_vec();
        let instances = (0..instances).map(|instance| Captured {
            positions: of(&positions, instance),
            normals: of(&normals, instance),
        });
        Ok(instances.collect())
    }
}

fn vectors(texels: &[[u32; 4]]) -> Vec<Vec3> {
    let vector = |texel: &[u32; 4]| Vec3::from_array([0, 1, 2].map(|k| f32::from_bits(texel[k])));
    texels.iter().map(vector).collect()
}
