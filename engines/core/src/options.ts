import type { Curves } from './curves.js';
import type { TextureSet } from './set.js';

/** Code that shaders of a set need, and layout of compressed curves: see docs/format.md, section 20. */
export interface EngineOptions {
  /** Largest number of influences of a vertex: 1 to 4, or 5 for any number. */
  maxInfluences: number;
  /** 1 if instances cross-fade. */
  hasFades: number;
  /** Binary logarithm of the width of the texture of words; 0 for sets of frames. */
  wordColumnBits: number;
  wordRows: number;
  wordLayers: number;
  /** Largest number of bits of a key. */
  maxKeyBits: number;
  /** First record of the clips of compressed curves, two each; 0 for sets of frames. */
  clipRecords: number;
}

/** Bits of the reference of a curve. */
const REFERENCE_BITS = 30;

/** Returns the options of a set. `clipRecords` is 0 until the records are written. */
export function engineOptions({ model, manifest, textures }: TextureSet, curves: Curves | null): EngineOptions {
  const influences = model.parts.flatMap((part) => part.influences.map(({ length }) => length));
  const most = influences.reduce((largest, count) => Math.max(largest, count), 1);
  const options: EngineOptions = { maxInfluences: Math.min(most, 5), hasFades: 1, wordColumnBits: 0, wordRows: 0, wordLayers: 0, maxKeyBits: 64, clipRecords: 0 };
  const layout = manifest.layout['joint-curves'] ?? manifest.layout['vertex-curves'];
  if (layout !== undefined && curves !== null) {
    const { width, height, layers } = textures[layout.texture]!;
    options.wordColumnBits = Math.log2(width);
    options.wordRows = height;
    options.wordLayers = layers;
    options.maxKeyBits = maxKeyBits(curves, manifest.clips.length);
  }
  return options;
}

/** Largest number of bits of a full or residual key in any header. */
function maxKeyBits(curves: Curves, clips: number): number {
  let most = REFERENCE_BITS;
  for (let clip = 0; clip < clips; clip++) {
    const { firstWord, segments, present } = curves.clip(clip);
    // A damaged table would make the loops long.
    const count = Math.min(segments * present, curves.words.length);
    for (let k = 0; k < count; k++) {
      const rank = k % present;
      const header = curves.word(curves.row(firstWord, Math.floor(k / present), present) + 65 * (rank >> 5) + 1 + 2 * (rank & 31));
      const sum = (bits: number) => (bits & 31) + ((bits >>> 5) & 31) + ((bits >>> 10) & 31);
      most = Math.max(most, sum(header), sum(header >>> 15));
    }
  }
  return most;
}

/** Prints the options as the constructor of the shaders' `throng_Options`, in GLSL or WGSL. */
export function printOptions(options: EngineOptions): string {
  const { maxInfluences, hasFades, wordColumnBits, wordRows, wordLayers, maxKeyBits, clipRecords } = options;
  const fields = [maxInfluences, hasFades, wordColumnBits, wordRows, wordLayers, maxKeyBits, clipRecords];
  return `throng_Options(${fields.map((value) => `${value}u`).join(', ')})`;
}
