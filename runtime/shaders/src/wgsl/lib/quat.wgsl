// Quaternions as xyzw.

fn quat_mul(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4(
        a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz),
        a.w * b.w - dot(a.xyz, b.xyz),
    );
}

// The factor `2 / |q|²` of the products in a rotation matrix, for a quaternion of any length. Returns 0, which gives
// the identity, if the length is almost zero.
fn quat_matrix_scale(q: vec4<f32>) -> f32 {
    let square = dot(q, q);
    return select(2.0 / square, 0.0, square < 1e-24);
}

// The rotation of a quaternion of any length.
fn mat3_from_quat(q: vec4<f32>) -> mat3x3<f32> {
    return mat3_from_scaled(q, quat_matrix_scale(q));
}

// The rotation of a quaternion whose `quat_matrix_scale` is known.
fn mat3_from_scaled(q: vec4<f32>, scale: f32) -> mat3x3<f32> {
    let scaled = q.xyz * scale;
    let xx = q.x * scaled.x;
    let xy = q.x * scaled.y;
    let xz = q.x * scaled.z;
    let yy = q.y * scaled.y;
    let yz = q.y * scaled.z;
    let zz = q.z * scaled.z;
    let w = q.w * scaled;
    return mat3x3(
        vec3(1.0 - (yy + zz), xy + w.z, xz - w.y),
        vec3(xy - w.z, 1.0 - (xx + zz), yz + w.x),
        vec3(xz + w.y, yz - w.x, 1.0 - (xx + yy)),
    );
}

// The rotation of modified Rodrigues parameters: the axis times the tangent of a quarter of the angle.
fn quat_from_mrp(p: vec3<f32>) -> vec4<f32> {
    let square = dot(p, p);
    return quat_from_mrp_unnormalized(p, square) * (1.0 / (1.0 + square));
}

// The same with the length `1 + p²`. `square` is p².
fn quat_from_mrp_unnormalized(p: vec3<f32>, square: f32) -> vec4<f32> {
    return vec4(2.0 * p, 1.0 - square);
}

// `b` or `-b`, whichever is in the hemisphere of `a`.
fn quat_aligned(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return select(b, -b, dot(a, b) < 0.0);
}

// Normalised linear interpolation between two unit quaternions, the short way.
fn quat_nlerp(a: vec4<f32>, b: vec4<f32>, f: f32) -> vec4<f32> {
    return normalize(mix(a, quat_aligned(a, b), f));
}

// Spherical linear interpolation between two unit quaternions, the short way.
fn quat_slerp(a: vec4<f32>, b: vec4<f32>, f: f32) -> vec4<f32> {
    let near = quat_aligned(a, b);
    let cosine = min(dot(a, near), 1.0);
    if cosine > 0.9995 {
        return normalize(mix(a, near, f));
    }
    let angle = acos(cosine);
    return (sin((1.0 - f) * angle) * a + sin(f * angle) * near) / sin(angle);
}

// The rotation of an orthonormal matrix, computed from its largest diagonal term.
fn quat_from_mat3(m: mat3x3<f32>) -> vec4<f32> {
    let x = m[0];
    let y = m[1];
    let z = m[2];
    var q: vec4<f32>;
    if z.z <= 0.0 {
        let difference = y.y - x.x;
        let rest = 1.0 - z.z;
        if difference <= 0.0 {
            q = vec4(rest - difference, x.y + y.x, x.z + z.x, y.z - z.y);
        } else {
            q = vec4(x.y + y.x, rest + difference, y.z + z.y, z.x - x.z);
        }
    } else {
        let sum = y.y + x.x;
        let rest = 1.0 + z.z;
        if sum <= 0.0 {
            q = vec4(x.z + z.x, y.z + z.y, rest - sum, x.y - y.x);
        } else {
            q = vec4(y.z - z.y, z.x - x.z, x.y - y.x, rest + sum);
        }
    }
    return normalize(q);
}
