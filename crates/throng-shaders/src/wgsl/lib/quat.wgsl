// Quaternions as xyzw.

fn quat_mul(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4(
        a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz),
        a.w * b.w - dot(a.xyz, b.xyz),
    );
}

fn mat3_from_quat(q: vec4<f32>) -> mat3x3<f32> {
    let double = q.xyz + q.xyz;
    let xx = q.x * double.x;
    let xy = q.x * double.y;
    let xz = q.x * double.z;
    let yy = q.y * double.y;
    let yz = q.y * double.z;
    let zz = q.z * double.z;
    let w = q.w * double;
    return mat3x3(
        vec3(1.0 - (yy + zz), xy + w.z, xz - w.y),
        vec3(xy - w.z, 1.0 - (xx + zz), yz + w.x),
        vec3(xz + w.y, yz - w.x, 1.0 - (xx + yy)),
    );
}

// The rotation of modified Rodrigues parameters: the axis, times the tangent of a quarter of the angle.
fn quat_from_mrp(p: vec3<f32>) -> vec4<f32> {
    let square = dot(p, p);
    let scale = 1.0 / (1.0 + square);
    return vec4(p * (2.0 * scale), (1.0 - square) * scale);
}
