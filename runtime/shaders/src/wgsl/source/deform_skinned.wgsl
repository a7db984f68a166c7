// Vertices moved by joints. Needs a source of joints, a method and morphs.

fn deform(v: VertexIn, instance: Instance) -> Moved {
    let factor = frame.deform_factor * v.position.w;
    let bound = Bound(v.position.xyz, v.normal, factor, v.joints, v.weights, v.places.xy);
    return skin_vertex(pose_of(instance), morphed(bound, instance, v.places.zw));
}
