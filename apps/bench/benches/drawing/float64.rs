//! Techniques of the CPU as the float64 reference does them, on one core: the baseline of those in float32 on all cores.

use std::sync::Arc;

use bytemuck::cast_slice;
use glam::Affine3A;
use throng_rig::{Character, CharacterPose, LoopPolicy, Method};
use throng_skin::reference::{Skinned, skin_part};
use throng_wgpu::{Gpu, Instance, Technique, Ticks, wgpu};

/// Poses all instances, skins them or writes palettes, and uploads as many bytes as the technique does.
pub struct Float64 {
    gpu: Gpu,
    character: Arc<Character>,
    technique: Technique,
    pose: CharacterPose,
    skinned: Skinned,
    words: Vec<[f32; 4]>,
    vertices: Vec<[f32; 7]>,
    target: Option<Target>,
}

enum Target {
    Palettes(wgpu::Texture),
    Vertices(wgpu::Buffer),
}

/// Texels per row of palettes.
const COLUMNS: usize = 2048;

impl Float64 {
    pub fn new(gpu: &Gpu, character: &Arc<Character>, technique: Technique) -> Self {
        Self {
            gpu: gpu.clone(),
            pose: CharacterPose::rest(character),
            character: character.clone(),
            technique,
            skinned: Skinned::default(),
            words: Vec::new(),
            vertices: Vec::new(),
            target: None,
        }
    }

    /// Does the work of a frame. Instances do not fade, and vertices are skinned by LBS, as in the benchmark.
    pub fn frame(&mut self, instances: &[Instance], now: Ticks) {
        self.words.clear();
        self.vertices.clear();
        for instance in instances {
            let clip = &self.character.clips()[instance.play.clip() as usize];
            let duration_secs = clip.duration_secs();
            let secs = instance
                .play
                .time_secs(duration_secs, LoopPolicy::Wrap, now);
            self.pose
                .sample(&self.character, clip, clip.start_secs() + secs);
            match self.technique {
                Technique::Cpu => self.push_vertices(),
                _ => self.push_palettes(),
            }
        }
        self.upload();
    }

    fn push_vertices(&mut self) {
        for part in self.character.parts() {
            let skinned = &mut self.skinned;
            skin_part(&self.character, part, &self.pose, Method::Lbs, skinned);
            let skinned = self.skinned.positions.iter().zip(&self.skinned.normals);
            self.vertices.extend(skinned.map(|(position, normal)| {
                let (p, n) = (position.as_vec3(), normal.as_vec3());
                [p.x, p.y, p.z, 1.0, n.x, n.y, n.z]
            }));
        }
    }

    fn push_palettes(&mut self) {
        for palette in &self.pose.palettes {
            match self.technique {
                Technique::PaletteMatrix => {
                    let matrices = palette.matrices().iter();
                    self.words
                        .extend(matrices.flat_map(|matrix| rows(&matrix.as_affine3a())));
                }
                _ => self.words.extend(palette.rigid().iter().flat_map(|rigid| {
                    [rigid.real, rigid.dual].map(|quat| quat.as_quat().to_array())
                })),
            }
        }
    }

    fn upload(&mut self) {
        let rows = self.words.len().div_ceil(COLUMNS);
        self.words.resize(rows * COLUMNS, [0.0; 4]);
        let size = wgpu::Extent3d {
            width: COLUMNS as u32,
            height: rows as u32,
            depth_or_array_layers: 1,
        };
        let device = self.gpu.device();
        let target = self.target.get_or_insert_with(|| match rows {
            0 => Target::Vertices(device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: size_of_val(self.vertices.as_slice()) as u64,
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })),
            _ => Target::Palettes(device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size,
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: wgpu::TextureFormat::Rgba32Uint,
                usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
                view_formats: &[],
            })),
        });
        let queue = self.gpu.queue();
        match target {
            Target::Vertices(buffer) => queue.write_buffer(buffer, 0, cast_slice(&self.vertices)),
            Target::Palettes(texture) => queue.write_texture(
                texture.as_image_copy(),
                cast_slice(&self.words),
                wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(16 * COLUMNS as u32),
                    rows_per_image: Some(rows as u32),
                },
                size,
            ),
        }
    }
}

fn rows(matrix: &Affine3A) -> [[f32; 4]; 3] {
    let (m, t) = (matrix.matrix3, matrix.translation);
    [0, 1, 2].map(|row| [m.x_axis[row], m.y_axis[row], m.z_axis[row], t[row]])
}
