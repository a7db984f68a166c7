//! Vertices read back: each is a point that falls on a texel of its own.

use glam::Vec3;

use crate::pipeline::PassTargets;
use crate::target::WordTarget;
use crate::{Captured, Gpu, GpuError};

/// Room for positions and for normals.
pub(crate) fn targets(
    gpu: &Gpu,
    vertices: u32,
    instances: usize,
) -> Result<[WordTarget; 2], GpuError> {
    let target = || WordTarget::new(gpu, "vertices", vertices, instances);
    Ok([target()?, target()?])
}

/// What pipelines that capture draw into.
pub(crate) fn pass_targets() -> PassTargets {
    PassTargets {
        colors: vec![wgpu::TextureFormat::Rgba32Uint; 2],
        depth: None,
        samples: 1,
    }
}

/// Waits for the vertices, instance by instance.
pub(crate) fn read(
    gpu: &Gpu,
    positions: &WordTarget,
    normals: &WordTarget,
    vertices: usize,
    instances: usize,
) -> Result<Vec<Captured>, GpuError> {
    let positions = vectors(&positions.read(gpu)?);
    let normals = vectors(&normals.read(gpu)?);
    let of = |all: &[Vec3], instance: usize| all[instance * vertices..][..vertices].to_vec();
    let instances = (0..instances).map(|instance| Captured {
        positions: of(&positions, instance),
        normals: of(&normals, instance),
    });
    Ok(instances.collect())
}

fn vectors(texels: &[[u32; 4]]) -> Vec<Vec3> {
    let vector = |texel: &[u32; 4]| Vec3::from_array([0, 1, 2].map(|k| f32::from_bits(texel[k])));
    texels.iter().map(vector).collect()
}
