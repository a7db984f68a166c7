import { decompress } from 'fzstd';
import { check, ThrongError } from './error.js';
import { TEXEL_BYTES, type TexelFormat } from './limits.js';
import type { TextureEntry } from './manifest.js';

const IDENTIFIER = [0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a];

const VK_FORMATS: Record<TexelFormat, number> = {
  'rgb8-unorm': 23,
  'rgba8-unorm': 37,
  'rg16-unorm': 77,
  'rgb16-unorm': 84,
  'rgba16-unorm': 91,
  'rgba16-float': 97,
  'rgb32-float': 106,
  'rgba32-float': 109,
  'r32-uint': 98,
};

/** Bytes of the header, up to the end of the first entry of the level index. */
const HEADER_BYTES = 104;

/**
 * Returns the texels of a KTX2 file, all layers, without padding. The file has one level, plain or compressed by
 * Zstandard, and the format and size that the manifest states.
 */
export function readKtx2(file: Uint8Array, entry: TextureEntry, where: string): Uint8Array {
  check(file.byteLength >= HEADER_BYTES && IDENTIFIER.every((byte, at) => file[at] === byte), `${where}: this is not a KTX2 file, or it is truncated`);
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const word = (at: number) => view.getUint32(at, true);
  const format = entry.texels as TexelFormat;
  check(word(12) === VK_FORMATS[format], `${where}: vkFormat is ${word(12)}, expected ${VK_FORMATS[format]} (${format})`);
  const size = [word(20), word(24), Math.max(word(32), 1)];
  const expectedSize = [entry.width, entry.height, entry.layers];
  check(size.join() === expectedSize.join(), `${where}: the size is ${size.join(' × ')}, expected ${expectedSize.join(' × ')}`);
  const scheme = word(44);
  check(scheme === 0 || scheme === 2, `${where}: supercompression scheme ${scheme} is unsupported; expected 0 (none) or 2 (Zstandard)`);
  const [offset, length] = [Number(view.getBigUint64(80, true)), Number(view.getBigUint64(88, true))];
  check(offset + length <= file.byteLength, `${where}: the file has ${file.byteLength} bytes, expected ${offset + length}: it is truncated`);
  const level = file.subarray(offset, offset + length);
  if (scheme === 0) {
    return level;
  }
  const bytes = entry.width * entry.height * entry.layers * TEXEL_BYTES[format];
  for (const stated of [Number(view.getBigUint64(96, true)), frameContentSize(level)]) {
    check(stated === bytes, `${where}: the Zstandard data expand to ${stated ?? 'an unknown number of'} bytes, expected ${bytes}`);
  }
  return unpacked(level, bytes, where);
}

/** Bytes that a Zstandard frame expands to by its header; null where it does not say. */
function frameContentSize(frame: Uint8Array): number | null {
  const flags = frame[4] ?? 0;
  const isSingleSegment = (flags & 32) !== 0;
  const code = flags >> 6;
  const at = 5 + (isSingleSegment ? 0 : 1) + [0, 1, 2, 4][flags & 3]!;
  const size = code === 0 ? (isSingleSegment ? 1 : 0) : 2 ** code;
  if (size === 0 || at + size > frame.byteLength) {
    return null;
  }
  const bytes = frame.subarray(at, at + size);
  return bytes.reduceRight((sum, byte) => 256 * sum + byte, 0) + (code === 1 ? 256 : 0);
}

/** Decompresses a frame into as many bytes as its header states. Neither memory nor output exceed them. */
function unpacked(level: Uint8Array, bytes: number, where: string): Uint8Array {
  try {
    return decompress(level, new Uint8Array(bytes));
  } catch (error) {
    throw new ThrongError(`${where}: the Zstandard data are damaged (${error instanceof Error ? error.message : String(error)})`);
  }
}
