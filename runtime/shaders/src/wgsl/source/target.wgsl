// Target texture of vertices that are read back or copied.

struct CaptureTarget {
    @size(16) rows: u32,
}

@group(1) @binding(10) var<uniform> capture_target: CaptureTarget;
