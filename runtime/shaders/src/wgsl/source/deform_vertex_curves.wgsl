// Vertices from packed curves: a curve for each true position and each true normal. Needs set, words and tracks.

@group(1) @binding(2) var words: texture_2d_array<u32>;

fn vertex_at(play: Play, places: vec2<u32>) -> Moved {
    let time_secs = play_time(play, play_timing(play), frame.now);
    let tables = set_info.joint_curves;
    let moment = moment_find(words, tables.clip_table, tables.curves, play.clip & ~BACKWARDS, time_secs);
    let offset = moment_vector(words, moment, places.x);
    let normal = moment_vector(words, moment, set_info.position_curves + places.y);
    let box = set_info.vertex_curve_range;
    return Moved(box.xyz + box.w * offset, unit_or(normal, vec3(0.0, 1.0, 0.0)));
}

fn deform(v: VertexIn, instance: Instance) -> Moved {
    var moved = vertex_at(instance.first, v.places.zw);
    let fade = instance_fade(instance);
    if HAS_FADES && fade != 0.0 {
        let second = vertex_at(instance.second, v.places.zw);
        moved.position = mix(moved.position, second.position, fade);
        moved.normal = unit_or(mix(moved.normal, second.normal, fade), moved.normal);
    }
    moved.position += v.position.xyz;
    return moved;
}
