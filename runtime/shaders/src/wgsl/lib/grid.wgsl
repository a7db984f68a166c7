// Addresses of the texels of a frame. Needs divide and time.

// As `throng_format::Grid`, with the height of a layer. If a frame is a column, clips have layers of their own: `columns`
// is the distance between the first frames of two clips, `rows_per_frame` the rows of all layers of a clip, and an item is
// a row, counted through these layers.
struct Grid {
    first_column: u32,
    first_row: u32,
    columns: u32,
    rows_per_frame: u32,
    // 1 if a frame is a column, 0 if it is one or more rows.
    by_columns: u32,
    height: u32,
    layers: u32,
    padding: u32,
}

// Column, row and layer of an item of a frame.
fn grid_texel(grid: Grid, frame: u32, item: u32) -> vec3<u32> {
    var column = item;
    var row = grid.first_row + frame * grid.rows_per_frame;
    var layer = 0u;
    if grid.by_columns != 0u {
        column = frame;
        row = grid.first_row + item;
        if grid.layers > 1u {
            let clip = divide(frame, grid.columns);
            column -= clip * grid.columns;
            row += clip * grid.rows_per_frame;
        }
    } else if grid.rows_per_frame > 1u {
        let down = divide(item, grid.columns);
        column -= down * grid.columns;
        row += down;
    }
    if grid.layers > 1u {
        layer = divide(row, grid.height);
        row -= layer * grid.height;
    }
    return vec3(grid.first_column + column, row, layer);
}

// Two frames, and the fraction of the way from the first to the second.
struct FramePair {
    first: u32,
    second: u32,
    fraction: f32,
}

// The frames around a position, in frames from the start of the clip. Clamped to the clip. Integers are converted from
// i32, which is cheaper than u32 on llvmpipe.
fn frame_pair(timing: ClipTiming, frames: f32) -> FramePair {
    let last = i32(timing.frames) - 1;
    let position = clamp(frames, 0.0, f32(last));
    let index = min(i32(position), max(last, 1) - 1);
    return FramePair(
        timing.first_frame + u32(index),
        timing.first_frame + u32(min(index + 1, last)),
        position - f32(index),
    );
}
