//! Materials: the caller's WGSL and pipeline state.

use std::sync::Arc;

use throng_shaders::{Deform, MATERIAL_VERTEX, VertexOutputs, material_shader};

use crate::features::ShaderFeatures;
use crate::model::{CrowdModel, ModelData};
use crate::vertex_layouts::{
    INDEX_LAYOUT, PREVIOUS_LAYOUT, TANGENT_LAYOUT, VERTEX_LAYOUTS, vertex_layouts,
};
use crate::{GpuError, Motion};

/// A material: WGSL and pipeline state of the caller.
///
/// The WGSL defines where a vertex is on the screen, and the fragment shader:
///
/// ```wgsl
/// @group(0) @binding(0) var<uniform> clip_from_world: mat4x4<f32>;
///
/// fn clip_position(world_position: vec3<f32>) -> vec4<f32> {
///     return clip_from_world * vec4(world_position, 1.0);
/// }
///
/// @fragment
/// fn shade(in: VertexOut) -> @location(0) vec4<f32> {
///     return in.color * in.tint * max(dot(normalize(in.normal), vec3(0.0, 1.0, 0.0)), 0.1);
/// }
/// ```
///
/// `VertexOut` has the fields
///
/// | field | type | |
/// |---|---|---|
/// | `clip_position` | `vec4<f32>` | the built-in position: in fragment shaders pixels, depth and 1/w |
/// | `world_position` | `vec3<f32>` | |
/// | `normal` | `vec3<f32>` | in world space, of unit length at the vertices |
/// | `tangent` | `vec4<f32>` | in world space; w is the sign of the bitangent; zero if there is none |
/// | `uv` | `vec2<f32>` | |
/// | `color` | `vec4<f32>` | linear colour of the vertex; white if the mesh has none |
/// | `tint` | `vec4<f32>` | tint of the instance |
/// | `user` | `u32` | user word of the instance |
/// | `previous_clip_position` | `vec4<f32>` | for motion vectors, see below |
///
/// A field that the WGSL does not name after a dot is left out, with the work behind it. A material that reads
/// `previous_clip_position` defines a second function, `previous_clip_position(world_position: vec3<f32>) -> vec4<f32>`,
/// usually with the camera of the frame before; its model needs [`Motion::Previous`], and every vertex is decoded twice. The
/// motion vector in clip space divided by w is `now.xy / now.w - before.xy / before.w`, with
/// `now = clip_position(in.world_position)` and `before = in.previous_clip_position`.
/// Textures of vertices hold no tangents: with `vertex` and `vertex-ray`, derive them from `dpdx` and `dpdy` of
/// `world_position` and `uv`.
///
/// All other names are free: those of Throng begin with `throng_`. Directives (`enable`, `requires`, `diagnostic`) may come
/// first. Errors in the WGSL are reported as wgpu reports those of any shader, with lines counted from the start of Throng's
/// source.
#[derive(Debug, Clone)]
pub struct MaterialDescriptor<'a> {
    /// Label of the pipelines.
    pub label: Option<&'a str>,
    /// WGSL as described above.
    pub wgsl: &'a str,
    /// Name of the fragment entry point; `None` draws depth only, without `targets`.
    pub fragment: Option<&'a str>,
    /// Values of pipeline-overridable constants.
    pub constants: &'a [(&'a str, f64)],
    /// Index of Throng's bind group. Its place in `bind_group_layouts` is `None` or past the end.
    pub group: u32,
    /// Layouts of the caller's bind groups, which the caller sets before drawing.
    pub bind_group_layouts: &'a [Option<&'a wgpu::BindGroupLayout>],
    /// Colour targets of the pass.
    pub targets: &'a [Option<wgpu::ColorTargetState>],
    /// Depth and stencil state.
    pub depth_stencil: Option<wgpu::DepthStencilState>,
    /// Samples per pixel and their use.
    pub multisample: wgpu::MultisampleState,
    /// Culling and winding. The topology is a list of triangles.
    pub primitive: wgpu::PrimitiveState,
    /// Equality of positions with those of other materials.
    pub invariance: Invariance,
}

/// Equality of positions in different materials of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Invariance {
    /// Positions may differ by rounding: each shader is optimised for itself.
    #[default]
    None,
    /// Positions are equal to the bit in all materials with this setting whose `clip_position` computes the same: for a
    /// depth pre-pass, and the pass that then draws where depths are equal.
    Position,
}

impl Default for MaterialDescriptor<'_> {
    /// Throng's group is 1; one sample, no depth, no culling, no targets.
    fn default() -> Self {
        Self {
            label: None,
            wgsl: "",
            fragment: None,
            constants: &[],
            group: 1,
            bind_group_layouts: &[],
            targets: &[],
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            primitive: wgpu::PrimitiveState::default(),
            invariance: Invariance::None,
        }
    }
}

/// A compiled material, for crowds of the model that made it.
#[derive(Debug)]
pub struct CrowdMaterial {
    pub(crate) model: Arc<ModelData>,
    /// One per technique of the parts, for each number of influences.
    pipelines: Vec<Vec<wgpu::RenderPipeline>>,
    /// Index of the pipelines of each level.
    pipelines_of_level: Vec<usize>,
    pub(crate) group: u32,
    pub(crate) buffers: MaterialBuffers,
}

