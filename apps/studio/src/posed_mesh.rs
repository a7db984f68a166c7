//! A mesh whose vertices the caller writes each frame: captured vertices, poses set by hand, colours that mean something.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use throng_rig::Character;
use throng_wgpu::wgpu;
use wgpu::util::{BufferInitDescriptor, DeviceExt};

use crate::material::Materials;
use crate::shader::{GROUND_LIT, POSED_LIT, POSED_SHADOW, POSED_WIRE};
use crate::target::{LIT_FORMATS, depth_state};
use crate::wireframe::wire_depth_state;
use crate::{GroundMesh, Scene, StudioError, Surface};

/// A vertex of a [`PosedMesh`].
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
pub struct PosedVertex {
    /// Position in world space.
    pub position: [f32; 3],
    /// Normal in world space, of unit length.
    pub normal: [f32; 3],
    /// Texture coordinates.
    pub uv: [f32; 2],
    /// Linear colour.
    pub color: [f32; 4],
}

/// Colours of a [`PosedMesh`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PosedColors {
    /// Colours of vertices, times the material of each part.
    Materials,
    /// Colours of vertices alone.
    Vertices,
}

/// A mesh with the triangles of a character and vertices of the caller.
#[derive(Debug)]
pub struct PosedMesh {
    /// Appearance of the mesh.
    pub surface: Surface,
    queue: wgpu::Queue,
    lit: wgpu::RenderPipeline,
    shadow: wgpu::RenderPipeline,
    wire: Option<wgpu::RenderPipeline>,
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    parts: Vec<DrawnPart>,
    materials: Materials,
    casts_shadows: bool,
}

/// Indices of a part, and its material.
#[derive(Debug)]
struct DrawnPart {
    indices: Range<u32>,
    material: Option<usize>,
}

impl Scene {
    /// Makes a mesh with the parts of a character, one after another. Write its vertices before it is drawn.
    pub fn posed_mesh(
        &self,
        character: &Character,
        colors: PosedColors,
    ) -> Result<PosedMesh, StudioError> {
        let device = &self.device;
        let mut indices: Vec<u32> = Vec::new();
        let (mut parts, mut vertices) = (Vec::new(), 0);
        for part in character.parts() {
            let mesh = character.mesh_of(part);
            let first = indices.len() as u32;
            let triangles = mesh.triangles().iter().flatten();
            indices.extend(triangles.map(|index| index + vertices));
            vertices += mesh.vertex_count() as u32;
            parts.push(DrawnPart {
                indices: first..indices.len() as u32,
                material: mesh.material.filter(|_| colors == PosedColors::Materials),
            });
        }
        let materials = Materials::new(device, &self.queue, &self.material_layout, character)?;
        Ok(self.posed_parts(&indices, parts, vertices, materials))
    }

    /// Makes the ground of a formation. It takes shadows and casts none.
    pub fn ground_mesh(&self, ground: &GroundMesh) -> PosedMesh {
        let indices = ground.triangles.as_flattened();
        let parts = vec![DrawnPart {
            indices: 0..indices.len() as u32,
            material: None,
        }];
        let materials = Materials::plain(&self.device, &self.queue, &self.material_layout);
        let count = ground.vertices.len() as u32;
        let mut mesh = self.posed_parts(indices, parts, count, materials);
        mesh.lit = self.posed_pipeline(PosedPass::Ground);
        mesh.casts_shadows = false;
        mesh.write(&ground.vertices);
        mesh
    }

    fn posed_parts(
        &self,
        indices: &[u32],
        parts: Vec<DrawnPart>,
        vertices: u32,
        materials: Materials,
    ) -> PosedMesh {
        let device = &self.device;
        let pipeline = |kind| self.posed_pipeline(kind);
        PosedMesh {
            surface: Surface::default(),
            queue: self.queue.clone(),
            lit: pipeline(PosedPass::Lit),
            shadow: pipeline(PosedPass::Shadow),
            wire: self.has_wireframe().then(|| pipeline(PosedPass::Wire)),
            vertices: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("posed mesh"),
                size: u64::from(vertices.max(1)) * size_of::<PosedVertex>() as u64,
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            indices: device.create_buffer_init(&BufferInitDescriptor {
                label: Some("posed mesh"),
                contents: bytemuck::cast_slice(indices),
                usage: wgpu::BufferUsages::INDEX,
            }),
            parts,
            materials,
            casts_shadows: true,
        }
    }

