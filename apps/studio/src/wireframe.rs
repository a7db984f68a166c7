//! Depth test of wireframes.

use throng_wgpu::wgpu;

use crate::target::depth_state;

/// Returns a depth test that draws edges on top of the triangles that they belong to.
pub(crate) fn wire_depth_state() -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        depth_compare: Some(wgpu::CompareFunction::LessEqual),
        bias: wgpu::DepthBiasState {
            constant: -4,
            slope_scale: -1.0,
            clamp: 0.0,
        },
        ..depth_state()
    }
}
