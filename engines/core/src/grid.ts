import type { GridEntry, Range } from './manifest.js';
import type { Texels } from './texels.js';

/** Texels of frames: see docs/format.md, section 7. */
export class Grid {
  constructor(readonly entry: GridEntry, readonly texels: Texels) {}

  /** Index of the texel of an item. Frames are counted over all clips. */
  texel(frame: number, item: number): number {
    const { entry } = this;
    if (entry.order === 'rows') {
      const row = entry.first_row + frame * entry.rows_per_frame + Math.floor(item / entry.columns);
      return row * this.texels.width + entry.first_column + (item % entry.columns);
    }
    let [column, row, page] = [frame, item, 0];
    if (entry.pages) {
      const { frame_starts: frames, item_starts: items, rows } = entry.pages;
      const [clip, mesh] = [runOf(frames, frame), runOf(items, item)];
      column -= frames[clip]!;
      row -= items[mesh]!;
      page = (clip * items.length + mesh) * rows;
    }
    return (page + entry.first_row + row) * this.texels.width + entry.first_column + column;
  }

  /** Value `n` of a frame, four values per texel: -1 to 1, or a float. */
  value(frame: number, n: number): number {
    return this.texels.signed(this.texel(frame, n >> 2), n & 3);
  }
}

/** Index of the last start that is not above a number. */
function runOf(starts: readonly number[], number: number): number {
  let index = starts.length - 1;
  while (index > 0 && starts[index]! > number) {
    index--;
  }
  return index;
}

/** Value of a component of a range; `x` is from -1 to 1. */
export function ranged(x: number, range: Range | null, component: number): number {
  return range === null ? x : range.center[component]! + range.half_extent[component]! * x;
}
