"""Section 10: bone sets."""

from algebra import (affine, affine_of_dual, columns_of, columns_of_quat, compose, cross, dot, lerp, linear,
                    normalise, plus, quat_of_columns, quat_of_projected, slerp, times, translation_of, trs)
from grids import Grid, frame_pair, ranged
from presets import column_bytes, p0_box, p0_whole


class BoneGrid:
    def __init__(self, decoder):
        manifest = decoder.manifest
        layout = manifest["layout"]["bones"]
        self.code, self.interpolation = layout["code"], manifest["interpolation"]
        self.unit = manifest["axes"]["metres_per_unit"]
        self.grid = Grid(layout["grid"], decoder.textures)
        self.positions = layout.get("positions") and Grid(layout["positions"], decoder.textures)
        self.bones = layout["bones"]
        self.scale_range = layout["scale_range"]
        self.ranges = layout["ranges"] or [None]
        if manifest["metadata"] == "p0-column":
            rows, box = (2, p0_whole) if self.code == "dual-quaternion" else (3, p0_box)
            self.ranges = [box(column_bytes(decoder.textures[0], rows * b, rows)) for b in range(len(self.bones))]

    def pose(self, clip, t, model_from_joint):
        self.between(*frame_pair(clip, t), model_from_joint)

    def between(self, a, b, f, model_from_joint):
        for index, bone in enumerate(self.bones):
            m = self.mix(self.read(a, index, bone), self.read(b, index, bone), f)
            t = times(translation_of(m), self.unit)
            m = compose(linear(columns_of(m)), linear(columns_of_quat(bone["rotation"])))
            model_from_joint[bone["joint"]] = affine([times(c, bone["scale"]) for c in columns_of(m)], t)

    def read(self, frame, index, bone):
        """What is mixed, by the code: lists of numbers."""
        numbers = self.ranges[index if len(self.ranges) > 1 else 0]
        first = bone["first_value"]
        if self.code == "axis-planes":
            n = len(self.bones)
            theta, phi = self.grid.signed(frame, index), self.grid.signed(frame, n + index)
            t = self.positions.signed(frame, index) if self.positions else self.grid.signed(frame, 2 * n + index)
            return theta, phi, t
        if self.code == "axes":
            theta, phi, t = (self.grid.signed(frame, first // 4 + k)[:3] for k in range(3))
            return theta, phi, [ranged(x, numbers, k) for k, x in enumerate(t)]
        if self.code == "dual-quaternion":
            x = self.grid.numbers(frame, first, 8)
            return (x[:4] + [ranged(x[4 + k], numbers, k) for k in range(4)],)
        if self.code == "rotation-position":
            x = self.grid.numbers(frame, first, 9 if bone["has_scale"] else 6)
            scale = [ranged(y, self.scale_range, k) for k, y in enumerate(x[6:])] or [1.0] * 3
            return quat_of_projected(x[:3]), [ranged(x[3 + k], numbers, k) for k in range(3)], scale
        x = self.grid.numbers(frame, first, 12)
        t = [ranged(x[4 * k + 3], numbers, k) for k in range(3)]
        lines = [x[0:3], x[4:7], x[8:11]]
        return (affine(lines if self.code == "matrix-columns" else list(zip(*lines)), t),)

    def mix(self, a, b, f):
        if self.code in ("axes", "axis-planes"):
            theta, phi, t = (lerp(x, y, f) for x, y in zip(a, b))
            if self.interpolation == "nlerp":
                theta, phi = two_axes(theta, phi)
            return affine([theta, phi, cross(theta, phi)], t)
        if self.code == "dual-quaternion":
            return affine_of_dual(lerp(a[0], b[0], f))
        if self.code == "rotation-position":
            q, end = a[0], b[0]
            if self.interpolation == "slerp":
                q = slerp(q, end, f)
            else:
                q = normalise(lerp(q, times(end, -1) if dot(q, end) < 0 else end, f), q)
            return trs(lerp(a[1], b[1], f), q, lerp(a[2], b[2], f))
        return mixed_matrices(a[0], b[0], f) if self.interpolation == "slerp" else lerp(a[0], b[0], f)


def mixed_matrices(a, b, f):
    """Rotations by slerp, what is left of the linear parts and translations by themselves."""
    frames = [frame_of(m) for m in (a, b)]
    q = slerp(*(quat_of_columns(columns_of(frame)) for frame in frames), f)
    left = [compose(linear(list(zip(*columns_of(frame)))), linear(columns_of(m))) for frame, m in zip(frames, (a, b))]
    mixed = compose(linear(columns_of_quat(q)), lerp(*left, f))
    return affine(columns_of(mixed), lerp(translation_of(a), translation_of(b), f))


def frame_of(m):
    """The rotation with X along the first column and Y in the plane of the first two."""
    x, y = two_axes(*columns_of(m)[:2])
    return linear([x, y, cross(x, y)])


def two_axes(x, y):
    """Of unit length, the second turned to be orthogonal to the first."""
    x = normalise(x, (1, 0, 0))
    across = cross((0, 0, 1) if abs(x[2]) < 0.9 else (1, 0, 0), x)
    return x, normalise(plus(y, times(x, -dot(x, y))), normalise(across, across))
