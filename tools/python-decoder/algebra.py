"""Section 2: vectors, quaternions, transforms.

Vectors are lists. An affine transform is 12 numbers, three rows of `L L L t`. Quaternions are x, y, z, w; a dual
quaternion is eight numbers, real before dual.
"""

import math


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def lerp(a, b, f):
    return [x + (y - x) * f for x, y in zip(a, b)]


def times(a, s):
    return [x * s for x in a]


def plus(a, b):
    return [x + y for x, y in zip(a, b)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def normalise(v, otherwise):
    length = math.sqrt(dot(v, v))
    return [x / length for x in v] if length > 0 else list(otherwise)


def affine(columns, t):
    x, y, z = columns
    return [x[0], y[0], z[0], t[0], x[1], y[1], z[1], t[1], x[2], y[2], z[2], t[2]]


def columns_of(m):
    return [m[0::4], m[1::4], m[2::4]]


def translation_of(m):
    return m[3::4]


def transform(m, v, w=1.0):
    """A point with `w` 1, a direction with 0."""
    return [m[r] * v[0] + m[r + 1] * v[1] + m[r + 2] * v[2] + m[r + 3] * w for r in (0, 4, 8)]


def compose(a, b):
    return affine([transform(a, c, 0.0) for c in columns_of(b)], transform(a, translation_of(b)))


def weighted(matrices):
    """The sum of (weight, matrix) pairs, number by number."""
    return [sum(numbers) for numbers in zip(*(times(m, w) for w, m in matrices))]


def cofactors(m):
    x, y, z = columns_of(m)
    return [cross(y, z), cross(z, x), cross(x, y)]


def inverse(m):
    """None where there is none."""
    x, _, _ = columns_of(m)
    rows = cofactors(m)
    det = dot(x, rows[0])
    if det == 0 or not math.isfinite(1 / det):
        return None
    linear = affine(list(zip(*(times(r, 1 / det) for r in rows))), [0, 0, 0])
    return affine(columns_of(linear), times(transform(linear, translation_of(m)), -1))


def quat_product(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz]


def conjugate(q):
    return [-q[0], -q[1], -q[2], q[3]]


def columns_of_quat(q):
    x, y, z, w = q
    return [[1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
            [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
            [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)]]


def quat_of_columns(columns):
    """The signs are those at the end of section 13."""
    (a, b, c), (d, e, f), (g, h, i) = columns
    if i <= 0:
        if e <= a:
            q = [1 + a - e - i, b + d, c + g, f - h]
        else:
            q = [b + d, 1 - a + e - i, f + h, g - c]
    elif a + e <= 0:
        q = [c + g, f + h, 1 - a - e + i, b - d]
    else:
        q = [f - h, g - c, b - d, 1 + a + e + i]
    return normalise(q, (0, 0, 0, 1))


def quat_of_projected(s):
    """Of xyz / (1 + w), which is also modified Rodrigues parameters."""
    square = dot(s, s)
    return [2 * x / (1 + square) for x in s] + [(1 - square) / (1 + square)]


def slerp(a, b, f):
    """The short way."""
    cosine = dot(a, b)
    if cosine < 0:
        b, cosine = times(b, -1), -cosine
    if cosine > 1 - 1e-12:
        return normalise(lerp(a, b, f), a)
    angle = math.acos(cosine)
    return plus(times(a, math.sin((1 - f) * angle) / math.sin(angle)), times(b, math.sin(f * angle) / math.sin(angle)))


def slerp_positions(a, b, f):
    """Along the arc about the origin, section 13."""
    lengths = math.sqrt(dot(a, a)), math.sqrt(dot(b, b))
    product, across = lengths[0] * lengths[1], cross(a, b)
    sine = math.sqrt(dot(across, across)) / product if product else 0
    if sine <= 0.00001:
        return lerp(a, b, f)
    angle = math.atan2(sine, dot(a, b) / product)
    length = lengths[0] + (lengths[1] - lengths[0]) * f
    first, second = (length * math.sin(part * angle) / sine for part in (1 - f, f))
    return plus(times(a, first / lengths[0]), times(b, second / lengths[1]))


def trs(translation, rotation, scale):
    return affine([times(c, s) for c, s in zip(columns_of_quat(rotation), scale)], translation)


def linear(a):
    """A 3 × 3 matrix of three columns as an affine transform."""
    return affine(a, [0.0, 0.0, 0.0])


def determinant(m):
    x, y, z = columns_of(m)
    return dot(x, cross(y, z))


def affine_of_dual(d):
    """Of eight numbers whose first four are not of unit length yet; the identity where they have none."""
    length = math.sqrt(dot(d[:4], d[:4]))
    if length == 0:
        return linear([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    real, dual = times(d[:4], 1 / length), times(d[4:], 1 / length)
    return affine(columns_of_quat(real), times(quat_product(dual, conjugate(real))[:3], 2))
