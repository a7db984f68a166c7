//! Layouts of vertex buffers.

use std::mem::offset_of;

use throng_shaders::{Deform, InfluenceSource};

use crate::mesh::{AttributeBlock, VertexBlock};

/// Vertex buffers of shaders that deform: the two of [`crate::SetBuffers`], and instances
/// ([`throng_shaders::InstanceBlock`]). Attributes 4 and 5 differ where bones are in colours: see [`vertex_layouts`].
pub const VERTEX_LAYOUTS: [Option<wgpu::VertexBufferLayout<'static>>; 3] = [
    Some(wgpu::VertexBufferLayout {
        array_stride: size_of::<VertexBlock>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x3],
    }),
    Some(wgpu::VertexBufferLayout {
        array_stride: size_of::<AttributeBlock>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &wgpu::vertex_attr_array![
            2 => Float32x2, 3 => Unorm16x4, 4 => Uint32x4, 5 => Float32x4, 6 => Uint32x4
        ],
    }),
    Some(wgpu::VertexBufferLayout {
        array_stride: size_of::<throng_shaders::InstanceBlock>() as u64,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes: &wgpu::vertex_attr_array![
            7 => Uint32x4, 8 => Uint32x4, 9 => Uint32x4, 10 => Uint32x4, 11 => Uint32x4, 12 => Uint32x4
        ],
    }),
];

/// [`VERTEX_LAYOUTS`] of vertices with bones in colours ([`InfluenceSource::Colors`]).
const COLOR_VERTEX_LAYOUTS: [Option<wgpu::VertexBufferLayout<'static>>; 3] = {
    let [vertices, _, instances] = VERTEX_LAYOUTS;
    let attributes = wgpu::VertexBufferLayout {
        array_stride: size_of::<AttributeBlock>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &[
            attribute(
                2,
                wgpu::VertexFormat::Float32x2,
                offset_of!(AttributeBlock, uv),
            ),
            attribute(
                3,
                wgpu::VertexFormat::Unorm16x4,
                offset_of!(AttributeBlock, color),
            ),
            attribute(
                4,
                wgpu::VertexFormat::Unorm8x4,
                offset_of!(AttributeBlock, joints),
            ),
            attribute(
                5,
                wgpu::VertexFormat::Float32x2,
                offset_of!(AttributeBlock, weights),
            ),
            attribute(
                6,
                wgpu::VertexFormat::Uint32x4,
                offset_of!(AttributeBlock, indices),
            ),
        ],
    };
    [vertices, Some(attributes), instances]
};

const fn attribute(
    shader_location: u32,
    format: wgpu::VertexFormat,
    offset: usize,
) -> wgpu::VertexAttribute {
    wgpu::VertexAttribute {
        format,
        offset: offset as u64,
        shader_location,
    }
}

/// Vertex buffers of a technique: [`VERTEX_LAYOUTS`], or the same buffers where bones are in colours.
pub fn vertex_layouts(deform: Deform) -> [Option<wgpu::VertexBufferLayout<'static>>; 3] {
    match deform.influences() {
        InfluenceSource::Attributes => VERTEX_LAYOUTS,
        InfluenceSource::Colors | InfluenceSource::SingleColor => COLOR_VERTEX_LAYOUTS,
    }
}

/// Vertex buffer of tangents, for materials that read them.
pub(crate) const TANGENT_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<[i16; 4]>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![13 => Snorm16x4],
};

/// Vertex buffer of the indices of instances, for materials that read palettes or the frame before.
pub(crate) const INDEX_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<u32>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![15 => Uint32],
};

/// Vertex buffer of the positions of the frame before, for motion vectors of vertices that no shader deforms.
pub(crate) const PREVIOUS_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<VertexBlock>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &wgpu::vertex_attr_array![14 => Float32x4],
};
