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

    def moment(self, clip, t):
        """The word of a segment's header row, and the place in the segment, 0 to 1."""
        word = self.clip_table + 4 * clip
        place = min(max(t, 0), self.float(word + 3)) * self.float(word + 2)
        segment = min(int(place), self.words[word + 1] - 1)
        row_words = 3 * self.count + (self.count + 63) // 64
        return self.words[word] + segment * row_words, min(place - segment, 1)

    def bits(self, first_word, bit, width):
        word, shift = first_word + bit // 32, bit % 32
        value = self.words[word] >> shift
        if shift + width > 32:
            value |= self.words[word + 1] << (32 - shift)
        return value & ((1 << width) - 1)

    def curve(self, moment, curve):
        """The reference, and (weight, key) of the keys that matter."""
        row, place = moment
        block = row + curve // 64 * 193
        a, b, c = (self.words[block + 1 + curve % 64 * 3 + k] for k in range(3))
        reference = [(u - 32768) / 32768 for u in (a & 65535, a >> 16, b & 65535)]
        widths = [b >> 16 & 31, b >> 21 & 31, b >> 26 & 31]
        offset, spans, degree, step = c & 0x7ffff, (c >> 19 & 63) + 1, c >> 25 & 3, c >> 27
        along = place * spans
        span = min(int(along), spans - 1)
        keys = []
        for k, weight in enumerate(spline_weights(degree, along - span)):
            bit, key = offset + (span + k) * sum(widths), []
            for width in widths:
                whole = self.bits(self.words[block], bit, width) - (1 << width - 1) if width else 0
                key.append(whole * 2.0 ** -(step + 4))
                bit += width
            keys.append((weight, key))
        return reference, keys

    def vector(self, moment, curve):
        reference, keys = self.curve(moment, curve)
        return plus(reference, weighted(keys))

    def rotation(self, moment, curve):
        reference, keys = self.curve(moment, curve)
        turned = normalise(weighted([(w, quat_of_projected(key)) for w, key in keys]), (0, 0, 0, 1))
        return quat_product(quat_of_projected(reference), turned)


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
        for record, joint in enumerate(self.layout["bones"]):
            word = self.layout["joint_table"] + record * self.layout["record_words"]
            head, flags = c.words[word], c.words[word + 1]
            curve = flags & 0x1fffffff
            translation, rotation = c.floats(word + 2), quat_of_projected(c.floats(word + 5))
            scale = c.floats(word + 8) if self.layout["record_words"] == 12 else [1.0] * 3
            if flags >> 29 & 1:
                rotation = c.rotation(moment, curve)
                curve += 1
            if flags >> 30 & 1:
                translation = plus(translation, times(c.vector(moment, curve), 2.0 ** ((head >> 24) - 127)))
                curve += 1
            if flags >> 31:
                scale = plus(scale, times(c.vector(moment, curve), c.float(word + 11)))
            local, parent = trs(translation, rotation, scale), head & 0xffffff
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
