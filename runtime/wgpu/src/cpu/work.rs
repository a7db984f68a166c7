//! Work of the CPU each frame: poses of all instances, uploaded as palettes or as skinned vertices.

use std::sync::Arc;

use rayon::prelude::*;
use throng_rig::CharacterPose;

use crate::bindings::Resource;
use crate::cpu::palette::PaletteScratch;
use crate::cpu::palette_cache::PaletteCache;
use crate::cpu::poses::{CpuPoses, crowd_play};
use crate::cpu::source::{CpuOutput, CpuSource, PaletteLayout};
use crate::cpu::tasks::Tasks;
use crate::cpu::vertices::{CpuCopies, CpuVertices};
use crate::frame_uniform::FrameTimes;
use crate::instance_table::Uploads;
use crate::model::ModelData;
use crate::target::WordTarget;
use crate::{Gpu, GpuError, Instance, SkeletonEvaluation, Step, Switches, Ticks};

/// Work of the CPU for the instances of a crowd.
#[derive(Debug)]
pub(crate) struct CpuWork {
    source: Arc<CpuSource>,
    poses: CpuPoses,
    /// Pose that all instances show, now and in the frame before.
    held: Option<Arc<CharacterPose>>,
    held_before: Option<Arc<CharacterPose>>,
    uploads: CpuUploads,
}

#[derive(Debug)]
enum CpuUploads {
    Palette(CpuPalettes),
    Vertices(CpuVertices),
    Copies(CpuCopies),
}

/// Smallest number of palettes that a task copies.
const COPIES_PER_TASK: usize = 64;

/// Palettes of all instances, instance after instance.
#[derive(Debug)]
struct CpuPalettes {
    layout: PaletteLayout,
    stride: usize,
    target: WordTarget,
    texels: Vec<[u32; 4]>,
    scratch: Vec<PaletteScratch>,
    switches: Switches,
    /// Numbers of instances, now and in the frame before, whose palettes `texels` holds.
    evaluated: [usize; 2],
    /// Number of records that the texture holds.
    uploaded: usize,
}

impl CpuWork {
    pub fn new(
        gpu: &Gpu,
        model: &ModelData,
        source: &Arc<CpuSource>,
        capacity: usize,
    ) -> Result<Self, GpuError> {
        let uploads = match source.output {
            CpuOutput::Palette(layout) => {
                let stride = model.features.info.palette_stride;
                let texels = stride * model.motion.copies();
                CpuUploads::Palette(CpuPalettes {
                    layout,
                    stride: stride as usize,
                    target: WordTarget::new(gpu, "palettes", texels, capacity)?,
                    texels: Vec::new(),
                    scratch: Vec::new(),
                    switches: model.switches,
                    evaluated: [0; 2],
                    uploaded: 0,
                })
            }
            CpuOutput::Vertices => CpuUploads::Vertices(CpuVertices::new(gpu, model, capacity)?),
            CpuOutput::Copies => CpuUploads::Copies(CpuCopies::new(gpu, model, capacity)?),
        };
        Ok(Self {
            poses: CpuPoses::new(source),
            source: source.clone(),
            held: None,
            held_before: None,
            uploads,
        })
    }

    /// The palette as a resource of the shaders.
    pub fn palette(&self) -> Option<(u32, Resource)> {
        match &self.uploads {
            CpuUploads::Palette(palettes) => {
                Some((2, Resource::Table(palettes.target.view.clone())))
            }
            CpuUploads::Vertices(_) | CpuUploads::Copies(_) => None,
        }
    }

    /// Skinned vertices of every instance, if the CPU skins them.
    pub fn vertices(&self) -> Option<&CpuVertices> {
        match &self.uploads {
            CpuUploads::Vertices(vertices) => Some(vertices),
            CpuUploads::Palette(_) | CpuUploads::Copies(_) => None,
        }
    }

