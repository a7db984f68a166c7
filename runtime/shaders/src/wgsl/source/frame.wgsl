@group(0) @binding(0) var<uniform> frame: Frame;
