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

// Where a time, in seconds from the clip's start, is among its frames. Held inside the clip.
fn frame_pair(timing: ClipTiming, time_secs: f32) -> FramePair {
    let last = timing.frames - 1u;
    let place = clamp(time_secs * timing.rate_hz, 0.0, f32(last));
    let index = min(u32(place), max(last, 1u) - 1u);
    return FramePair(
        timing.first_frame + index,
        timing.first_frame + min(index + 1u, last),
        place - f32(index),
    );
}
