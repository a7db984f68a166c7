import { TICKS_PER_SEC, ticksFromSecs } from './clip.js';
import type { ClipEntry } from './manifest.js';

/** Playback of a clip: it advances with time, or is held at one pose. */
export type Play =
  | {
      readonly kind: 'running';
      /** Index into the clips. */
      readonly clip: number;
      /** Tick at which the clip is at its start. */
      readonly start: number;
      /** Factor of the authored speed. Negative: backwards from the end. 0: held at the start. */
      readonly speed: number;
    }
  | {
      readonly kind: 'held';
      readonly clip: number;
      /** Seconds from the start of the clip. */
      readonly timeSecs: number;
      /** Factor of the authored speed for playbacks that follow. Default: 1. */
      readonly speed?: number;
    };

/** Cross-fade to a second clip. */
export interface Fade {
  readonly to: Play;
  /** Tick at which it begins. */
  readonly start: number;
  /** Ticks, at least 1. */
  readonly duration: number;
}

/** Smallest period of a clip, 1/32 s: shaders count periods in floats. */
const MIN_PERIOD = 2048;

/** Largest period, four and a half hours: shaders count its ticks as signed integers. */
const MAX_PERIOD = 2 ** 30;

/** Flag in the clip of a record: it plays backwards. */
const BACKWARDS = 2 ** 31;

/** Value of the duration of a fade for a constant weight. */
const HELD_FADE = 0xffffffff;

/** Duration of one loop at a speed, in whole ticks, so that rounding errors do not add up; 0 if the clip does not advance. */
export function period(durationSecs: number, speed: number): number {
  if (speed === 0 || !Number.isFinite(speed) || durationSecs === 0) {
    return 0;
  }
  const ticks = Math.round((durationSecs * TICKS_PER_SEC) / Math.abs(Math.fround(speed)));
  return Math.min(Math.max(ticks, MIN_PERIOD), MAX_PERIOD);
}

/**
 * Seconds from the start of the clip.
 *
 * @param now - ticks
 */
export function playTime(play: Play, clip: ClipEntry, now: number): number {
  if (play.kind === 'held') {
    return play.timeSecs;
  }
  const cycle = period(clip.duration_secs, play.speed);
  if (cycle === 0) {
    return 0;
  }
  const elapsed = (now - play.start) >>> 0;
  let phase = clip.loop === 'wrap' ? (elapsed % cycle) / cycle : Math.min(Math.max((elapsed | 0) / cycle, 0), 1);
  phase = play.speed < 0 ? 1 - phase : phase;
  return phase * clip.duration_secs;
}

/** Weight of the second clip of a fade, from 0 to 1. */
export function fadeWeight(fade: Fade, now: number): number {
  return Math.min(Math.max(((now - fade.start) | 0) / Math.max(fade.duration, 1), 0), 1);
}

/**
 * Start of a clip, in ticks, such that it is `timeSecs` from its start at the tick `now`. Times outside a clip that loops
 * are wrapped.
 */
export function startFor(clip: ClipEntry, speed: number, timeSecs: number, now: number): number {
  const cycle = period(clip.duration_secs, speed);
  if (cycle === 0 || clip.duration_secs === 0) {
    return now;
  }
  const phase = timeSecs / clip.duration_secs;
  const along = speed < 0 ? 1 - phase : phase;
  const loops = clip.loop === 'wrap' ? along - Math.floor(along) : along;
  return (now - Math.round(loops * cycle)) >>> 0;
}

/** Writes the three words of a playback. */
export function writePlay(words: Uint32Array, at: number, play: Play, clips: readonly ClipEntry[]): void {
  const clip = clips[play.clip];
  const cycle = play.kind === 'running' && clip !== undefined ? period(clip.duration_secs, play.speed) : 0;
  if (play.kind === 'running' && cycle !== 0) {
    words.set([play.clip + (play.speed < 0 ? BACKWARDS : 0), play.start, cycle], at);
    return;
  }
  words.set([play.clip, floatBits(play.kind === 'held' ? play.timeSecs : 0), 0], at);
}

/** Writes the second clip of a cross-fade, its start and its duration: five words. Zeros for no fade. */
export function writeFade(words: Uint32Array, at: number, fade: Fade | null, clips: readonly ClipEntry[]): void {
  if (fade === null) {
    words.fill(0, at, at + 5);
    return;
  }
  writePlay(words, at, fade.to, clips);
  words.set([fade.start, Math.min(Math.max(fade.duration, 1), HELD_FADE - 1)], at + 3);
}

const scratch = new DataView(new ArrayBuffer(4));

/** Bits of a number as float32. */
export function floatBits(value: number): number {
  scratch.setFloat32(0, value);
  return scratch.getUint32(0);
}

/** Ticks of a duration in seconds, at least 1. */
export function durationTicks(secs: number): number {
  return Math.max(ticksFromSecs(secs), 1);
}
