/** A vector of three numbers. */
export type Vec3 = readonly [number, number, number];

/** A quaternion: x, y, z, w. */
export type Quat = readonly [number, number, number, number];

/** An affine transform: three rows of `L L L t`. */
export type Affine = readonly [
  number, number, number, number,
  number, number, number, number,
  number, number, number, number,
];

export const IDENTITY: Affine = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

export function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, x, k) => sum + x * b[k]!, 0);
}

export function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function add(a: Vec3, b: Vec3): Vec3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

export function scaled(a: Vec3, factor: number): Vec3 {
  return [a[0] * factor, a[1] * factor, a[2] * factor];
}

/** Interpolates number by number. */
export function lerp<V extends readonly number[]>(a: V, b: V, f: number): V {
  return a.map((x, k) => x + (b[k]! - x) * f) as unknown as V;
}

/** A vector of unit length in the same direction; `otherwise` where the length is 0. */
export function normalized<V extends readonly number[]>(v: V, otherwise: V): V {
  const length = Math.sqrt(dot(v, v));
  return length > 0 ? (v.map((x) => x / length) as unknown as V) : otherwise;
}

export function affineFromColumns(x: Vec3, y: Vec3, z: Vec3, t: Vec3): Affine {
  return [x[0], y[0], z[0], t[0], x[1], y[1], z[1], t[1], x[2], y[2], z[2], t[2]];
}

export function columnOf(m: Affine, column: 0 | 1 | 2 | 3): Vec3 {
  return [m[column]!, m[4 + column]!, m[8 + column]!];
}

/** Transforms a point (`w` 1) or a direction (0). */
export function transform(m: Affine, v: Vec3, w = 1): Vec3 {
  return [
    m[0] * v[0] + m[1] * v[1] + m[2] * v[2] + m[3] * w,
    m[4] * v[0] + m[5] * v[1] + m[6] * v[2] + m[7] * w,
    m[8] * v[0] + m[9] * v[1] + m[10] * v[2] + m[11] * w,
  ];
}

/** The product that applies `b` first. */
export function compose(a: Affine, b: Affine): Affine {
  return affineFromColumns(
    transform(a, columnOf(b, 0), 0),
    transform(a, columnOf(b, 1), 0),
    transform(a, columnOf(b, 2), 0),
    transform(a, columnOf(b, 3)),
  );
}

/** The linear part, each number multiplied by a factor; the translation is 0. */
export function scaledLinear(m: Affine, factor: number): Affine {
  return m.map((x, k) => (k % 4 === 3 ? 0 : x * factor)) as unknown as Affine;
}

/** The same with another translation. */
export function translated(m: Affine, t: Vec3): Affine {
  return affineFromColumns(columnOf(m, 0), columnOf(m, 1), columnOf(m, 2), t);
}

export function determinant(m: Affine): number {
  return dot(columnOf(m, 0), cross(columnOf(m, 1), columnOf(m, 2)));
}

/** Translation, rotation and scale; scale is applied first. */
export function affineFromTrs(t: Vec3, q: Quat, scale: Vec3): Affine {
  const [x, y, z] = columnsFromQuat(q);
  return affineFromColumns(scaled(x, scale[0]), scaled(y, scale[1]), scaled(z, scale[2]), t);
}

/** Transform of a column-major 4×4 matrix, as glTF stores them. */
export function affineFromMatrix(m: ArrayLike<number>, at = 0): Affine {
  const column = (c: number): Vec3 => [m[at + 4 * c]!, m[at + 4 * c + 1]!, m[at + 4 * c + 2]!];
  return affineFromColumns(column(0), column(1), column(2), column(3));
}

export function columnsFromQuat([x, y, z, w]: Quat): [Vec3, Vec3, Vec3] {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
    [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
    [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
  ];
}

/** The Hamilton product: rotates by `b` first. */
export function quatProduct(a: Quat, b: Quat): Quat {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

/** Quaternion of a rotation matrix. The largest component is positive. */
export function quatFromAffine(m: Affine): Quat {
  const [a, b, c] = columnOf(m, 0);
  const [d, e, f] = columnOf(m, 1);
  const [g, h, i] = columnOf(m, 2);
  let q: Quat;
  if (i <= 0) {
    q = e <= a ? [1 + a - e - i, b + d, c + g, f - h] : [b + d, 1 - a + e - i, f + h, g - c];
  } else {
    q = a + e <= 0 ? [c + g, f + h, 1 - a - e + i, b - d] : [f - h, g - c, b - d, 1 + a + e + i];
  }
  return normalized(q, [0, 0, 0, 1]);
}

/** Quaternion of modified Rodrigues parameters, which are `xyz / (1 + w)`. */
export function quatFromRodrigues(p: Vec3): Quat {
  const square = dot(p, p);
  const k = 1 / (1 + square);
  return [2 * p[0] * k, 2 * p[1] * k, 2 * p[2] * k, (1 - square) * k];
}

/** Interpolates along the shorter arc, at constant speed. */
export function slerp(a: Quat, b: Quat, f: number): Quat {
  let cosine = dot(a, b);
  const end: Quat = cosine < 0 ? (b.map((x) => -x) as unknown as Quat) : b;
  cosine = Math.abs(cosine);
  if (cosine > 1 - 1e-12) {
    return normalized(lerp(a, end, f), a);
  }
  const angle = Math.acos(cosine);
  const [from, to] = [Math.sin((1 - f) * angle) / Math.sin(angle), Math.sin(f * angle) / Math.sin(angle)];
  return a.map((x, k) => x * from + end[k]! * to) as unknown as Quat;
}

/** Interpolates on a straight line towards the nearer of `b` and `-b`, and normalises. */
export function nlerp(a: Quat, b: Quat, f: number): Quat {
  return normalized(lerp(a, dot(a, b) < 0 ? (b.map((x) => -x) as unknown as Quat) : b, f), a);
}

/** Transform of a dual quaternion whose real part has any length; the identity where that is 0. */
export function affineFromDual(real: Quat, dual: Quat): Affine {
  const length = Math.sqrt(dot(real, real));
  if (length === 0) {
    return IDENTITY;
  }
  const q = real.map((x) => x / length) as unknown as Quat;
  const conjugate: Quat = [-q[0], -q[1], -q[2], q[3]];
  const [x, y, z] = quatProduct(dual.map((n) => n / length) as unknown as Quat, conjugate);
  return affineFromColumns(...columnsFromQuat(q), [2 * x, 2 * y, 2 * z]);
}

/** A unit vector along `x`, and one along `y` made orthogonal to it. */
export function orthonormalAxes(x: Vec3, y: Vec3): [Vec3, Vec3] {
  const first = normalized(x, [1, 0, 0]);
  const across = cross(Math.abs(first[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0], first);
  const second = add(y, scaled(first, -dot(first, y)));
  return [first, normalized(second, normalized(across, across))];
}
