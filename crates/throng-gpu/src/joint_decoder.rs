//! `bone-local`, from its texture to poses.

use glam::{Affine3A, Mat3A, Vec3A, Vec4};
use throng_format::tracks::{CLIP_WORDS, RECORD_WORDS, SCALED_RECORD_WORDS};
use throng_format::{JointTrackLayout, TexelFormat, Texture};
use throng_shaders::{ClipTime, JointTracks, Rows, decoding_joints};
use wgpu::util::{BufferInitDescriptor, DeviceExt};

use crate::{Gpu, GpuError, read_back, texture};

const ROWS_BYTES: u64 = size_of::<Rows>() as u64;

/// Decodes poses of one `bone-local` set. The twin of `throng_format::decode::bones`.
#[derive(Debug)]
pub struct JointDecoder {
    gpu: Gpu,
    pipeline: wgpu::ComputePipeline,
    words: wgpu::TextureView,
    joint_tracks: wgpu::Buffer,
    joints: u32,
    clips: u32,
    /// Instances that one dispatch takes.
    batch: usize,
}

impl JointDecoder {
    /// Uploads the layout's texture and makes the pipeline.
    pub fn new(
        gpu: &Gpu,
        texture: &Texture,
        layout: &JointTrackLayout,
        clips: u32,
    ) -> Result<Self, GpuError> {
        let joints = check(texture, layout, clips)?;
        let batch = batch(&gpu.device.limits(), joints)?;
        if texture.format() != TexelFormat::R32Uint {
            return Err(GpuError::WrongTexels(texture.format()));
        }
        let words = texture::upload(gpu, texture)?;
        let tables = JointTracks {
            clip_table: layout.clip_table,
            joint_table: layout.joint_table,
            record_words: layout.record_words,
            tracks: layout.tracks,
            joints,
            padding: [0; 3],
        };
        let shader = decoding_joints();
        let (pipeline, joint_tracks) = gpu.checked(|| {
            let label = Some(shader.name);
            let module = gpu
                .device
                .create_shader_module(wgpu::ShaderModuleDescriptor {
                    label,
                    source: wgpu::ShaderSource::Wgsl(shader.source.as_str().into()),
                });
            let pipeline = gpu
                .device
                .create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                    label,
                    layout: None,
                    module: &module,
                    entry_point: Some(shader.entry_points[0]),
                    compilation_options: Default::default(),
                    cache: None,
                });
            let joint_tracks = gpu.device.create_buffer_init(&BufferInitDescriptor {
                label: Some("joint tracks"),
                contents: bytemuck::bytes_of(&tables),
                usage: wgpu::BufferUsages::UNIFORM,
            });
            (pipeline, joint_tracks)
        })?;
        Ok(Self {
            gpu: gpu.clone(),
            pipeline,
            words,
            joint_tracks,
            joints,
            clips,
            batch,
        })
    }

    /// `model_from_joint` of every joint, for each of the times; joints in the order of
    /// [`JointTrackLayout::bones`]. Blocks until they are read back, so it is not for browsers.
    pub fn decode(&self, times: &[ClipTime]) -> Result<Vec<Vec<Affine3A>>, GpuError> {
        if let Some(instance) = times.iter().position(|time| time.clip >= self.clips) {
            return Err(GpuError::NoSuchClip {
                instance,
                clip: times[instance].clip,
                clips: self.clips,
            });
        }
        if self.joints == 0 {
            return Ok(vec![Vec::new(); times.len()]);
        }
        let mut poses = Vec::with_capacity(times.len());
        for batch in times.chunks(self.batch) {
            let read_back = self.dispatch(batch)?;
            self.read(&read_back, &mut poses)?;
        }
        Ok(poses)
    }

    /// Decodes a batch into a buffer that can be mapped.
    fn dispatch(&self, times: &[ClipTime]) -> Result<wgpu::Buffer, GpuError> {
        let Gpu { device, queue } = &self.gpu;
        let size = times.len() as u64 * u64::from(self.joints) * ROWS_BYTES;
        self.gpu.checked(|| {
            let buffer = |label, usage| {
                device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some(label),
                    size,
                    usage,
                    mapped_at_creation: false,
                })
            };
            let clip_times = device.create_buffer_init(&BufferInitDescriptor {
                label: Some("clip times"),
                contents: bytemuck::cast_slice(times),
                usage: wgpu::BufferUsages::STORAGE,
            });
            let model_from_joint = buffer(
                "model from joint",
                wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
            );
            let read_back = buffer(
                "read back",
                wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            );
            let resources = [
                wgpu::BindingResource::TextureView(&self.words),
                self.joint_tracks.as_entire_binding(),
                clip_times.as_entire_binding(),
                model_from_joint.as_entire_binding(),
            ];
            let entries: Vec<_> = (0u32..)
                .zip(resources)
                .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
                .collect();
            let bindings = device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("decode joints"),
                layout: &self.pipeline.get_bind_group_layout(0),
                entries: &entries,
            });
            let mut encoder = device.create_command_encoder(&Default::default());
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &bindings, &[]);
            pass.dispatch_workgroups(times.len() as u32, 1, 1);
            drop(pass);
            encoder.copy_buffer_to_buffer(&model_from_joint, 0, &read_back, 0, size);
            queue.submit([encoder.finish()]);
            read_back
        })
    }

    fn read(
        &self,
        read_back: &wgpu::Buffer,
        poses: &mut Vec<Vec<Affine3A>>,
    ) -> Result<(), GpuError> {
        read_back::mapped(&self.gpu, read_back, |bytes| {
            let rows: &[Rows] = bytemuck::cast_slice(bytes);
            poses.extend(
                rows.chunks_exact(self.joints as usize)
                    .map(|pose| pose.iter().map(affine_from_rows).collect()),
            );
        })
    }
}

