// Culls instances and makes indirect draws of the visible ones, level by level, in the order of the instances. Three passes:
// `cull_mark` finds the level of each instance and counts per workgroup, `cull_sum` adds up the workgroups, and
// `cull_compact` copies the visible instances. Needs cull.

// 24 words per instance, as in the instance buffer.
struct InstanceWords {
    row_x: vec4<u32>,
    row_y: vec4<u32>,
    row_z: vec4<u32>,
    play_a: vec4<u32>,
    play_b: vec4<u32>,
    extra: vec4<u32>,
}

// Arguments of an indexed draw. All but the instances are constant.
struct IndexedDraw {
    indices: u32,
    instances: u32,
    first_index: u32,
    base_vertex: i32,
    first_instance: u32,
}

@group(1) @binding(0) var<uniform> view: CullView;
@group(1) @binding(1) var<storage, read> instances: array<InstanceWords>;
// Lowest and highest corner: of the undeformed mesh, then of each clip.
@group(1) @binding(2) var<storage, read> boxes: array<vec4<f32>>;
// State of each instance: see CULL_VISIBLE.
@group(1) @binding(3) var<storage, read_write> states: array<u32>;
// Per workgroup and level, the number of visible instances; after `cull_sum` the index of the first.
@group(1) @binding(4) var<storage, read_write> sums: array<u32>;
// One draw per level and part.
@group(1) @binding(5) var<storage, read_write> draws: array<IndexedDraw>;
@group(1) @binding(6) var<storage, read_write> visible: array<InstanceWords>;
// Index of each visible instance among all.
@group(1) @binding(7) var<storage, read_write> visible_indices: array<u32>;

const CULL_GROUP: u32 = 256u;

// Numbers of instances of eight levels, 16 bits each.
var<workgroup> counts: array<vec4<u32>, CULL_GROUP>;
var<workgroup> totals: array<u32, CULL_GROUP>;

fn box_at(index: u32) -> mat2x3<f32> {
    return mat2x3(boxes[2u * index].xyz, boxes[2u * index + 1u].xyz);
}

fn state_of(index: u32) -> u32 {
    let words = instances[index];
    let rows = mat3x4(bitcast<vec4<f32>>(words.row_x), bitcast<vec4<f32>>(words.row_y), bitcast<vec4<f32>>(words.row_z));
    let world_from_model = affine_from_rows(rows);
    let fade = fade_weight(words.play_b.w, words.extra.x, view.now);
    let first = box_at(1u + (words.play_a.y & ~BACKWARDS));
    let second = box_at(1u + (words.play_b.x & ~BACKWARDS));
    let bounds = cull_box(box_at(0u), first, second, fade, bitcast<f32>(words.extra.y));
    let before = states[index] & CULL_LEVEL;
    if cull_is_outside(view, world_from_model, bounds) {
        return before;
    }
    return cull_level(view, world_from_model, bounds, before) | CULL_VISIBLE;
}

// One in the 16 bits of the level of a visible instance.
fn counted(state: u32) -> vec4<u32> {
    let level = state & CULL_LEVEL;
    let one = select(0u, 1u << (16u * (level & 1u)), (state & CULL_VISIBLE) != 0u);
    return vec4(one) * vec4<u32>(vec4(level >> 1u) == vec4(0u, 1u, 2u, 3u));
}

fn count_of(packed: vec4<u32>, level: u32) -> u32 {
    return (packed[level >> 1u] >> (16u * (level & 1u))) & 0xffffu;
}

// Sum over this and all earlier threads of the workgroup.
fn sum_up_to(thread: u32, own: vec4<u32>) -> vec4<u32> {
    var sum = own;
    counts[thread] = sum;
    workgroupBarrier();
    for (var step = 1u; step < CULL_GROUP; step = 2u * step) {
        var earlier = vec4(0u);
        if thread >= step {
            earlier = counts[thread - step];
        }
        workgroupBarrier();
        sum += earlier;
        counts[thread] = sum;
        workgroupBarrier();
    }
    return sum;
}

@compute @workgroup_size(CULL_GROUP)
fn cull_mark(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let index = workgroup.x * CULL_GROUP + thread;
    var state = 0u;
    if index < view.count {
        state = state_of(index);
        states[index] = state;
    }
    let sum = sum_up_to(thread, counted(state));
    if thread == CULL_GROUP - 1u {
        for (var level = 0u; level < view.levels; level++) {
            sums[workgroup.x * view.levels + level] = count_of(sum, level);
        }
    }
}

@compute @workgroup_size(CULL_GROUP)
fn cull_sum(@builtin(local_invocation_index) thread: u32) {
    let groups = (view.count + CULL_GROUP - 1u) / CULL_GROUP;
    // Each thread adds up a run of workgroups.
    let run = (groups + CULL_GROUP - 1u) / CULL_GROUP;
    let start = min(thread * run, groups);
    let end = min(start + run, groups);
    var first = 0u;
    for (var level = 0u; level < view.levels; level++) {
        var total = 0u;
        for (var group = start; group < end; group++) {
            total += sums[group * view.levels + level];
        }
        totals[thread] = total;
        workgroupBarrier();
        var before = 0u;
        var all = 0u;
        for (var other = 0u; other < CULL_GROUP; other++) {
            let of_other = totals[other];
            before += select(0u, of_other, other < thread);
            all += of_other;
        }
        workgroupBarrier();
        var next = first + before;
        for (var group = start; group < end; group++) {
            let count = sums[group * view.levels + level];
            sums[group * view.levels + level] = next;
            next += count;
        }
        for (var part = thread; part < view.parts; part += CULL_GROUP) {
            let draw = level * view.parts + part;
            draws[draw].instances = all;
            // Where levels have regions of their own, the buffer is bound from the first instance of the level on.
            draws[draw].first_instance = select(0u, first, view.region == 0u);
        }
        first += select(view.region, all, view.region == 0u);
    }
}

@compute @workgroup_size(CULL_GROUP)
fn cull_compact(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let index = workgroup.x * CULL_GROUP + thread;
    var state = 0u;
    if index < view.count {
        state = states[index];
    }
    let own = counted(state);
    let sum = sum_up_to(thread, own);
    if (state & CULL_VISIBLE) == 0u {
        return;
    }
    let level = state & CULL_LEVEL;
    let at = sums[workgroup.x * view.levels + level] + count_of(sum - own, level);
    visible[at] = instances[index];
    visible_indices[at] = index;
}
