// Vertices from compressed curves: one curve per unique position and per unique normal. Needs set, words and curves.

@group(1) @binding(2) var words: texture_2d_array<u32>;

// `items` are the indices of the position and of the normal.
fn vertex_moment(play: Play, now: u32, items: vec2<u32>) -> Deformed {
    let time_secs = play_time(play, play_timing(play), now);
    let tables = set_info.joint_curves;
    let moment = moment_find(words, tables.clip_table, tables.curves, play.clip & ~BACKWARDS, time_secs);
    let offset = moment_vector(words, moment, items.x);
    let normal = moment_vector(words, moment, set_info.position_curves + items.y);
    let range = set_info.vertex_curve_range;
    return Deformed(range.xyz + range.w * offset, unit_or(normal, vec3(0.0, 1.0, 0.0)), vec3(0.0));
}

fn deform(v: VertexIn, instance: Instance) -> Deformed {
    var deformed = vertex_moment(instance.first, instance.now, v.indices.zw);
    let fade = instance_fade(instance);
    if HAS_FADES && fade != 0.0 {
        deformed = deformed_mix(deformed, vertex_moment(instance.second, instance.now, v.indices.zw), fade);
    }
    deformed.position += v.position.xyz;
    return deformed;
}
