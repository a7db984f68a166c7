//! Work of the CPU each frame: poses of all instances, uploaded as palettes or as skinned vertices.

use throng_rig::{CharacterPose, Skinning};
use throng_shaders::TABLE_COLUMNS;

use crate::bindings::Resource;
use crate::cpu::{CpuAnimator, CpuOutput, CpuSource, PaletteLayout};
use crate::frame_uniform::FrameTimes;
use crate::instance_table::Uploads;
use crate::mesh::VertexBlock;
use crate::model::ModelData;
use crate::target::WordTarget;
use crate::{Gpu, GpuError, texture};

/// Work of the CPU for the instances of a crowd.
#[derive(Debug)]
pub(crate) struct CpuWork {
    animator: CpuAnimator,
    skinning: Skinning,
    /// Pose that all instances show, now and in the frame before.
    held: Option<CharacterPose>,
    held_before: Option<CharacterPose>,
    uploads: CpuUploads,
}

#[derive(Debug)]
enum CpuUploads {
    Palette {
        layout: PaletteLayout,
        stride: usize,
        target: WordTarget,
        texels: Vec<[u32; 4]>,
    },
    Vertices(CpuVertices),
}

/// Skinned vertices of all instances, instance after instance.
#[derive(Debug)]
pub(crate) struct CpuVertices {
    pub buffer: wgpu::Buffer,
    /// `None` if the mesh has no tangents.
    pub tangents: Option<wgpu::Buffer>,
    vertex_count: usize,
    vertices: Vec<VertexBlock>,
    tangent_words: Vec<[i16; 4]>,
}

impl CpuWork {
    pub fn new(
        gpu: &Gpu,
        model: &ModelData,
        source: &CpuSource,
        capacity: usize,
    ) -> Result<Self, GpuError> {
        let copies = model.motion.copies();
        let records = capacity * copies as usize;
        let uploads = match source.output {
            CpuOutput::Palette(layout) => {
                let stride = model.features.info.palette_stride;
                CpuUploads::Palette {
                    layout,
                    stride: stride as usize,
                    target: WordTarget::new(gpu, "palettes", stride * copies, capacity)?,
                    texels: Vec::new(),
                }
            }
            CpuOutput::Vertices => {
                let buffer = |what, bytes: u64| {
                    let bytes = bytes * records as u64;
                    gpu.check_buffer_size(what, bytes)?;
                    Ok::<_, GpuError>(gpu.device.create_buffer(&wgpu::BufferDescriptor {
                        label: Some(what),
                        size: bytes,
                        usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                        mapped_at_creation: false,
                    }))
                };
                let tangents = match model.mesh.tangents {
                    Some(_) => Some(buffer("skinned tangents", model.mesh.tangent_bytes())?),
                    None => None,
                };
                CpuUploads::Vertices(CpuVertices {
                    buffer: buffer("skinned vertices", model.mesh.vertex_bytes())?,
                    tangents,
                    vertex_count: model.mesh.vertex_count as usize,
                    vertices: Vec::new(),
                    tangent_words: Vec::new(),
                })
            }
        };
        Ok(Self {
            animator: CpuAnimator::new(source.character.clone(), source.clips.clone()),
            skinning: source.skinning,
            held: None,
            held_before: None,
            uploads,
        })
    }

    /// The palette as a resource of the shaders.
    pub fn palette(&self) -> Option<(u32, Resource)> {
        match &self.uploads {
            CpuUploads::Palette { target, .. } => Some((2, Resource::Table(target.view.clone()))),
            CpuUploads::Vertices(_) => None,
        }
    }

    /// Skinned vertices, if the CPU skins.
    pub fn vertices(&self) -> Option<&CpuVertices> {
        match &self.uploads {
            CpuUploads::Vertices(vertices) => Some(vertices),
            CpuUploads::Palette { .. } => None,
        }
    }

    /// Shows one pose for all instances, whatever they play; `None` goes back to what they play.
    pub fn hold(&mut self, pose: Option<CharacterPose>) {
        self.held = pose;
    }

    /// Poses all instances and uploads the result. Those of the frame before begin at `capacity`.
    pub fn prepare(
        &mut self,
        gpu: &Gpu,
        uploads: &Uploads<'_>,
        times: &FrameTimes,
        capacity: usize,
    ) {
        let before = self.held_before.as_ref().or(self.held.as_ref());
        let lists = [
            (0, uploads.current, times.now, self.held.as_ref()),
            (capacity, uploads.previous, times.previous, before),
        ];
        let (animator, skinning) = (&mut self.animator, self.skinning);
        match &mut self.uploads {
            CpuUploads::Palette {
                layout,
                stride,
                target,
                texels,
            } => {
                texels.clear();
                for (first, instances, now, held) in lists {
                    animator.hold(held);
                    if !instances.is_empty() {
                        texels.resize(first * *stride, [0; 4]);
                    }
                    for instance in instances {
                        animator.write_palette(instance, now, *layout, skinning, texels);
                    }
                }
                let rows = texels.len().div_ceil(TABLE_COLUMNS as usize).max(1);
                texels.resize(TABLE_COLUMNS as usize * rows, [0; 4]);
                let size = [TABLE_COLUMNS, rows as u32, 1];
                texture::write(gpu, &target.texture, size, bytemuck::cast_slice(texels));
            }
            CpuUploads::Vertices(out) => {
                for (first, instances, now, held) in lists {
                    animator.hold(held);
                    out.vertices.clear();
                    out.tangent_words.clear();
                    for instance in instances {
                        let (vertices, tangents) = (&mut out.vertices, &mut out.tangent_words);
                        animator.write_vertices(instance, now, skinning, vertices, tangents);
                    }
                    let first = (first * out.vertex_count) as u64;
                    let at = first * size_of::<VertexBlock>() as u64;
                    gpu.queue
                        .write_buffer(&out.buffer, at, bytemuck::cast_slice(&out.vertices));
                    if let Some(tangents) = &out.tangents {
                        let at = first * size_of::<[i16; 4]>() as u64;
                        gpu.queue.write_buffer(
                            tangents,
                            at,
                            bytemuck::cast_slice(&out.tangent_words),
                        );
                    }
                }
            }
        }
        if !uploads.previous.is_empty() {
            self.held_before = self.held.clone();
        }
    }
}
