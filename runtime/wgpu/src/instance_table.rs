//! Instances as a table: a texture of six texels per instance, for passes before drawing and for motion vectors.

use std::ops::Range;

use throng_format::ClipTiming;
use throng_shaders::TABLE_COLUMNS;

use crate::bindings::Resource;
use crate::instance::Instance;
use crate::instances::Changes;
use crate::{Gpu, GpuError, texture};

/// Texels per instance.
const TEXELS: usize = 6;

/// Instances now and, from `capacity` on, as they were in the frame before.
#[derive(Debug)]
pub(crate) struct InstanceTable {
    texture: wgpu::Texture,
    pub view: wgpu::TextureView,
    capacity: usize,
}

/// Instances to upload.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Uploads<'a> {
    pub current: &'a [Instance],
    /// Empty if motion is not supported.
    pub previous: &'a [Instance],
    pub changes: &'a Changes,
    pub previous_changes: &'a Changes,
    pub clips: &'a [ClipTiming],
}

impl Uploads<'_> {
    /// Number of records in use, where those of the frame before begin at `capacity`.
    pub fn records(&self, capacity: usize) -> usize {
        match self.previous.len() {
            0 => self.current.len(),
            previous => capacity + previous,
        }
    }
}

impl InstanceTable {
    /// Creates a table for `capacity` instances, twice if `has_previous`.
    pub fn new(gpu: &Gpu, capacity: usize, has_previous: bool) -> Result<Self, GpuError> {
        let records = capacity * if has_previous { 2 } else { 1 };
        let rows = (records * TEXELS).div_ceil(TABLE_COLUMNS as usize).max(1);
        let max_rows = gpu.device.limits().max_texture_dimension_2d;
        if rows as u64 > u64::from(max_rows) {
            let texels = u64::from(max_rows) * u64::from(TABLE_COLUMNS);
            return Err(GpuError::TooManyInstances {
                what: "records",
                instances: capacity,
                rows: rows as u64,
                max_rows,
                max_instances: texels / (TEXELS * records / capacity.max(1)).max(1) as u64,
            });
        }
        let size = [TABLE_COLUMNS, rows as u32, 1];
        let texture = texture::create(
            gpu,
            "instances",
            size,
            wgpu::TextureFormat::Rgba32Uint,
            wgpu::TextureUsages::TEXTURE_BINDING,
        );
        Ok(Self {
            view: texture.create_view(&Default::default()),
            texture,
            capacity,
        })
    }

    pub fn resource(&self) -> (u32, Resource) {
        (7, Resource::Table(self.view.clone()))
    }

    /// Uploads the rows that changed.
    pub fn write(&self, gpu: &Gpu, uploads: &Uploads<'_>) {
        let current = uploads.changes.ranges(uploads.current.len());
        let previous = uploads.previous_changes.ranges(uploads.previous.len());
        let shifted = previous
            .into_iter()
            .map(|range| range.start + self.capacity..range.end + self.capacity);
        let mut written = 0;
        for range in current.into_iter().chain(shifted) {
            let rows = rows_of(&range);
            // Neighbouring ranges may share a row.
            let rows = rows.start.max(written)..rows.end.max(written);
            if rows.is_empty() {
                continue;
            }
            written = rows.end;
            let texels = self.texels(&rows, uploads);
            let size = [TABLE_COLUMNS, rows.len() as u32, 1];
            let bytes = bytemuck::cast_slice(&texels);
            texture::write_rows(gpu, &self.texture, rows.start as u32, size, bytes);
        }
    }

    /// Texels of whole rows.
    fn texels(&self, rows: &Range<usize>, uploads: &Uploads<'_>) -> Vec<[u32; 4]> {
        let columns = TABLE_COLUMNS as usize;
        let texels = rows.start * columns..rows.end * columns;
        let first = texels.start / TEXELS;
        let records = first..texels.end.div_ceil(TEXELS);
        let mut out = Vec::with_capacity(records.len() * TEXELS);
        for index in records {
            let instance = match index.checked_sub(self.capacity) {
                None => uploads.current.get(index),
                Some(index) => uploads.previous.get(index),
            };
            let block: [[u32; 4]; TEXELS] = match instance {
                Some(instance) => bytemuck::cast(instance.to_block(uploads.clips)),
                None => [[0; 4]; TEXELS],
            };
            out.extend(block);
        }
        out.drain(..texels.start - first * TEXELS);
        out.truncate(texels.len());
        out
    }
}

/// Rows of a range of instances.
fn rows_of(instances: &Range<usize>) -> Range<usize> {
    let columns = TABLE_COLUMNS as usize;
    instances.start * TEXELS / columns..(instances.end * TEXELS).div_ceil(columns)
}
