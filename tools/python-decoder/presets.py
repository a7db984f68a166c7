"""Section 16: ranges in the first column."""

import math


def column_bytes(texture, first_row, rows):
    """Bytes of column 0, through the channels of a texel, then down the rows."""
    return [byte for row in range(first_row, first_row + rows) for byte in texture.raw(row * texture.width)]


def p0_box(b):
    decimals = [b[3 + k] / 255 * 2 - 1 for k in range(3)]
    return {"center": [math.copysign(b[k], decimals[k]) + decimals[k] for k in range(3)],
            "half_extent": [b[6 + k] + b[9 + k] / 255 for k in range(3)]}


def p0_whole(b):
    return {"center": [b[k] - 128 for k in range(4)], "half_extent": b[4:8]}