    /// Positions and normals that instances copy, if the CPU skins groups.
    pub fn copies(&self) -> Option<[&WordTarget; 2]> {
        match &self.uploads {
            CpuUploads::Copies(copies) => Some(copies.targets()),
            CpuUploads::Palette(_) | CpuUploads::Vertices(_) => None,
        }
    }

    /// Shows one pose for all instances, whatever they play; `None` goes back to what they play.
    pub fn hold(&mut self, pose: Option<Arc<CharacterPose>>) {
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
        let records = uploads.records(capacity);
        let (source, poses) = (&*self.source, &mut self.poses);
        for (index, (first, instances, now, held)) in lists.into_iter().enumerate() {
            if instances.is_empty() {
                continue;
            }
            if let CpuUploads::Palette(palettes) = &mut self.uploads {
                if palettes.keeps(index, instances.len()) {
                    continue;
                }
                if let (Some(cache), None) = (&source.cache, held) {
                    palettes.copy(source, cache, instances, now, first, records);
                    continue;
                }
            }
            poses.update(source, instances, now, held.map(|pose| &**pose));
            let list = first..first + instances.len();
            match &mut self.uploads {
                CpuUploads::Palette(palettes) => palettes.write(source, poses, list, records),
                CpuUploads::Vertices(vertices) => {
                    vertices.upload(gpu, source, poses, list, times.deform_factor);
                }
                CpuUploads::Copies(copies) => {
                    copies.write(source, poses, list, records, times.deform_factor);
                }
            }
        }
        match &mut self.uploads {
            CpuUploads::Palette(palettes) => palettes.upload(gpu, records),
            CpuUploads::Copies(copies) => copies.upload(gpu),
            CpuUploads::Vertices(_) => {}
        }
        if !uploads.previous.is_empty() {
            self.held_before = self.held.clone();
        }
    }
}

impl CpuPalettes {
    /// True if the palettes of a list, 0 for now and 1 for the frame before, stay as they are. If not, they will be
    /// evaluated.
    fn keeps(&mut self, list: usize, instances: usize) -> bool {
        let evaluated = std::mem::replace(&mut self.evaluated[list], instances);
        self.switches.skeleton == SkeletonEvaluation::FirstFrame && evaluated == instances
    }

    /// Copies the cached palettes of instances, whose records begin at `first`.
    fn copy(
        &mut self,
        source: &CpuSource,
        cache: &PaletteCache,
        instances: &[Instance],
        now: Ticks,
        first: usize,
        records: usize,
    ) {
        let stride = self.stride;
        if stride == 0 {
            return;
        }
        WordTarget::resize_to_rows(&mut self.texels, records * stride);
        let texels = self.texels[first * stride..].par_chunks_exact_mut(stride);
        texels
            .zip(instances)
            .with_min_len(COPIES_PER_TASK)
            .for_each(|(texels, instance)| {
                let play = crowd_play(source, instance, now);
                texels.copy_from_slice(cache.nearest(source, &play));
            });
    }

    /// Uploads the palettes of all records.
    fn upload(&mut self, gpu: &Gpu, records: usize) {
        let uploaded = std::mem::replace(&mut self.uploaded, records);
        if self.switches.upload == Step::On || uploaded != records {
            self.target.upload(gpu, &self.texels);
        }
    }

    /// Writes the palettes of posed instances, whose records are `list` of `records`.
    fn write(
        &mut self,
        source: &CpuSource,
        poses: &CpuPoses,
        list: std::ops::Range<usize>,
        records: usize,
    ) {
        let (layout, stride) = (self.layout, self.stride);
        if stride == 0 {
            return;
        }
        WordTarget::resize_to_rows(&mut self.texels, records * stride);
        let texels = &mut self.texels[list.start * stride..list.end * stride];
        let tasks = Tasks::of(list.len());
        let chunks = texels.par_chunks_mut(tasks.records * stride);
        tasks.run(chunks, &mut self.scratch, |first, texels, scratch| {
            for (index, texels) in texels.chunks_exact_mut(stride).enumerate() {
                scratch.write(source, poses, first + index, layout, texels);
            }
        });
    }
}
