import { check, ThrongError } from './error.js';
import { TEXEL_BYTES, type TexelFormat } from './limits.js';
import type { TextureEntry } from './manifest.js';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Bit depth and colour type of each format that a PNG can hold. */
const FORMATS: Partial<Record<TexelFormat, readonly [depth: number, color: number]>> = {
  'rgb8-unorm': [8, 2],
  'rgba8-unorm': [8, 6],
  'rg16-unorm': [16, 4],
  'rgb16-unorm': [16, 2],
  'rgba16-unorm': [16, 6],
  'r32-uint': [8, 6],
};

/**
 * Returns the texels of one layer of a texture that is stored as PNG. Texels are data, so the image decoder of the
 * browser, which may convert colours, is not used.
 */
export async function readPng(file: Uint8Array, entry: TextureEntry, where: string): Promise<Uint8Array> {
  check(SIGNATURE.every((byte, at) => file[at] === byte), `${where}: this is not a PNG file, or it is truncated`);
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const format = entry.texels as TexelFormat;
  const [depth, color] = FORMATS[format] ?? [0, 0];
  const packed: Uint8Array[] = [];
  let isWhole = false;
  for (let at = 8; at + 12 <= file.byteLength; ) {
    const length = view.getUint32(at);
    const kind = String.fromCharCode(...file.subarray(at + 4, at + 8));
    const data = file.subarray(at + 8, at + 8 + length);
    if (kind === 'IHDR') {
      const found = [view.getUint32(at + 8), view.getUint32(at + 12), data[8], data[9], data[12]];
      const expected = [entry.width, entry.height, depth, color, 0];
      check(found.join() === expected.join(), `${where}: width, height, depth, colour type and interlace are ${found.join(', ')}, expected ${expected.join(', ')}`);
    } else if (kind === 'IDAT') {
      packed.push(data);
    }
    isWhole ||= kind === 'IEND';
    at += 12 + length;
  }
  check(isWhole, `${where}: the PNG file is truncated`);
  const stride = entry.width * TEXEL_BYTES[format];
  const data = await inflate(packed, (stride + 1) * entry.height, where);
  const rows = unfiltered(data, { stride, height: entry.height, bytesPerTexel: TEXEL_BYTES[format] });
  if (depth === 16) {
    swapBytes(rows);
  }
  return rows;
}

/** Decompresses exactly as many bytes as are expected. Stops where there are more. */
async function inflate(chunks: Uint8Array[], expected: number, where: string): Promise<Uint8Array> {
  const out = new Uint8Array(expected);
  let length = 0;
  try {
    const reader = new Blob(chunks as BlobPart[]).stream().pipeThrough(new DecompressionStream('deflate')).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (length + next.value.byteLength > expected) {
        length = Infinity;
        await reader.cancel();
        break;
      }
      out.set(next.value, length);
      length += next.value.byteLength;
    }
  } catch (error) {
    throw new ThrongError(`${where}: the image data are damaged (${error instanceof Error ? error.message : String(error)})`);
  }
  check(length === expected, `${where}: the image has ${length === Infinity ? 'more' : length} bytes, expected ${expected}`);
  return out;
}

function unfiltered(data: Uint8Array, { stride, height, bytesPerTexel }: { stride: number; height: number; bytesPerTexel: number }): Uint8Array {
  const out = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = data[y * (stride + 1)]!;
    const from = y * (stride + 1) + 1;
    const to = y * stride;
    for (let x = 0; x < stride; x++) {
      const left = x >= bytesPerTexel ? out[to + x - bytesPerTexel]! : 0;
      const above = y > 0 ? out[to + x - stride]! : 0;
      const corner = y > 0 && x >= bytesPerTexel ? out[to + x - stride - bytesPerTexel]! : 0;
      out[to + x] = data[from + x]! + predicted(filter, left, above, corner);
    }
  }
  return out;
}

/** Prediction of a byte by one of the five filters of PNG. */
function predicted(filter: number, left: number, above: number, corner: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    case 4: {
      const [toLeft, toAbove, toCorner] = [above - corner, left - corner, left + above - 2 * corner].map(Math.abs) as [number, number, number];
      return toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner;
    }
    default:
      return 0;
  }
}

/** 16-bit samples are big-endian in a PNG, and little-endian in memory. */
function swapBytes(bytes: Uint8Array): void {
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    [bytes[at], bytes[at + 1]] = [bytes[at + 1]!, bytes[at]!];
  }
}
