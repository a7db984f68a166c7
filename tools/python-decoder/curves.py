"""Section 12: compressed curves."""

import struct

from algebra import compose, normalise, plus, quat_of_projected, quat_product, times, trs, weighted


class Curves:
    def __init__(self, words, clip_table, count):
        self.words, self.clip_table, self.count = words, clip_table, count

    def float(self, word):
        return struct.unpack("<f", struct.pack("<I", self.words[word]))[0]

    def floats(self, word):
        return [self.float(word + k) for k in range(3)]

    def shorts(self, word, half):
        """Three signed 16-bit integers from half a word on, in units of 1/32768."""
        halves = [self.words[word + h // 2] >> 16 * (h % 2) & 0xffff for h in range(half, half + 3)]
        return [(h - 65536 if h >= 32768 else h) / 32768 for h in halves]

    def moment(self, clip, t):
        """The word of a clip's masks, that of a segment's header row, and the position in the segment, 0 to 1."""
        word = self.clip_table + 5 * clip
        place = min(max(t, 0), self.float(word + 3)) * self.float(word + 2)
        masks, present = self.words[word], self.words[word + 4]
        segment = min(int(place), self.words[word + 1] - 1)
        row_words = 2 * present + (present + 31) // 32
        return masks, masks + 2 * ((self.count + 31) // 32) + segment * row_words, min(place - segment, 1)

    def bits(self, first_word, bit, width):
        word, shift = first_word + bit // 32, bit % 32
        value = self.words[word] >> shift
        if shift + width > 32:
            value |= self.words[word + 1] << (32 - shift)
        return value & ((1 << width) - 1)

    def stored(self, first_word, bit, widths):
        """Three integers, each around the middle of its range."""
        key = []
        for width in widths:
            key.append(self.bits(first_word, bit, width) - (1 << width - 1) if width else 0)
            bit += width
        return key

    def curve(self, moment, curve):
        """The reference or None, the degree, the position in the span and the keys that matter; None for no curve."""
        masks, row, place = moment
        mask, before = self.words[masks + curve // 32 * 2], self.words[masks + curve // 32 * 2 + 1]
        if not mask >> curve % 32 & 1:
            return None
        rank = before + bin(mask & ((1 << curve % 32) - 1)).count("1")
        block = row + rank // 32 * 65
        a, b = (self.words[block + 1 + rank % 32 * 2 + k] for k in range(2))
        first = self.words[block]
        widths = [a & 31, a >> 5 & 31, a >> 10 & 31]
        residual_widths = [a >> 15 & 31, a >> 20 & 31, a >> 25 & 31]
        degree, offset, spans, step = a >> 30, b & 0x3ffff, (b >> 18 & 63) + 1, b >> 24 & 127
        reference = None
        if b >> 31:
            reference = [c / 512 for c in self.stored(first, offset, [10] * 3)]
            offset += 30
        count, size = spans + degree, (1 + -step % 4 / 4) * 2.0 ** -(4 + (step + 3) // 4)

        def key(k):
            bit = offset + k // 2 * (sum(widths) + sum(residual_widths)) + k % 2 * sum(widths)
            if k % 2 == 0 or k == count - 1:
                return self.stored(first, bit, widths)
            middle = [(x + y) / 2 for x, y in zip(key(k - 1), key(k + 1))]
            return plus(middle, self.stored(first, bit, residual_widths))

        along = place * spans
        span = min(int(along), spans - 1)
        return reference, degree, along - span, [times(key(span + k), size) for k in range(degree + 1)]

    def vector(self, moment, curve):
        found = self.curve(moment, curve)
        if found is None:
            return [0.0] * 3
        reference, degree, f, keys = found
        value = weighted(list(zip(spline_weights(degree, f), keys)))
        return plus(reference, value) if reference else value

    def rotation(self, moment, curve, constant):
        found = self.curve(moment, curve)
        if found is None:
            return constant
        reference, degree, f, keys = found
        keys = [quat_of_projected(key) for key in keys]
        weights = spline_weights(degree, f)
        if degree == 1:
            cosine = min(max(sum(x * y for x, y in zip(*keys)), 0), 1)
            second = slerp_weight(cosine, f)
            weights = [1 - second, second]
        value = normalise(weighted(list(zip(weights, keys))), (0, 0, 0, 1))
        return quat_product(quat_of_projected(reference) if reference else constant, value)


def slerp_weight(cosine, f):
    u, h = 1 - cosine, f - 0.5
    a = u * (-0.07579292 + 0.8732116 * u)
    b = u * (0.6748337 + u * (0.09039828 + 0.09375652 * u))
    return f + f * h * (f - 1) * (a * h * h + b)


def spline_weights(degree, f):
    g = 1 - f
    return [
        [1.0],
        [g, f],
        [g * g / 2, 0.5 + f * g, f * f / 2],
        [g ** 3 / 6, (4 - 3 * f * f * (1 + g)) / 6, (4 - 3 * g * g * (1 + f)) / 6, f ** 3 / 6],
    ][degree]


class JointCurves:
    def __init__(self, decoder):
        layout = decoder.manifest["layout"]["joint-curves"]
        self.clips, self.layout = decoder.manifest["clips"], layout
        words = decoder.textures[layout["texture"]].words()
        self.curves = Curves(words, layout["clip_table"], layout["curves"])

    def pose(self, clip, t, model_from_joint):
        c, moment, models = self.curves, self.curves.moment(self.clips.index(clip), t), []
        size = self.layout["record_words"]
        channels = 3 if size in (6, 12) else 2
        for record, joint in enumerate(self.layout["bones"]):
            word, curve = self.layout["joint_table"] + record * size, record * channels
            head, scale = c.words[word], [1.0] * 3
            if size in (4, 6):
                translation = times(c.shorts(word, 2), 2.0 ** ((head >> 24) - 127))
                rotation = c.shorts(word, 5)
                if channels == 3:
                    tail = c.words[word + 5]
                    scale = times(c.shorts(word, 8), 2.0 ** ((tail >> 24) - 127))
            else:
                translation, rotation = c.floats(word + 1), c.floats(word + 4)
                if channels == 3:
                    tail, scale = c.words[word + 7], c.floats(word + 8)
            extent = 2.0 ** ((head >> 16 & 255) - 127)
            rotation = c.rotation(moment, curve, quat_of_projected(rotation))
            translation = plus(translation, times(c.vector(moment, curve + 1), extent))
            if channels == 3:
                extent = 2.0 ** ((tail >> 16 & 255) - 127)
                scale = plus(scale, times(c.vector(moment, curve + 2), extent))
            local, parent = trs(translation, rotation, scale), head & 0xffff
            models.append(compose(models[parent - 1], local) if parent else local)
            model_from_joint[joint] = models[-1]


class VertexCurves:
    def __init__(self, decoder):
        self.layout = layout = decoder.manifest["layout"]["vertex-curves"]
        self.clips = decoder.manifest["clips"]
        words = decoder.textures[layout["texture"]].words()
        self.curves = Curves(words, layout["clip_table"], layout["positions"] + layout["normals"])

    def at(self, clip, t):
        moment = self.curves.moment(self.clips.index(clip), t)
        return (lambda i: plus(self.layout["center"], times(self.curves.vector(moment, i), self.layout["scale"])),
                lambda j: normalise(self.curves.vector(moment, self.layout["positions"] + j), (0, 1, 0)))