    fn posed_pipeline(&self, pass: PosedPass) -> wgpu::RenderPipeline {
        let device = &self.device;
        let (label, source) = match pass {
            PosedPass::Lit => ("posed, lit", POSED_LIT),
            PosedPass::Ground => ("ground, lit", GROUND_LIT),
            PosedPass::Shadow => ("posed, shadow", POSED_SHADOW),
            PosedPass::Wire => ("posed, wire", POSED_WIRE),
        };
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(label),
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        let (camera, material) = (Some(&self.camera_layout), Some(&self.material_layout));
        let layouts: &[_] = match pass {
            PosedPass::Lit | PosedPass::Ground => {
                &[camera, None, material, Some(&self.scene_layout)]
            }
            PosedPass::Shadow => &[camera, None, material],
            PosedPass::Wire => &[camera],
        };
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(label),
            bind_group_layouts: layouts,
            immediate_size: 0,
        });
        let attributes = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2, 3 => Float32x4];
        let colors = [Some(LIT_FORMATS.color.into())];
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(label),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("posed_vertex"),
                compilation_options: Default::default(),
                buffers: &[Some(wgpu::VertexBufferLayout {
                    array_stride: size_of::<PosedVertex>() as u64,
                    step_mode: wgpu::VertexStepMode::Vertex,
                    attributes: &attributes,
                })],
            },
            primitive: wgpu::PrimitiveState {
                polygon_mode: match pass {
                    PosedPass::Wire => wgpu::PolygonMode::Line,
                    _ => wgpu::PolygonMode::Fill,
                },
                ..Default::default()
            },
            depth_stencil: Some(match pass {
                PosedPass::Wire => wire_depth_state(),
                _ => depth_state(),
            }),
            multisample: wgpu::MultisampleState {
                count: match pass {
                    PosedPass::Shadow => 1,
                    _ => LIT_FORMATS.samples,
                },
                alpha_to_coverage_enabled: pass == PosedPass::Lit,
                ..Default::default()
            },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("shade"),
                compilation_options: Default::default(),
                targets: match pass {
                    PosedPass::Shadow => &[],
                    _ => &colors,
                },
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

/// Pass that draws a posed mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PosedPass {
    Lit,
    Ground,
    Shadow,
    Wire,
}

impl PosedMesh {
    /// Replaces the vertices, part after part; missing ones stay as they are. They show from the next submission on.
    pub fn write(&self, vertices: &[PosedVertex]) {
        let bytes: &[u8] = bytemuck::cast_slice(vertices);
        let end = bytes.len().min(self.vertices.size() as usize);
        self.queue.write_buffer(&self.vertices, 0, &bytes[..end]);
    }

    fn bind(&self, pass: &mut wgpu::RenderPass<'_>, pipeline: &wgpu::RenderPipeline) {
        pass.set_pipeline(pipeline);
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
    }

    fn draw_parts(&self, pass: &mut wgpu::RenderPass<'_>, pipeline: &wgpu::RenderPipeline) {
        self.bind(pass, pipeline);
        for part in &self.parts {
            pass.set_bind_group(2, self.materials.group(part.material), &[]);
            pass.draw_indexed(part.indices.clone(), 0, 0..1);
        }
    }

    pub(crate) fn draw_shadow(&self, pass: &mut wgpu::RenderPass<'_>) {
        if self.casts_shadows && self.surface.casts_shadows() {
            self.draw_parts(pass, &self.shadow);
        }
    }

    pub(crate) fn draw_surface(&self, pass: &mut wgpu::RenderPass<'_>) {
        if self.surface.is_lit() {
            self.draw_parts(pass, &self.lit);
        }
        if let Some(wire) = &self.wire
            && self.surface.has_wireframe()
            && let Some(last) = self.parts.last()
        {
            self.bind(pass, wire);
            pass.draw_indexed(0..last.indices.end, 0, 0..1);
        }
    }
}
