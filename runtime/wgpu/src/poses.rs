//! Poses of instances on the device: palettes, and the work of each frame that fills them.

use throng_shaders::PaletteSource;

use crate::bindings::Resource;
use crate::capture_rows::CaptureRows;
#[cfg(feature = "cpu")]
use crate::cpu::work::CpuWork;
use crate::frame_uniform::{FrameTimes, FrameUniform};
use crate::instance_table::{InstanceTable, Uploads};
use crate::joint_pass::{JointPass, max_instances};
use crate::model::ModelData;
use crate::pose_source::PoseSource;
use crate::target::WordTarget;
use crate::{GpuError, Motion};

/// Poses of up to `capacity` instances or groups of instances.
#[derive(Debug)]
pub(crate) struct Poses {
    pub capacity: usize,
    frame: FrameUniform,
    /// Needed by decode passes and for motion vectors.
    table: Option<InstanceTable>,
    work: Work,
    pub capture_rows: CaptureRows,
    /// Resources of the shaders that deform these instances.
    pub resources: Vec<(u32, Resource)>,
}

/// Work of a frame.
#[derive(Debug)]
enum Work {
    None,
    /// A compute pass, for `bone-local`.
    Compute(JointPass),
    /// A fragment pass, where compute passes are missing and for other encodings.
    Draw {
        palette: WordTarget,
        group: wgpu::BindGroup,
    },
    #[cfg(feature = "cpu")]
    Cpu(Box<CpuWork>),
}

/// Need for the table of instances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NeedsTable {
    /// Another pass reads it.
    Always,
    /// Only decode passes and motion vectors read it.
    ForPoses,
}

/// First index of instances of the frame before; none if motion is not supported.
pub(crate) fn previous_first(motion: Motion, capacity: usize) -> u32 {
    match motion {
        Motion::None => u32::MAX,
        Motion::Previous => capacity as u32,
    }
}

impl Poses {
    pub fn new(
        model: &ModelData,
        capacity: usize,
        needs_table: NeedsTable,
    ) -> Result<Self, GpuError> {
        let gpu = &model.gpu;
        let has_previous = model.motion == Motion::Previous;
        // Instances of the frame before follow the others.
        let copies = model.motion.copies();
        let records = capacity * copies as usize;
        let stride = model.features.info.palette_stride;
        let frame = FrameUniform::new(gpu, previous_first(model.motion, capacity), 0);
        let is_read = has_previous
            || needs_table == NeedsTable::Always
            || matches!(model.source, PoseSource::Pass(_));
        let table = match is_read {
            true => Some(InstanceTable::new(gpu, capacity, has_previous)?),
            false => None,
        };
        let capture_rows = CaptureRows::new(gpu);
        let mut resources = model.resources.clone();
        resources.extend([capture_rows.resource(), frame.resource()]);
        resources.extend(table.iter().map(InstanceTable::resource));
        let work = match &model.source {
            PoseSource::Textures => Work::None,
            PoseSource::Pass(source) => {
                let palette = WordTarget::new(gpu, "palettes", copies * stride, capacity)?;
                let decoded = resources.clone();
                resources.push((2, Resource::Table(palette.view.clone())));
                let joints = model.features.info.joint_curves.joints;
                let can_compute = *source == PaletteSource::Curves
                    && max_instances(gpu, joints) >= records as u64;
                if can_compute {
                    let pipeline = model.joint_pipeline()?;
                    Work::Compute(pipeline.pass(gpu, decoded, &palette, joints, records))
                } else {
                    let (layout, _) = model.palette_pipeline(*source)?;
                    Work::Draw {
                        group: layout.group(gpu, &decoded),
                        palette,
                    }
                }
            }
            #[cfg(feature = "cpu")]
            PoseSource::Cpu(source) => {
                let work = CpuWork::new(gpu, model, source, capacity)?;
                resources.extend(work.palette());
                Work::Cpu(Box::new(work))
            }
        };
        Ok(Self {
            capacity,
            frame,
            table,
            work,
            capture_rows,
            resources,
        })
    }

    /// The work of the CPU, if it poses.
    #[cfg(feature = "cpu")]
    pub fn cpu(&self) -> Option<&CpuWork> {
        match &self.work {
            Work::Cpu(work) => Some(work),
            _ => None,
        }
    }

    /// Positions and normals that the CPU skins for groups of instances.
    pub fn copies(&self) -> Option<[&WordTarget; 2]> {
        match &self.work {
            #[cfg(feature = "cpu")]
            Work::Cpu(work) => work.copies(),
            _ => None,
        }
    }

    /// As [`Self::cpu`].
    #[cfg(feature = "cpu")]
    pub fn cpu_mut(&mut self) -> Option<&mut CpuWork> {
        match &mut self.work {
            Work::Cpu(work) => Some(work),
            _ => None,
        }
    }

    /// Uploads instances, and uploads or encodes their poses.
    pub fn prepare(
        &mut self,
        model: &ModelData,
        encoder: &mut wgpu::CommandEncoder,
        uploads: &Uploads<'_>,
        times: &FrameTimes,
    ) -> Result<(), GpuError> {
        let gpu = &model.gpu;
        self.frame.write(gpu, times, uploads.current.len());
        if let Some(table) = &self.table {
            table.write(gpu, uploads);
        }
        let records = uploads.records(self.capacity);
        if records == 0 {
            return Ok(());
        }
        match &mut self.work {
            Work::None => {}
            Work::Compute(pass) => {
                model
                    .joint_pipeline()?
                    .dispatch(gpu, pass, encoder, records);
            }
            Work::Draw { palette, group } => {
                let PoseSource::Pass(source) = model.source else {
                    return Ok(());
                };
                let (_, pipeline) = model.palette_pipeline(source)?;
                let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                    label: Some("palettes"),
                    color_attachments: &[palette.attachment()],
                    ..Default::default()
                });
                let rows = WordTarget::rows(model.features.info.palette_stride, records) as u32;
                pass.set_scissor_rect(0, 0, throng_shaders::TABLE_COLUMNS, rows);
                pass.set_pipeline(pipeline);
                pass.set_bind_group(0, &*group, &[]);
                pass.draw(0..3, 0..1);
            }
            #[cfg(feature = "cpu")]
            Work::Cpu(work) => work.prepare(gpu, uploads, times, self.capacity),
        }
        Ok(())
    }
}
