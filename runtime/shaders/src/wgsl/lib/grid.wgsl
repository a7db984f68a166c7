// Where the texels of a frame are. Needs divide and time.

// As `throng_format::Grid`, with the height of a layer.
struct Grid {
    first_column: u32,
    first_row: u32,
    columns: u32,
    rows_per_frame: u32,
    // 1 where a frame is a column.
    by_columns: u32,
    height: u32,
    layers: u32,
    padding: u32,
}

// Column, row and layer of an item of a frame.
fn grid_texel(grid: Grid, frame: u32, item: u32) -> vec3<u32> {
    if grid.by_columns != 0u {
        return vec3(grid.first_column + frame, grid.first_row + item, 0u);
    }
    var column = item;
    var row = grid.first_row + frame * grid.rows_per_frame;
    var layer = 0u;
    if grid.rows_per_frame > 1u {
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

// Two frames and the way between them.
struct FramePair {
    first: u32,
    second: u32,
    fraction: f32,
}

// Where a clip is between its frames, by frames from its start. Held inside the clip. Signed numbers are the ones that
// devices make floats of at once.
fn frame_pair(timing: ClipTiming, frames: f32) -> FramePair {
    let last = i32(timing.frames) - 1;
    let place = clamp(frames, 0.0, f32(last));
    let index = min(i32(place), max(last, 1) - 1);
    return FramePair(
        timing.first_frame + u32(index),
        timing.first_frame + u32(min(index + 1, last)),
        place - f32(index),
    );
}
