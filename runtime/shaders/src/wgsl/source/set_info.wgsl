// The description of a set, bound at run time. Needs set_info.

@group(1) @binding(0) var<uniform> set_info: SetInfo;
