//! Grids: locations of the texels of each frame.

use serde::{Deserialize, Serialize};

/// Direction in which frames follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FrameOrder {
    /// A frame is one row of texels, or several where one is too short.
    Rows,
    /// A frame is a column of texels: the layout of P0.
    Columns,
}

/// Frames of equal numbers of texels in one texture.
///
/// Rows are counted across layers: row `r` is row `r % height` of layer `r / height`. Frames are counted across clips.
/// Item `i` of frame `f` is, in [`FrameOrder::Rows`], at column `first_column + i % columns` of row
/// `first_row + f * rows_per_frame + i / columns`; in [`FrameOrder::Columns`], at column `first_column + f` of row
/// `first_row + i`, with both counted within a page where there are [`Pages`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grid {
    /// Index into the manifest's textures.
    pub texture: usize,
    /// Direction in which frames follow each other.
    pub order: FrameOrder,
    /// Number of texels per frame.
    pub items: u32,
    /// Column of the first texel: 1 where there is a metadata column.
    pub first_column: u32,
    /// Row of the first frame.
    pub first_row: u32,
    /// Number of texels of a frame per row; 1 in [`FrameOrder::Columns`].
    pub columns: u32,
    /// Number of rows per frame.
    pub rows_per_frame: u32,
    /// Row of the first frame of each clip (column, in [`FrameOrder::Columns`]).
    pub clip_starts: Vec<u32>,
    /// Pages of [`FrameOrder::Columns`]; `None` where one layer holds all frames and items.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<Pages>,
}

/// Pages of a grid in [`FrameOrder::Columns`]: the textures of P0, one per clip and mesh, each a layer.
///
/// Mesh `m` of clip `c` is layer `c * item_starts.len() + m`. Its first frame is in column `first_column`, its first item
/// in row `first_row`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pages {
    /// First frame of each clip, counted across clips.
    pub frame_starts: Vec<u32>,
    /// First item of each mesh; a single zero where pages are per clip only.
    pub item_starts: Vec<u32>,
    /// Rows per page: the height of the texture.
    pub rows: u32,
}

impl Pages {
    /// Column of a frame and row of an item, counted from the first column and row of their page; and the page.
    fn locate(&self, frame: u32, item: u32) -> [u32; 3] {
        let (clip, column) = within(&self.frame_starts, frame);
        let (mesh, row) = within(&self.item_starts, item);
        [column, row, clip * self.item_starts.len() as u32 + mesh]
    }

    /// Row of an item, counted across the pages of a clip.
    pub fn row_in_clip(&self, item: u32) -> u32 {
        let (mesh, row) = within(&self.item_starts, item);
        mesh * self.rows + row
    }

    /// Rows of all pages of a clip.
    pub fn rows_per_clip(&self) -> u32 {
        self.rows * self.item_starts.len() as u32
    }

    /// True where starts begin with 0 and rise, and every clip and mesh is inside its page.
    fn fit(&self, grid: &Grid, [width, height, layers]: [u64; 3], frames: u64) -> bool {
        let runs = |starts: &[u32], end: u64, room: u64| {
            let ends = starts.iter().skip(1).map(|&start| u64::from(start));
            let pairs = starts.iter().zip(ends.chain([end]));
            starts.first() == Some(&0)
                && pairs.into_iter().all(|(&start, end)| {
                    end.checked_sub(u64::from(start))
                        .is_some_and(|length| length <= room)
                })
        };
        let room = |side: u64, first: u32| side.saturating_sub(u64::from(first));
        let pages = self.frame_starts.len() as u64 * self.item_starts.len() as u64;
        u64::from(self.rows) == height
            && pages <= layers
            && runs(&self.frame_starts, frames, room(width, grid.first_column))
            && runs(
                &self.item_starts,
                u64::from(grid.items),
                room(height, grid.first_row),
            )
    }
}

/// Index of the run that contains a number, and its distance from the start of the run. Runs may be empty.
fn within(starts: &[u32], number: u32) -> (u32, u32) {
    let index = starts.partition_point(|&start| start <= number) - 1;
    (index as u32, number - starts[index])
}

