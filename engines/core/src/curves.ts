import { add, dot, normalized, quatFromRodrigues, quatProduct, scaled, type Quat, type Vec3 } from './affine.js';

/** A time in a clip of compressed curves. */
export interface Moment {
  /** First word of the clip's masks. */
  readonly masks: number;
  /** First word of the segment's header row. */
  readonly row: number;
  /** Position in the segment, 0 to 1. */
  readonly x: number;
}

/** Keys of one curve around a moment. */
interface Span {
  readonly reference: Vec3 | null;
  readonly degree: number;
  /** Position in the span, 0 to 1. */
  readonly f: number;
  readonly keys: readonly Vec3[];
}

const WORDS_PER_CLIP = 5;

/** Words of compressed curves: see docs/format.md, section 12. Reads past the end return 0. */
export class Curves {
  readonly #floats: Float32Array;

  constructor(readonly words: Uint32Array, readonly clipTable: number, readonly count: number) {
    this.#floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  }

  word(at: number): number {
    return this.words[at] ?? 0;
  }

  float(at: number): number {
    return this.#floats[at] ?? 0;
  }

  vector(at: number): Vec3 {
    return [this.float(at), this.float(at + 1), this.float(at + 2)];
  }

  /** Three signed 16-bit integers in units of 1/32 768, from a half word on. */
  shorts(at: number, half: number): Vec3 {
    const short = (h: number) => ((this.word(at + (h >> 1)) >>> (16 * (h & 1))) << 16 >> 16) / 32768;
    return [short(half), short(half + 1), short(half + 2)];
  }

  /** The record of a clip in the clip table. */
  clip(index: number): { firstWord: number; segments: number; segmentsPerSec: number; duration: number; present: number } {
    const at = this.clipTable + WORDS_PER_CLIP * index;
    return {
      firstWord: this.word(at),
      segments: this.word(at + 1),
      segmentsPerSec: this.float(at + 2),
      duration: this.float(at + 3),
      present: this.word(at + 4),
    };
  }

  /** Finds a time, in seconds from the start of the clip. */
  moment(clip: number, secs: number): Moment {
    const { firstWord, segments, segmentsPerSec, duration, present } = this.clip(clip);
    const position = Math.min(Math.max(secs, 0), duration) * segmentsPerSec;
    const segment = Math.min(Math.floor(position), segments - 1);
    return { masks: firstWord, row: this.row(firstWord, segment, present), x: Math.min(position - segment, 1) };
  }

  /** First word of the header row of a segment. */
  row(firstWord: number, segment: number, present: number): number {
    return firstWord + 2 * Math.ceil(this.count / 32) + segment * (2 * present + Math.ceil(present / 32));
  }

  /** Rank of a curve among those that are present in the clip; null where it is not. */
  rank(masks: number, curve: number): number | null {
    const at = masks + 2 * (curve >> 5);
    const bit = 2 ** (curve & 31);
    const mask = this.word(at);
    return Math.floor(mask / bit) % 2 === 0 ? null : this.word(at + 1) + ones(mask & (bit - 1));
  }

  /** Value of a vector curve; 0 where it is not present. */
  vectorCurve(moment: Moment, curve: number): Vec3 {
    const span = this.#span(moment, curve);
    if (span === null) {
      return [0, 0, 0];
    }
    const weights = splineWeights(span.degree, span.f);
    const value = span.keys.reduce<Vec3>((sum, key, k) => add(sum, scaled(key, weights[k]!)), [0, 0, 0]);
    return span.reference === null ? value : add(span.reference, value);
  }

  /** Value of a rotation curve; `constant` where it is not present. */
  rotationCurve(moment: Moment, curve: number, constant: Quat): Quat {
    const span = this.#span(moment, curve);
    if (span === null) {
      return constant;
    }
    const keys = span.keys.map(quatFromRodrigues);
    let weights = splineWeights(span.degree, span.f);
    if (span.degree === 1) {
      const second = slerpWeight(Math.min(Math.max(dot(keys[0]!, keys[1]!), 0), 1), span.f);
      weights = [1 - second, second];
    }
    const sum = [0, 1, 2, 3].map((c) => keys.reduce((total, key, k) => total + key[c]! * weights[k]!, 0)) as unknown as Quat;
    const reference = span.reference === null ? constant : quatFromRodrigues(span.reference);
    return quatProduct(reference, normalized(sum, [0, 0, 0, 1]));
  }

  #span(moment: Moment, curve: number): Span | null {
    const rank = this.rank(moment.masks, curve);
    if (rank === null) {
      return null;
    }
    const block = moment.row + 65 * (rank >> 5);
    const first = this.word(block);
    const a = this.word(block + 1 + 2 * (rank & 31));
    const b = this.word(block + 2 + 2 * (rank & 31));
    const widths = [a & 31, (a >>> 5) & 31, (a >>> 10) & 31] as const;
    const residuals = [(a >>> 15) & 31, (a >>> 20) & 31, (a >>> 25) & 31] as const;
    const degree = a >>> 30;
    const spans = ((b >>> 18) & 63) + 1;
    const step = (b >>> 24) & 127;
    let offset = b & 0x3ffff;
    let reference: Vec3 | null = null;
    if (b >>> 31) {
      reference = scaled(this.#stored(first, offset, [10, 10, 10]), 1 / 512);
      offset += 30;
    }
    const size = (1 + ((4 - (step & 3)) & 3) / 4) * 2 ** -(4 + Math.ceil(step / 4));
    const [full, residual] = [sum(widths), sum(residuals)];
    const last = spans + degree - 1;
    const key = (k: number): Vec3 => {
      const bit = offset + (k >> 1) * (full + residual) + (k & 1 ? full : 0);
      if (k % 2 === 0 || k === last) {
        return this.#stored(first, bit, widths);
      }
      const middle = scaled(add(key(k - 1), key(k + 1)), 0.5);
      return add(middle, this.#stored(first, bit, residuals));
    };
    const along = moment.x * spans;
    const at = Math.min(Math.floor(along), spans - 1);
    const keys = Array.from({ length: degree + 1 }, (_, k) => scaled(key(at + k), size));
    return { reference, degree, f: along - at, keys };
  }

  /** Three integers, each around the middle of its range. */
  #stored(firstWord: number, bit: number, widths: readonly [number, number, number]): Vec3 {
    let at = bit;
    return widths.map((width) => {
      const value = width === 0 ? 0 : this.#bits(firstWord, at, width) - 2 ** (width - 1);
      at += width;
      return value;
    }) as unknown as Vec3;
  }

  #bits(firstWord: number, bit: number, width: number): number {
    const at = firstWord + (bit >> 5);
    const shift = bit & 31;
    const low = Math.floor(this.word(at) / 2 ** shift);
    const high = shift + width > 32 ? this.word(at + 1) * 2 ** (32 - shift) : 0;
    return (low + high) % 2 ** width;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, x) => total + x, 0);
}

/** Number of set bits. */
function ones(bits: number): number {
  let count = 0;
  for (let rest = bits >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) {
    count++;
  }
  return count;
}

function splineWeights(degree: number, f: number): readonly number[] {
  const g = 1 - f;
  switch (degree) {
    case 0:
      return [1];
    case 1:
      return [g, f];
    case 2:
      return [(g * g) / 2, 0.5 + f * g, (f * f) / 2];
    default:
      return [g ** 3 / 6, (4 - 3 * f * f * (1 + g)) / 6, (4 - 3 * g * g * (1 + f)) / 6, f ** 3 / 6];
  }
}

/** Weight of the second of two quaternions with a cosine between them, such that the rotation follows the arc. */
function slerpWeight(cosine: number, f: number): number {
  const u = 1 - cosine;
  const h = f - 0.5;
  const a = u * (-0.07579292 + 0.8732116 * u);
  const b = u * (0.6748337 + u * (0.09039828 + 0.09375652 * u));
  return f + f * h * (f - 1) * (a * h * h + b);
}
