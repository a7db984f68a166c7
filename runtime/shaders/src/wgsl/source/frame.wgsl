@group(1) @binding(14) var<uniform> frame: Frame;