impl Grid {
    /// Index of the texel of an item of a frame, counted across rows and layers.
    pub fn texel(&self, texture_width: u32, frame: u32, item: u32) -> usize {
        let (column, row) = match self.order {
            FrameOrder::Rows => (
                self.first_column + item % self.columns,
                self.first_row as usize
                    + frame as usize * self.rows_per_frame as usize
                    + (item / self.columns) as usize,
            ),
            FrameOrder::Columns => {
                let ([column, row, page], rows) = match &self.pages {
                    None => ([frame, item, 0], 0),
                    Some(pages) => (pages.locate(frame, item), pages.rows),
                };
                (
                    self.first_column + column,
                    page as usize * rows as usize + (self.first_row + row) as usize,
                )
            }
        };
        row * texture_width as usize + column as usize
    }

    /// True where every item of all frames is inside a texture of this width, height and number of layers.
    pub fn fits(&self, texture_size: [u32; 3], frames: u32) -> bool {
        if self.items == 0 || frames == 0 || self.columns == 0 {
            return false;
        }
        let [width, height, layers] = texture_size.map(u64::from);
        let rows = height * layers;
        let (first_column, first_row) = (u64::from(self.first_column), u64::from(self.first_row));
        let (items, frames) = (u64::from(self.items), u64::from(frames));
        match self.order {
            FrameOrder::Rows => {
                let columns = u64::from(self.columns);
                let rows_per_frame = u64::from(self.rows_per_frame);
                self.pages.is_none()
                    && first_column + columns.min(items) <= width
                    && items.div_ceil(columns) <= rows_per_frame
                    && first_row + frames * rows_per_frame <= rows
            }
            FrameOrder::Columns => match &self.pages {
                None => first_column + frames <= width && first_row + items <= rows,
                Some(pages) => pages.fit(self, [width, height, layers], frames),
            },
        }
    }
}

/// A grid and the size of the texture that holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GridPlan {
    /// The grid; `clip_starts` is still empty.
    pub grid: Grid,
    /// Width, height and number of layers.
    pub size: [u32; 3],
}

/// Constraints of [`plan_rows`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GridLimits {
    /// Maximum width and height.
    pub max_side: u32,
    /// True where width and height are rounded up to powers of two.
    pub power_of_two: bool,
    /// Column of the first texel.
    pub first_column: u32,
    /// Row of the first frame.
    pub first_row: u32,
    /// Minimum number of rows, for metadata in the first column.
    pub min_rows: u32,
}

/// Lays frames out in rows and wastes as few texels as the limits allow. A frame wider than `max_side` is cut into rows
/// of equal length; more rows than `max_side` continue in further layers.
///
/// `None` where a row has no room for a texel, or the number of rows overflows.
pub fn plan_rows(items: u32, frames: u32, limits: GridLimits) -> Option<GridPlan> {
    let GridLimits {
        max_side,
        power_of_two,
        first_column,
        first_row,
        min_rows,
    } = limits;
    if items == 0 || frames == 0 {
        return None;
    }
    let max_side = if power_of_two {
        previous_power_of_two(max_side)?
    } else {
        max_side
    };
    let room = max_side
        .checked_sub(first_column)
        .filter(|&room| room > 0)?;
    let rows_per_frame = items.div_ceil(room);
    let mut columns = items.div_ceil(rows_per_frame);
    let mut width = first_column + columns;
    if power_of_two {
        width = width.next_power_of_two();
        // Use the columns that the rounding added.
        columns = width - first_column;
    }
    let rows_per_frame = items.div_ceil(columns);
    let rows = frames.checked_mul(rows_per_frame)?.checked_add(first_row)?;
    let rows = rows.max(min_rows);
    let layers = rows.div_ceil(max_side);
    let mut height = rows.div_ceil(layers);
    if power_of_two {
        height = height.next_power_of_two();
    }
    let grid = Grid {
        texture: 0,
        order: FrameOrder::Rows,
        items,
        first_column,
        first_row,
        columns,
        rows_per_frame,
        clip_starts: Vec::new(),
        pages: None,
    };
    Some(GridPlan {
        grid,
        size: [width, height, layers],
    })
}