/// Slots of the vertex buffers that only some materials need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MaterialBuffers {
    pub tangents: Option<u32>,
    pub previous: Option<u32>,
    /// Indices of instances.
    pub indices: Option<u32>,
}

impl CrowdModel {
    /// Compiles a material.
    pub fn material(&self, descriptor: &MaterialDescriptor<'_>) -> Result<CrowdMaterial, GpuError> {
        CrowdMaterial::new(self, descriptor)
    }
}

impl CrowdMaterial {
    fn new(model: &CrowdModel, descriptor: &MaterialDescriptor<'_>) -> Result<Self, GpuError> {
        let data = &model.data;
        let declared = VertexOutputs::read_by(descriptor.wgsl);
        // Without a fragment shader, nothing reads the outputs.
        let outputs = match descriptor.fragment {
            Some(_) => declared,
            None => VertexOutputs::default(),
        };
        if outputs.previous_clip_position && data.motion == Motion::None {
            return Err(GpuError::NoMotion);
        }
        let group = descriptor.group as usize;
        let mut layouts = descriptor.bind_group_layouts.to_vec();
        layouts.resize(layouts.len().max(group + 1), None);
        if layouts[group].replace(&data.draw_layout.layout).is_some() {
            return Err(GpuError::GroupTaken {
                group: descriptor.group,
            });
        }
        let device = &data.gpu.device;
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: descriptor.label,
            bind_group_layouts: &layouts,
            immediate_size: 0,
        });
        let (deforms, _) = data.drawn_deforms();
        // All parts of a model are static, or none is.
        let is_static = deforms.first() == Some(&Deform::Static);
        let reads_index = outputs.previous_clip_position || deforms.iter().any(|d| d.reads_index());
        let mut further_buffers = Vec::new();
        let mut slot = |is_read: bool, buffer| {
            is_read.then(|| {
                further_buffers.push(Some(buffer));
                (VERTEX_LAYOUTS.len() + further_buffers.len()) as u32 - 1
            })
        };
        let buffers = MaterialBuffers {
            tangents: slot(outputs.tangent, TANGENT_LAYOUT),
            previous: slot(outputs.previous_clip_position && is_static, PREVIOUS_LAYOUT),
            indices: slot(reads_index, INDEX_LAYOUT),
        };
        let options = || wgpu::PipelineCompilationOptions {
            constants: descriptor.constants,
            ..Default::default()
        };
        let pipeline = |deform: Deform, max_influences: usize| {
            let mut vertex_buffers = vertex_layouts(deform).to_vec();
            vertex_buffers.extend(further_buffers.iter().cloned());
            let features = ShaderFeatures {
                max_influences,
                ..data.features
            };
            let mut shader = features.specialize(material_shader(deform, outputs, declared))?;
            if reads_index {
                shader = shader.with_index_attribute();
            }
            if descriptor.invariance == Invariance::Position {
                shader = shader.with_invariant_position();
            }
            let shader = shader
                .with_group(descriptor.group)
                .with_material(descriptor.wgsl);
            let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: descriptor.label,
                source: wgpu::ShaderSource::Wgsl(shader.source.into()),
            });
            let fragment = descriptor.fragment.map(|entry| wgpu::FragmentState {
                module: &module,
                entry_point: Some(entry),
                compilation_options: options(),
                targets: descriptor.targets,
            });
            Ok::<_, GpuError>(
                device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                    label: descriptor.label,
                    layout: Some(&layout),
                    vertex: wgpu::VertexState {
                        module: &module,
                        entry_point: Some(MATERIAL_VERTEX),
                        compilation_options: options(),
                        buffers: &vertex_buffers,
                    },
                    primitive: wgpu::PrimitiveState {
                        topology: wgpu::PrimitiveTopology::TriangleList,
                        strip_index_format: None,
                        ..descriptor.primitive
                    },
                    depth_stencil: descriptor.depth_stencil.clone(),
                    multisample: descriptor.multisample,
                    fragment,
                    multiview_mask: None,
                    cache: None,
                }),
            )
        };
        // Levels with as many influences share their pipelines.
        let influences = data.level_influences();
        let mut compiled: Vec<usize> = influences.clone();
        compiled.dedup();
        let pipelines = compiled.iter().map(|&max_influences| {
            let of_deform = deforms.iter();
            of_deform
                .map(|&deform| pipeline(deform, max_influences))
                .collect()
        });
        let pipelines: Vec<Vec<_>> = pipelines.collect::<Result<_, GpuError>>()?;
        let index_of = |max| compiled.iter().position(|known| *known == max).unwrap_or(0);
        let pipelines_of_level = influences.into_iter().map(index_of).collect();
        Ok(Self {
            model: data.clone(),
            pipelines,
            pipelines_of_level,
            group: descriptor.group,
            buffers,
        })
    }

    /// Pipeline of a technique of the parts, for a level of detail.
    pub(crate) fn pipeline(&self, level: usize, deform: usize) -> &wgpu::RenderPipeline {
        &self.pipelines[self.pipelines_of_level[level]][deform]
    }
}
