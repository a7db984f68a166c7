//! Decoding of `bone-local` sets on the GPU, read back as joint transforms.

use glam::{Affine3A, Mat3A, Vec3A, Vec4};
use throng_format::curves::{CLIP_WORDS, RecordForm};
use throng_format::{JointCurveLayout, TexelFormat, Texture};
use throng_shaders::{JointCurves, Rows, SetInfo, TexelKind};

use crate::bindings::{Resource, kinds_of};
use crate::features::ShaderFeatures;
use crate::frame_uniform::{FrameTimes, FrameUniform};
use crate::instance::{Instance, Play, Ticks};
use crate::instance_table::{InstanceTable, Uploads};
use crate::instances::Changes;
use crate::joint_pass::{JointPipeline, max_instances};
use crate::read_back::ReadBack;
use crate::target::WordTarget;
use crate::texture::DeviceTexels;
use crate::{Gpu, GpuError, texture};

/// Largest number of instances per dispatch; more would exceed the instance table.
const MAX_BATCH: u64 = 100_000;

/// A clip and a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClipTime {
    /// Index into the clip table.
    pub clip: u32,
    /// Seconds from the clip's start, clamped to the clip.
    pub time_secs: f32,
}

/// Decodes poses of one `bone-local` set; GPU twin of `throng_format::decode::bones`.
#[derive(Debug)]
pub struct JointDecoder {
    gpu: Gpu,
    resources: Vec<(u32, Resource)>,
    pipeline: JointPipeline,
    joints: u32,
    clips: u32,
    /// Number of instances per dispatch.
    batch: usize,
}

impl JointDecoder {
    /// Uploads the texture that the layout names.
    pub fn new(
        gpu: &Gpu,
        texture: &Texture,
        layout: &JointCurveLayout,
        clips: u32,
    ) -> Result<Self, GpuError> {
        let joints = check(texture, layout, clips)?;
        if texture.format() != TexelFormat::R32Uint {
            return Err(GpuError::WrongTexels(texture.format()));
        }
        let batch = max_instances(gpu, joints).min(MAX_BATCH);
        if batch == 0 {
            return Err(GpuError::TooManyJoints { joints });
        }
        let info = SetInfo {
            joint_curves: JointCurves {
                clip_table: layout.clip_table,
                joint_table: layout.joint_table,
                record_words: layout.record_words,
                curves: layout.curves,
                joints,
                padding: [0; 3],
            },
            ..SetInfo::default()
        };
        let words = DeviceTexels::of(texture, TexelKind::Uint);
        let words = texture::upload(gpu, &words)?;
        let resources = vec![
            (1, Resource::tables(gpu, &[])?),
            (2, Resource::Texels(words, TexelKind::Uint)),
        ];
        let features = ShaderFeatures::of(info, &resources);
        Ok(Self {
            gpu: gpu.clone(),
            pipeline: JointPipeline::new(gpu, &features, kinds_of(&resources))?,
            resources,
            joints,
            clips,
            batch: batch as usize,
        })
    }

    /// Returns `model_from_joint` of every joint for each time, joints in the order of [`JointCurveLayout::bones`]. Blocks,
    /// so it cannot be used in browsers.
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
            let joints = self.gpu.checked(|| self.pose(batch))??;
            let read_back = ReadBack::of_buffer(&self.gpu, &joints);
            read_back.wait()?;
            let bytes = read_back.bytes()?;
            let rows: Vec<Rows> = bytemuck::pod_collect_to_vec(&bytes);
            poses.extend(
                rows.chunks_exact(self.joints as usize)
                    .map(|pose| pose.iter().map(affine_from_rows).collect::<Vec<_>>()),
            );
        }
        Ok(poses)
    }

    /// Dispatches one batch and returns the buffer of joints.
    fn pose(&self, times: &[ClipTime]) -> Result<wgpu::Buffer, GpuError> {
        let gpu = &self.gpu;
        let instances = times.iter().map(|time| Instance {
            play: Play::held(time.clip, time.time_secs),
            ..Instance::default()
        });
        let instances: Vec<_> = instances.collect();
        let table = InstanceTable::new(gpu, instances.len(), false)?;
        let mut changes = Changes::default();
        changes.add_all();
        table.write(
            gpu,
            &Uploads {
                current: &instances,
                previous: &[],
                changes: &changes,
                previous_changes: &changes,
                clips: &[],
            },
        );
        let frame = FrameUniform::new(gpu, u32::MAX, 0);
        let times = FrameTimes {
            now: Ticks(0),
            previous: Ticks(0),
            deform_factor: 1.0,
        };
        frame.write(gpu, &times, instances.len());
        let mut resources = self.resources.clone();
        resources.extend([table.resource(), frame.resource()]);
        let palette = WordTarget::new(gpu, "palettes", 1, 1)?;
        let pass = self
            .pipeline
            .pass(gpu, resources, &palette, self.joints, instances.len());
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.pipeline
            .dispatch(gpu, &pass, &mut encoder, instances.len());
        gpu.queue.submit([encoder.finish()]);
        Ok(pass.joints)
    }
}

/// Checks that the tables are inside the texture, and returns the number of joints.
fn check(texture: &Texture, layout: &JointCurveLayout, clips: u32) -> Result<u32, GpuError> {
    let record_words = layout.record_words;
    if RecordForm::of_words(record_words).is_none() {
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
