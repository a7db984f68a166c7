import type { Affine } from './affine.js';
import type { ClipEntry } from './manifest.js';
import { floatBits, writeFade, writePlay, type Fade, type Play } from './play.js';

/** Words of an instance record: six texels. */
export const INSTANCE_WORDS = 24;

/**
 * Records of instances as shaders read them: 3×4 transform (words 0 to 11, rows), tint (12), playback (13 to 15), second
 * playback (16 to 18), start and duration of the cross-fade (19, 20), fraction (21), user word (22), group (23).
 */
export class InstanceRecords {
  readonly words: Uint32Array;
  readonly #floats: Float32Array;

  /** @param words - memory for the records, {@link INSTANCE_WORDS} each */
  constructor(words: Uint32Array, readonly clips: readonly ClipEntry[]) {
    this.words = words;
    this.#floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  }

  /** Sets a record to the identity, white, the first clip from tick 0, no fade. */
  reset(index: number): void {
    const at = index * INSTANCE_WORDS;
    this.words.fill(0, at, at + INSTANCE_WORDS);
    this.#floats[at] = this.#floats[at + 5] = this.#floats[at + 10] = 1;
    this.words[at + 12] = 0xffffffff;
    this.setPlay(index, { kind: 'running', clip: 0, start: 0, speed: 1 });
    this.words[at + 21] = floatBits(1);
  }

  copy(from: number, to: number): void {
    this.words.copyWithin(to * INSTANCE_WORDS, from * INSTANCE_WORDS, (from + 1) * INSTANCE_WORDS);
  }

  /** Transform from model space to the space of the crowd. */
  setTransform(index: number, rows: Affine | ArrayLike<number>): void {
    this.#floats.set(rows, index * INSTANCE_WORDS);
  }

  /** The twelve numbers of a transform: a view, not a copy. */
  transform(index: number): Float32Array {
    return this.#floats.subarray(index * INSTANCE_WORDS, index * INSTANCE_WORDS + 12);
  }

  /** RGBA factor of the material's colour, each from 0 to 1. */
  setTint(index: number, r: number, g: number, b: number, a = 1): void {
    const byte = (x: number) => Math.round(Math.min(Math.max(x, 0), 1) * 255);
    this.words[index * INSTANCE_WORDS + 12] = (byte(r) | (byte(g) << 8) | (byte(b) << 16) | (byte(a) << 24)) >>> 0;
  }

  /** Red, green, blue and alpha, each from 0 to 1. */
  tint(index: number): [number, number, number, number] {
    const word = this.words[index * INSTANCE_WORDS + 12]!;
    return [word & 255, (word >> 8) & 255, (word >> 16) & 255, word >>> 24].map((byte) => byte / 255) as [number, number, number, number];
  }

  setPlay(index: number, play: Play): void {
    writePlay(this.words, index * INSTANCE_WORDS + 13, play, this.clips);
  }

  setFade(index: number, fade: Fade | null): void {
    writeFade(this.words, index * INSTANCE_WORDS + 16, fade, this.clips);
  }

  /** Blend factor between the undeformed mesh (0) and the animated pose (1), by positions. */
  setFraction(index: number, fraction: number): void {
    this.words[index * INSTANCE_WORDS + 21] = floatBits(fraction);
  }

  /** User data, passed on by shaders: an unsigned integer. */
  setUser(index: number, user: number): void {
    this.words[index * INSTANCE_WORDS + 22] = user;
  }
}
