"""EXT_meshopt_compression: vertex attributes of version 0, triangles and index sequences."""

import struct

from texels import Refused


def decode(stream, count, stride, mode):
    """The bytes of a compressed buffer view."""
    if mode == "ATTRIBUTES":
        return vertices(stream, count, stride)
    indices = {"TRIANGLES": triangles, "INDICES": sequence}[mode](stream, count)
    return struct.pack(f"<{count}{'H' if stride == 2 else 'I'}", *indices)


def check(stream, header):
    if stream[0] != header:
        raise Refused(f"a meshopt stream that starts with {stream[0]:#x}, not {header:#x}")


def vertices(stream, count, stride):
    check(stream, 0xa0)
    last = bytearray(stream[len(stream) - stride:])
    out = bytearray(count * stride)
    at = 1
    per_block = min(256, 8192 // stride // 16 * 16)
    for first in range(0, count, per_block):
        size = min(per_block, count - first)
        groups = -(-size // 16)
        for lane in range(stride):
            widths = stream[at:at + -(-groups // 4)]
            at += len(widths)
            deltas = []
            for group in range(groups):
                values, at = byte_group(stream, at, widths[group // 4] >> 2 * (group % 4) & 3)
                deltas += values
            for v in range(size):
                last[lane] = last[lane] + (deltas[v] >> 1 ^ -(deltas[v] & 1)) & 255
                out[(first + v) * stride + lane] = last[lane]
    return bytes(out)


def byte_group(stream, at, code):
    """16 bytes of 0, 2, 4 or 8 bits each; the largest value means that a byte follows."""
    if code == 0:
        return [0] * 16, at
    if code == 3:
        return list(stream[at:at + 16]), at + 16
    width = 2 * code
    per_byte, most = 8 // width, (1 << width) - 1
    packed, at = stream[at:at + 2 * width], at + 2 * width
    values = []
    for i in range(16):
        value = packed[i // per_byte] >> 8 - width * (i % per_byte + 1) & most
        if value == most:
            value, at = stream[at], at + 1
        values.append(value)
    return values, at


class Integers:
    def __init__(self, stream, at):
        self.stream, self.at, self.last = stream, at, 0

    def byte(self):
        self.at += 1
        return self.stream[self.at - 1]

    def varint(self):
        value = 0
        for shift in range(0, 35, 7):
            byte = self.byte()
            value |= (byte & 127) << shift
            if byte < 128:
                break
        return value & 0xffffffff

    def index(self):
        self.last += unzigzag(self.varint())
        return self.last


def unzigzag(value):
    return value >> 1 ^ -(value & 1)


def sequence(stream, count):
    check(stream, 0xd1)
    data, last, out = Integers(stream, 1), [0, 0], []
    for _ in range(count):
        value = data.varint()
        last[value & 1] += unzigzag(value >> 1)
        out.append(last[value & 1])
    return out


def triangles(stream, count):
    check(stream, 0xe1)
    count //= 3
    codes, pairs, data = stream[1:1 + count], stream[-16:], Integers(stream, 1 + count)
    edges, recent, out = [(0, 0)] * 16, [0] * 16, []
    following = 0

    def new():
        nonlocal following
        following += 1
        return following - 1

    for code in codes:
        if code < 0xf0:
            a, b = edges[-1 - (code >> 4)]
            code &= 15
            if code in (13, 14):
                data.last += -1 if code == 13 else 1
            c = new() if code == 0 else recent[-1 - code] if code < 13 else data.last if code < 15 else data.index()
            if code == 0 or code >= 13:
                recent.append(c)
        else:
            pair = pairs[code & 15] if code < 0xfe else data.byte()
            if code >= 0xfe and pair == 0:
                following = 0
            kinds = [15 if code == 0xff else 0, pair >> 4, pair & 15]
            corners = [new() if kind == 0 else None if kind == 15 else recent[-kind] for kind in kinds]
            a, b, c = (data.index() if corner is None else corner for corner in corners)
            recent += [v for v, kind in zip((a, b, c), kinds) if kind in (0, 15)]
            edges.append((b, a))
        edges += [(c, b), (a, c)]
        out += [a, b, c]
    return out
