// Quaternions as xyzw.

fn quat_mul(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4(
        a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz),
        a.w * b.w - dot(a.xyz, b.xyz),
    );
}

// What a quaternion of any length is multiplied by twice, to stand for a turn: 2 over its length squared, and nothing
// where it is next to nothing, which is then no turn.
fn quat_double(q: vec4<f32>) -> f32 {
    let square = dot(q, q);
    return select(2.0 / square, 0.0, square < 1e-24);
}

// Of a quaternion of any length.
fn mat3_from_quat(q: vec4<f32>) -> mat3x3<f32> {
    return mat3_from_doubled(q, quat_double(q));
}

fn mat3_from_doubled(q: vec4<f32>, twice: f32) -> mat3x3<f32> {
    let double = q.xyz * twice;
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

// The sign of `b` that lies in the hemisphere of `a`.
fn quat_aligned(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return select(b, -b, dot(a, b) < 0.0);
}

// Between two unit quaternions, the short way, brought back to unit length.
fn quat_nlerp(a: vec4<f32>, b: vec4<f32>, f: f32) -> vec4<f32> {
    return normalize(mix(a, quat_aligned(a, b), f));
}

// Between two unit quaternions, the short way, at an even speed.
fn quat_slerp(a: vec4<f32>, b: vec4<f32>, f: f32) -> vec4<f32> {
    let near = quat_aligned(a, b);
    let cosine = min(dot(a, near), 1.0);
    if cosine > 0.9995 {
        return normalize(mix(a, near, f));
    }
    let angle = acos(cosine);
    return (sin((1.0 - f) * angle) * a + sin(f * angle) * near) / sin(angle);
}

// The rotation of an orthonormal matrix, from its largest diagonal term.
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
