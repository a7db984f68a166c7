import { check } from './error.js';
import { TEXEL_BYTES, type TexelFormat } from './limits.js';
import type { TextureEntry } from './manifest.js';

const CHANNELS: Record<TexelFormat, number> = {
  'rgb8-unorm': 3,
  'rgba8-unorm': 4,
  'rg16-unorm': 2,
  'rgb16-unorm': 3,
  'rgba16-unorm': 4,
  'rgba16-float': 4,
  'rgb32-float': 3,
  'rgba32-float': 4,
  'r32-uint': 1,
};

/** The texels of one animation texture, layer by layer and row by row, without padding. */
export class Texels {
  readonly format: TexelFormat;
  readonly width: number;
  readonly height: number;
  readonly layers: number;
  readonly #view: DataView;
  /** Words of `r32-uint`; empty for other formats. */
  readonly words: Uint32Array;

  /** @param where - path or URL, for messages */
  constructor(entry: TextureEntry, readonly bytes: Uint8Array, where: string) {
    this.format = entry.texels as TexelFormat;
    this.width = entry.width;
    this.height = entry.height;
    this.layers = entry.layers;
    const expected = this.width * this.height * this.layers * TEXEL_BYTES[this.format];
    check(bytes.byteLength === expected, `${where}: the texture has ${bytes.byteLength} bytes, expected ${expected}: the file is truncated or damaged`);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.words = this.format === 'r32-uint' ? aligned(bytes) : new Uint32Array(0);
  }

  /** Number of texels. */
  get count(): number {
    return this.width * this.height * this.layers;
  }

  /** True for half floats and floats. */
  get isFloat(): boolean {
    return this.format.endsWith('-float');
  }

  /** Channel of a texel as a value: 0 to 1 for normalised formats. 0 past the end and for channels that the format lacks. */
  value(texel: number, channel: number): number {
    if (texel < 0 || texel >= this.count || channel >= CHANNELS[this.format]) {
      return 0;
    }
    const at = texel * TEXEL_BYTES[this.format];
    switch (this.format) {
      case 'rgb8-unorm':
      case 'rgba8-unorm':
        return this.#view.getUint8(at + channel) / 255;
      case 'rgba16-float':
        return halfToFloat(this.#view.getUint16(at + 2 * channel, true));
      case 'rgb32-float':
      case 'rgba32-float':
        return this.#view.getFloat32(at + 4 * channel, true);
      case 'r32-uint':
        return this.#view.getUint32(at, true);
      default:
        return this.#view.getUint16(at + 2 * channel, true) / 65535;
    }
  }

  /** Channel of a texel as a number from -1 to 1, or as the float that it is. */
  signed(texel: number, channel: number): number {
    const value = this.value(texel, channel);
    return this.isFloat ? value : 2 * value - 1;
  }
}

/** Words of little-endian bytes at any offset. */
function aligned(bytes: Uint8Array): Uint32Array {
  const copy = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Uint32Array(copy.buffer, copy.byteOffset, copy.byteLength >> 2);
}

/** Value of a half float. */
export function halfToFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) {
    return sign * fraction * 2 ** -24;
  }
  return exponent === 31 ? (fraction ? NaN : sign * Infinity) : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
