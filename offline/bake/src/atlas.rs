//! A texture with a grid of frames.

use throng_format::{
    Channels, FrameOrder, Grid, GridLimits, GridPlan, Pages, TexelFormat, Texture, TextureEntry,
    calibration, p0, plan_rows, write_channel,
};

use crate::p0_pages::{ItemPage, PageFit};
use crate::plan::BakePlan;
use crate::{BakeError, BakeSettings, Preset, Sides};

/// Most bytes of a texture.
const MAX_TEXTURE_BYTES: u128 = 8 << 30;

/// A texture that frames are written into.
pub(crate) struct Atlas {
    /// Name of the texture.
    pub name: &'static str,
    /// The texels.
    pub texture: Texture,
    /// Position of frames in the texture.
    pub grid: Grid,
    rounding: Rounding,
    has_strip: bool,
}

/// Rounding of numbers to 8 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rounding {
    Nearest,
    P0,
}

/// Contents of an atlas.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Contents {
    /// Name of the texture.
    pub name: &'static str,
    /// Texel format.
    pub format: TexelFormat,
    /// Texels per frame.
    pub items: u32,
    /// Rows of metadata in the first column; 0 where there is no such column.
    pub metadata_rows: usize,
}

impl Atlas {
    /// Creates an atlas with frames in rows, after the calibration strip.
    pub fn rows(
        contents: Contents,
        plan: &BakePlan,
        settings: &BakeSettings,
    ) -> Result<Self, BakeError> {
        let planned = planned_rows(contents, plan, settings)?;
        let mut grid = planned.grid;
        let starts = plan.clips.iter().map(|clip| clip.first_frame);
        grid.clip_starts = starts
            .map(|frame| grid.first_row + frame * grid.rows_per_frame)
            .collect();
        let mut texture = zeroed(contents, planned.size)?;
        calibration::write_strip(&mut texture);
        Ok(Self {
            name: contents.name,
            texture,
            grid,
            rounding: Rounding::Nearest,
            has_strip: true,
        })
    }

    /// Returns the GPU bytes of [`Self::rows`].
    pub fn rows_gpu_bytes(
        contents: Contents,
        plan: &BakePlan,
        settings: &BakeSettings,
    ) -> Result<u64, BakeError> {
        let size = planned_rows(contents, plan, settings)?.size;
        let texels = checked_texels(contents, size)?;
        Ok(texels * contents.format.gpu_texel_bytes() as u64)
    }

    /// Creates an atlas in P0's layout: a layer per clip and page of items, with frames in columns after one of metadata.
    pub fn columns(
        contents: Contents,
        item_pages: &[ItemPage],
        plan: &BakePlan,
        settings: &BakeSettings,
        preset: Preset,
    ) -> Result<Self, BakeError> {
        let fit = PageFit {
            preset,
            settings,
            plan,
        };
        let width = fit.width()?;
        let height = fit.height(item_pages, contents.metadata_rows)?;
        let layers = plan.clips.len() * item_pages.len();
        let size = [width, height, u32::try_from(layers).unwrap_or(u32::MAX)];
        let bytes = size.iter().map(|&side| u128::from(side)).product::<u128>()
            * contents.format.texel_bytes() as u128;
        // Positions and normals are two textures.
        let limit = u128::from(settings.max_memory_bytes / 2);
        if bytes > limit {
            return Err(BakeError::TooLarge {
                what: contents.name,
                bytes,
                limit,
            });
        }
        let grid = Grid {
            texture: 0,
            order: FrameOrder::Columns,
            items: contents.items,
            first_column: 1,
            first_row: 0,
            columns: 1,
            rows_per_frame: 1,
            clip_starts: vec![1; plan.clips.len()],
            pages: Some(Pages {
                frame_starts: plan.clips.iter().map(|clip| clip.first_frame).collect(),
                item_starts: item_pages.iter().map(|page| page.first).collect(),
                rows: height,
            }),
        };
        Ok(Self {
            name: contents.name,
            texture: zeroed(contents, size)?,
            grid,
            rounding: Rounding::P0,
            has_strip: false,
        })
    }

