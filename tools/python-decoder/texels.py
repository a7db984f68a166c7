"""Section 3: textures, and how PNG, EXR and KTX2 hold them."""

import itertools
import math
import struct
import sys
import zlib


class Refused(Exception):
    """The set is not what the format says, or needs what this decoder does not have."""


# Channels, how `struct` has one, what it is divided by, KTX2's vkFormat, PNG's depth and colour type.
TEXELS = {
    "rgb8-unorm": (3, "B", 255, 23, (8, 2)),
    "rgba8-unorm": (4, "B", 255, 37, (8, 6)),
    "rg16-unorm": (2, "H", 65535, 77, (16, 4)),
    "rgb16-unorm": (3, "H", 65535, 84, (16, 2)),
    "rgba16-unorm": (4, "H", 65535, 91, (16, 6)),
    "rgba16-float": (4, "e", 1, 97, None),
    "rgb32-float": (3, "f", 1, 106, None),
    "rgba32-float": (4, "f", 1, 109, None),
    "r32-uint": (1, "I", 1, 98, (8, 6)),
}


class Texture:
    """The texels of one texture as they lie in memory."""

    def __init__(self, info, data):
        self.width = info["width"]
        self.channels, code, self.divisor, _, _ = TEXELS[info["texels"]]
        self.is_float = code in "ef"
        self.is_word = code == "I"
        self.texel = struct.Struct(f"<{self.channels}{code}")
        self.data = data
        texels = self.width * info["height"] * info["layers"]
        if len(data) != texels * self.texel.size:
            raise Refused(f"{info['name']}: {len(data)} bytes, not {texels} texels of {self.texel.size}")

    def raw(self, texel):
        return self.texel.unpack_from(self.data, texel * self.texel.size)

    def u(self, texel):
        return [x / self.divisor for x in self.raw(texel)]

    def signed(self, u):
        return u if self.is_float else 2 * u - 1

    def words(self):
        if not self.is_word:
            raise Refused("packed curves are words, r32-uint")
        return memoryview(self.data).cast("I") if sys.byteorder == "little" else [
            w for (w,) in self.texel.iter_unpack(self.data)]


def read_texture(folder, info):
    layers = [read_texture_file(folder / name, info) for name in info["files"]]
    return Texture(info, b"".join(layers))


def read_texture_file(path, info):
    data = path.read_bytes()
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        return read_png(data, info)
    if data[:4] == b"\x76\x2f\x31\x01":
        return read_exr(data, info)
    if data[:12] == b"\xabKTX 20\xbb\r\n\x1a\n":
        return read_ktx2(data, info)
    raise Refused(f"{path}: neither PNG, EXR nor KTX2")


def read_png(data, info):
    place, packed = 8, b""
    while place < len(data):
        size, kind = struct.unpack_from(">I4s", data, place)
        body = data[place + 8:place + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", body)
        if kind == b"IDAT":
            packed += body
        place += 12 + size
    if (width, height) != (info["width"], info["height"]) or interlaced:
        raise Refused(f"{info['name']}: PNG of {width} × {height}, or interlaced")
    if (depth, colour) != TEXELS[info["texels"]][4]:
        raise Refused(f"{info['name']}: PNG of {depth} bits, colour type {colour}, is not {info['texels']}")
    pixel = {2: 3, 4: 2, 6: 4}[colour] * depth // 8
    image = undo_png_filters(zlib.decompress(packed), width * pixel, height, pixel)
    if depth == 16:
        image[0::2], image[1::2] = image[1::2], image[0::2]
    return bytes(image)


def undo_png_filters(data, row_bytes, height, pixel):
    image = bytearray()
    above = bytearray(row_bytes)
    for start in range(0, height * (row_bytes + 1), row_bytes + 1):
        kind = data[start]
        line = bytearray(data[start + 1:start + 1 + row_bytes])
        for i in range(row_bytes if kind else 0):
            left = line[i - pixel] if i >= pixel else 0
            if kind == 1:
                guess = left
            elif kind == 2:
                guess = above[i]
            elif kind == 3:
                guess = (left + above[i]) // 2
            else:
                guess = paeth(left, above[i], above[i - pixel] if i >= pixel else 0)
            line[i] = (line[i] + guess) & 255
        image += line
        above = line
    return image


def paeth(left, up, corner):
    a, b, c = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    return left if a <= b and a <= c else up if b <= c else corner


def read_exr(data, info):
    attributes, place = {}, 8
    while data[place]:
        name_end = data.index(0, place)
        kind_end = data.index(0, name_end + 1)
        size, = struct.unpack_from("<i", data, kind_end + 1)
        attributes[data[place:name_end]] = data[kind_end + 5:kind_end + 5 + size]
        place = kind_end + 5 + size
    compression = attributes[b"compression"][0]
    window = struct.unpack("<4i", attributes[b"dataWindow"])
    width, height = info["width"], info["height"]
    if window != (0, 0, width - 1, height - 1):
        raise Refused(f"{info['name']}: EXR of data window {window}, not {width} × {height}")
    if compression not in (0, 2, 3):
        raise Refused(f"{info['name']}: EXR compression {compression}; none, ZIPS and ZIP are read")
    lines = 16 if compression == 3 else 1
    channels, code, *_ = TEXELS[info["texels"]]
    sample = struct.calcsize(code)
    row_bytes = width * channels * sample
    image = bytearray(height * row_bytes)
    for offset, in struct.iter_unpack("<Q", data[place + 1:place + 1 + 8 * math.ceil(height / lines)]):
        first, size = struct.unpack_from("<ii", data, offset)
        raw_size = min(lines, height - first) * row_bytes
        raw = data[offset + 8:offset + 8 + size]
        raw = raw if size == raw_size else undo_exr_zip(raw)
        for i in range(0, raw_size, row_bytes):
            row = interleaved(raw[i:i + row_bytes], channels, sample)
            image[first * row_bytes + i:first * row_bytes + i + row_bytes] = row
    return bytes(image)


def undo_exr_zip(data):
    d = bytes(itertools.accumulate(zlib.decompress(data), lambda a, b: (a + b - 128) & 255))
    raw = bytearray(len(d))
    half = (len(d) + 1) // 2
    raw[0::2], raw[1::2] = d[:half], d[half:]
    return raw


def interleaved(line, channels, sample):
    """A line of channels A, B, G, R, one after another, as texels R G B A."""
    row = bytearray(len(line))
    size = len(line) // channels
    for c in range(channels):
        plane = line[(channels - 1 - c) * size:][:size]
        for byte in range(sample):
            row[c * sample + byte::channels * sample] = plane[byte::sample]
    return row


def read_ktx2(data, info):
    vk_format, _, width, height, _, layers, _, _, scheme = struct.unpack_from("<9I", data, 12)
    if (width, height, max(layers, 1)) != (info["width"], info["height"], info["layers"]):
        raise Refused(f"{info['name']}: KTX2 of {width} × {height} × {layers}")
    if vk_format != TEXELS[info["texels"]][3]:
        raise Refused(f"{info['name']}: vkFormat {vk_format} is not {info['texels']}")
    if scheme != 0:
        raise Refused(f"{info['name']}: supercompressed KTX2; Python has no Zstandard, bake it without")
    offset, size = struct.unpack_from("<QQ", data, 80)
    return data[offset:offset + size]