/// The tables are inside the texture. How many joints there are.
fn check(texture: &Texture, layout: &JointTrackLayout, clips: u32) -> Result<u32, GpuError> {
    let record_words = layout.record_words;
    if record_words != RECORD_WORDS && record_words != SCALED_RECORD_WORDS {
        return Err(GpuError::RecordWords(record_words));
    }
    let words = texture.texel_count() as u64;
    let joints = layout.bones.len() as u64;
    let tables = [
        (
            "clip table",
            layout.clip_table,
            u64::from(clips),
            CLIP_WORDS,
        ),
        ("joint table", layout.joint_table, joints, record_words),
    ];
    for (table, first, records, record_words) in tables {
        let end = u64::from(first) + records * u64::from(record_words);
        if end > words || end > u64::from(u32::MAX) {
            return Err(GpuError::TableOutside { table, end, words });
        }
    }
    Ok(joints as u32)
}

/// Instances whose poses fit into a buffer and into one dispatch.
fn batch(limits: &wgpu::Limits, joints: u32) -> Result<usize, GpuError> {
    let bytes = u64::from(joints) * ROWS_BYTES;
    let max_bytes = limits
        .max_buffer_size
        .min(limits.max_storage_buffer_binding_size);
    let fit = max_bytes / bytes.max(1);
    if fit == 0 {
        return Err(GpuError::TooManyJoints {
            joints,
            bytes,
            max_bytes,
        });
    }
    Ok(fit.min(limits.max_compute_workgroups_per_dimension.into()) as usize)
}

fn affine_from_rows(rows: &Rows) -> Affine3A {
    let [x, y, z] = rows.map(Vec4::from_array);
    Affine3A {
        matrix3: Mat3A::from_cols(
            Vec3A::new(x.x, y.x, z.x),
            Vec3A::new(x.y, y.y, z.y),
            Vec3A::new(x.z, y.z, z.z),
        ),
        translation: Vec3A::new(x.w, y.w, z.w),
    }
}