    /// Creates an atlas in P3's layout: no strip, the rest pose as a row above the first frame, rows as wide as a power of two.
    pub fn rest_and_rows(
        contents: Contents,
        plan: &BakePlan,
        settings: &BakeSettings,
        preset: &'static str,
    ) -> Result<Self, BakeError> {
        let rows = plan.frames() + 1;
        let width = u64::from(contents.items).next_power_of_two();
        if width > u64::from(settings.max_side) {
            return Err(BakeError::PresetDoesNotFit {
                preset,
                what: format!("a frame has {} texels", contents.items),
                side: width,
                max_side: settings.max_side,
                remedy: "use --encoding virtual-bones".into(),
            });
        }
        let layers = rows.div_ceil(settings.max_side);
        let mut height = rows.div_ceil(layers);
        if settings.sides == Sides::PowerOfTwo {
            height = height.next_power_of_two();
        }
        let grid = Grid {
            texture: 0,
            order: FrameOrder::Rows,
            items: contents.items,
            first_column: 0,
            first_row: 1,
            columns: width as u32,
            rows_per_frame: 1,
            clip_starts: plan.clips.iter().map(|clip| 1 + clip.first_frame).collect(),
            pages: None,
        };
        Ok(Self {
            name: contents.name,
            texture: zeroed(contents, [width as u32, height, layers])?,
            grid,
            rounding: Rounding::Nearest,
            has_strip: false,
        })
    }

    /// Writes the numbers of a frame, from -1 to 1 for unorm texels and unchanged for floats: number `n` goes into channel
    /// `n % channels` of item `n / channels`.
    pub fn put_frame(&mut self, frame: u32, numbers: &[f64]) {
        let channels = self.texture.format().channels();
        for (item, numbers) in numbers.chunks(channels).enumerate() {
            self.put(frame, item as u32, numbers);
        }
    }

    /// Writes the channels of an item of a frame.
    pub fn put(&mut self, frame: u32, item: u32, numbers: &[f64]) {
        let texel = self.grid.texel(self.texture.size()[0], frame, item);
        self.put_texel(texel, numbers);
    }

    /// Writes the rest pose into the row above the first frame.
    pub fn put_rest_row(&mut self, numbers: &[f64]) {
        let first_row = self.grid.first_row - self.grid.rows_per_frame;
        let first = first_row as usize * self.texture.size()[0] as usize;
        let channels = self.texture.format().channels();
        for (item, numbers) in numbers.chunks(channels).enumerate() {
            self.put_texel(first + item, numbers);
        }
    }

    fn put_texel(&mut self, texel: usize, numbers: &[f64]) {
        let format = self.texture.format();
        let kind = format.channel_kind();
        let at = texel * format.texel_bytes();
        let channels = self.texture.bytes_mut()[at..].chunks_exact_mut(kind.bytes());
        for (channel, &number) in channels.zip(numbers) {
            match self.rounding {
                Rounding::P0 => channel[0] = p0::level(number),
                Rounding::Nearest if format.is_float() => write_channel(channel, kind, number),
                Rounding::Nearest => write_channel(channel, kind, 0.5 * (number + 1.0)),
            }
        }
    }

    /// True where a float texture contains an infinite number.
    pub fn has_infinity(&self) -> bool {
        let channels = Channels::of(&self.texture);
        let format = self.texture.format();
        let count = self.texture.texel_count();
        format.is_float()
            && (0..count).any(|texel| {
                (0..format.channels()).any(|channel| !channels.get(texel, channel).is_finite())
            })
    }

    /// Returns the manifest's entry, without files.
    pub fn entry(&self) -> TextureEntry {
        let [width, height, layers] = self.texture.size();
        TextureEntry {
            name: self.name.into(),
            texels: self.texture.format(),
            width,
            height,
            layers,
            calibration: self.has_strip,
            files: Vec::new(),
        }
    }
}

/// Plans frames in rows, below the calibration strip.
fn planned_rows(
    contents: Contents,
    plan: &BakePlan,
    settings: &BakeSettings,
) -> Result<GridPlan, BakeError> {
    let limits = GridLimits {
        max_side: settings.max_side,
        power_of_two: settings.sides == Sides::PowerOfTwo,
        first_column: u32::from(contents.metadata_rows > 0),
        first_row: 1,
        min_rows: 1 + contents.metadata_rows as u32,
    };
    let planned = plan_rows(contents.items, plan.frames(), limits);
    planned.ok_or(BakeError::NoRoom {
        what: contents.name,
        max_side: settings.max_side,
    })
}

/// Returns a texture of zeros, unless it is too large.
pub(crate) fn zeroed(contents: Contents, size: [u32; 3]) -> Result<Texture, BakeError> {
    checked_texels(contents, size)?;
    Texture::zeroed(contents.format, size).map_err(|_| BakeError::NoRoom {
        what: contents.name,
        max_side: size[0],
    })
}

/// Returns the number of texels, unless they take too many bytes.
fn checked_texels(contents: Contents, size: [u32; 3]) -> Result<u64, BakeError> {
    let texels: u128 = size.iter().map(|&side| u128::from(side)).product();
    let bytes = texels * contents.format.texel_bytes() as u128;
    if bytes > MAX_TEXTURE_BYTES {
        return Err(BakeError::TooLarge {
            what: contents.name,
            bytes,
            limit: MAX_TEXTURE_BYTES,
        });
    }
    Ok(texels as u64)
}
