/** Bytes per texel of each format of docs/format.md, section 3. */
export const TEXEL_BYTES = {
  'rgb8-unorm': 3,
  'rgba8-unorm': 4,
  'rg16-unorm': 4,
  'rgb16-unorm': 6,
  'rgba16-unorm': 8,
  'rgba16-float': 8,
  'rgb32-float': 12,
  'rgba32-float': 16,
  'r32-uint': 4,
} as const;

export type TexelFormat = keyof typeof TEXEL_BYTES;

/** Integer fields of a grid. */
export const GRID_FIELDS = ['items', 'first_column', 'first_row', 'columns', 'rows_per_frame'] as const;

/** Texels per row of textures that are indexed as one array: tables, palettes and instances. */
export const TABLE_COLUMNS = 2048;
