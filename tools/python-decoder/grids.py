"""Sections 6 to 8: time, grids, numbers."""

import bisect


def frame_pair(clip, t):
    """The frames before and after, counted through all clips, and how far it is between them."""
    last = clip["frames"] - 1
    place = min(max(t * clip["rate_hz"], 0), last)
    index = min(int(place), max(last - 1, 0))
    return clip["first_frame"] + index, clip["first_frame"] + min(index + 1, last), place - index


def time_in_clip(clip, t):
    duration = clip["duration_secs"]
    if clip["loop"] == "wrap" and duration > 0:
        return t % duration
    return min(max(t, 0), duration)


def ranged(x, numbers, k):
    """`x` is `signed(u)` already; `numbers` is a range or None."""
    return x if numbers is None else numbers["center"][k] + numbers["half_extent"][k] * x


def within(starts, number):
    """The run that contains a number, and how far it is from the start of the run."""
    index = bisect.bisect_right(starts, number) - 1
    return index, number - starts[index]


class Grid:
    def __init__(self, grid, textures):
        self.grid, self.texture = grid, textures[grid["texture"]]

    def texel(self, frame, item):
        g = self.grid
        if g["order"] == "columns":
            pages = g.get("pages")
            page = 0
            if pages:
                clip, frame = within(pages["frame_starts"], frame)
                mesh, item = within(pages["item_starts"], item)
                page = (clip * len(pages["item_starts"]) + mesh) * pages["rows"]
            column, row = g["first_column"] + frame, page + g["first_row"] + item
        else:
            column = g["first_column"] + item % g["columns"]
            row = g["first_row"] + frame * g["rows_per_frame"] + item // g["columns"]
        return row * self.texture.width + column

    def u(self, frame, item):
        return self.texture.u(self.texel(frame, item))

    def signed(self, frame, item):
        return [self.texture.signed(u) for u in self.u(frame, item)]

    def numbers(self, frame, first, count):
        """Numbers `first` on, four a texel, as `signed` has them."""
        items = range(first // 4, (first + count + 3) // 4)
        found = [x for i in items for x in self.signed(frame, i)]
        return found[first % 4:][:count]