fn previous_power_of_two(side: u32) -> Option<u32> {
    Some(1 << side.checked_ilog2()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TexelFormat;
    use crate::Texture;

    fn limits(max_side: u32, power_of_two: bool) -> GridLimits {
        GridLimits {
            max_side,
            power_of_two,
            first_column: 1,
            first_row: 1,
            min_rows: 0,
        }
    }

    /// Checks that every item of every frame has its own texel, inside the texture and outside the first column and row.
    fn check(items: u32, frames: u32, limits: GridLimits) -> [u32; 3] {
        let GridPlan { grid, size } = plan_rows(items, frames, limits).unwrap();
        let texture = Texture::zeroed(TexelFormat::R32Uint, size).unwrap();
        assert!(grid.fits(texture.size(), frames), "{grid:?} in {size:?}");
        assert!(size[0] <= limits.max_side && size[1] <= limits.max_side);
        let mut taken = vec![false; texture.texel_count()];
        for frame in 0..frames {
            for item in 0..items {
                let texel = grid.texel(size[0], frame, item);
                assert!(texel >= size[0] as usize && texel as u32 % size[0] >= 1);
                assert!(!std::mem::replace(&mut taken[texel], true));
            }
        }
        size
    }

    #[test]
    fn frame_that_fits_is_one_row() {
        assert_eq!(check(10, 5, limits(2048, false)), [11, 6, 1]);
        assert_eq!(check(10, 5, limits(2048, true)), [16, 8, 1]);
    }

    #[test]
    fn wide_frames_are_cut_into_rows_and_rows_continue_in_layers() {
        // 100 texels in rows of 15: 7 rows per frame, 4 layers.
        assert_eq!(check(100, 8, limits(16, false)), [16, 15, 4]);
        assert_eq!(check(100, 8, limits(16, true)), [16, 16, 4]);
        check(1000, 3, limits(2, false));
        check(7, 100, limits(5, false));
        check(1, 1, limits(2, true));
    }

    #[test]
    fn plan_is_none_without_room() {
        assert_eq!(plan_rows(1, 1, limits(1, false)), None);
        assert_eq!(plan_rows(u32::MAX, 2, limits(2, false)), None);
    }

    #[test]
    fn frames_are_columns_in_the_layout_of_p0() {
        let grid = Grid {
            texture: 0,
            order: FrameOrder::Columns,
            items: 130,
            first_column: 1,
            first_row: 0,
            columns: 1,
            rows_per_frame: 1,
            clip_starts: vec![1],
            pages: None,
        };
        let texture = Texture::zeroed(TexelFormat::Rgba8Unorm, [86, 132, 1]).unwrap();
        assert!(grid.fits(texture.size(), 85));
        assert!(!grid.fits(texture.size(), 86));
        assert_eq!(grid.texel(86, 3, 2), 2 * 86 + 4);
    }

    /// Two clips of three and five frames, meshes of four and two items: four layers of 8 × 4 texels.
    #[test]
    fn every_clip_and_mesh_has_a_page_of_its_own() {
        let mut grid = Grid {
            texture: 0,
            order: FrameOrder::Columns,
            items: 6,
            first_column: 1,
            first_row: 0,
            columns: 1,
            rows_per_frame: 1,
            clip_starts: vec![1, 1],
            pages: Some(Pages {
                frame_starts: vec![0, 3],
                item_starts: vec![0, 4],
                rows: 4,
            }),
        };
        assert!(grid.fits([8, 4, 4], 8));
        let at = |frame, item| grid.texel(8, frame, item);
        let page = 8 * 4;
        assert_eq!(at(0, 0), 1);
        assert_eq!(at(2, 3), 3 * 8 + 3);
        assert_eq!(at(2, 5), page + 8 + 3);
        assert_eq!(at(3, 0), 2 * page + 1);
        assert_eq!(at(7, 4), 3 * page + 5);
        assert_eq!(grid.pages.as_ref().unwrap().row_in_clip(5), 4 + 1);
        // Too few layers, columns, rows; another height; starts that do not rise from zero.
        assert!(!grid.fits([8, 4, 3], 8));
        assert!(!grid.fits([5, 4, 4], 8));
        assert!(!grid.fits([8, 3, 4], 8));
        assert!(!grid.fits([8, 8, 4], 8));
        for starts in [vec![], vec![1, 4], vec![0, 7]] {
            grid.pages.as_mut().unwrap().item_starts = starts;
            assert!(!grid.fits([8, 4, 4], 8));
        }
    }
}
