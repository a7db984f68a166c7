"""Section 9: vertex sets."""

import math

from algebra import lerp, normalise, times
from grids import Grid, frame_pair, ranged
from presets import column_bytes, p0_box


class VertexGrids:
    def __init__(self, decoder):
        layout = decoder.manifest["layout"]["vertices"]
        self.rays = decoder.manifest["encoding"] == "vertex-ray"
        self.unit = decoder.manifest["axes"]["metres_per_unit"]
        self.positions = Grid(layout["positions"], decoder.textures)
        self.normals = Grid(layout["normals"], decoder.textures)
        self.octahedral = layout["normal_code"] == "octahedral"
        self.range = layout["range"]
        if decoder.manifest["metadata"] == "p0-column":
            self.range = p0_box(column_bytes(decoder.textures[0], 2, 4))

    def at(self, clip, t):
        return lambda i: self.offset(frame_pair(clip, t), i), lambda j: self.normal(frame_pair(clip, t), j)

    def offset(self, pair, i):
        a, b, f = pair
        return times(lerp(self.offset_at(a, i), self.offset_at(b, i), f), self.unit)

    def offset_at(self, frame, i):
        x = self.positions.signed(frame, i)
        if not self.rays:
            return [ranged(x[k], self.range, k) for k in range(3)]
        length = self.positions.u(frame, i)[3]
        return [ranged(d * length, self.range, k) for k, d in enumerate(normalise(x[:3], (0, 0, 0)))]

    def normal(self, pair, j):
        a, b, f = pair
        first = self.normal_at(a, j)
        return normalise(lerp(first, self.normal_at(b, j), f), first if self.octahedral else (0, 1, 0))

    def normal_at(self, frame, j):
        x, y, *rest = self.normals.signed(frame, j)
        if not self.octahedral:
            return [x, y, rest[0]]
        z = 1 - abs(x) - abs(y)
        fold = max(-z, 0)
        return normalise([x - math.copysign(fold, x), y - math.copysign(fold, y), z], (0, 1, 0))
