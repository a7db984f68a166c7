import { texelKind, type TexelKind } from './deform.js';
import { TEXEL_BYTES } from './limits.js';
import type { Texels } from './texels.js';

/** Formats of textures on the device. Browsers have no 16-bit normalised formats, and most devices none of three channels. */
export type DeviceFormat = 'rgba8unorm' | 'rgba16uint' | 'rgba16float' | 'rgba32float' | 'r32uint' | 'rgba32uint';

/** Texels in a format of the device. */
export interface DeviceTexels {
  readonly format: DeviceFormat;
  readonly width: number;
  readonly height: number;
  readonly layers: number;
  /** Row by row and layer by layer, without padding. */
  readonly bytes: Uint8Array;
}

const FORMATS: Record<Texels['format'], DeviceFormat> = {
  'rgb8-unorm': 'rgba8unorm',
  'rgba8-unorm': 'rgba8unorm',
  'rg16-unorm': 'rgba8unorm',
  'rgb16-unorm': 'rgba16uint',
  'rgba16-unorm': 'rgba16uint',
  'rgba16-float': 'rgba16float',
  'rgb32-float': 'rgba32float',
  'rgba32-float': 'rgba32float',
  'r32-uint': 'r32uint',
};

/** Converts a texture for shaders that read texels of a kind. Bytes stay as they are, except for padding. */
export function deviceTexels(texels: Texels, kind: TexelKind = texelKind(texels.format)): DeviceTexels {
  const { width, height, layers, format, bytes } = texels;
  if (kind === 'pairs') {
    const pairs = Math.ceil(width / 2);
    return { format: 'rgba32uint', width: pairs, height, layers, bytes: padded(bytes, 8 * width, 16 * pairs, 0) };
  }
  const size = TEXEL_BYTES[format];
  const isThreeChannels = format.startsWith('rgb') && !format.startsWith('rgba');
  return {
    format: FORMATS[format],
    width,
    height,
    layers,
    bytes: isThreeChannels ? padded(bytes, size, (size / 3) * 4, format === 'rgb8-unorm' ? 255 : 0) : bytes,
  };
}

/** Pads each chunk of `length` bytes to `paddedLength`. */
function padded(bytes: Uint8Array, length: number, paddedLength: number, value: number): Uint8Array {
  if (length === paddedLength) {
    return bytes;
  }
  const chunks = bytes.byteLength / length;
  const out = new Uint8Array(chunks * paddedLength).fill(value);
  for (let k = 0; k < chunks; k++) {
    out.set(bytes.subarray(k * length, (k + 1) * length), k * paddedLength);
  }
  return out;
}
