import type { ClipEntry } from './manifest.js';

/** Ticks per second. Shaders get time in ticks: integers that wrap after 18 hours, and do not lose precision before. */
export const TICKS_PER_SEC = 65536;

/** Rounds seconds to the nearest tick; negative and late times wrap. */
export function ticksFromSecs(secs: number): number {
  return Math.round(secs * TICKS_PER_SEC) >>> 0;
}

/** Brings a time into a clip: wraps or clamps, by its loop policy. Seconds from its start. */
export function timeInClip(clip: ClipEntry, secs: number): number {
  const { duration_secs: duration, loop } = clip;
  if (loop === 'wrap') {
    return duration > 0 ? secs - duration * Math.floor(secs / duration) : 0;
  }
  return Math.min(Math.max(secs, 0), duration);
}

/** Two frames, counted over all clips, and the fraction of the way from the first to the second. */
export interface FramePair {
  readonly first: number;
  readonly second: number;
  readonly fraction: number;
}

/** The frames around a time in a clip. Clamped to the clip. */
export function framePair(clip: ClipEntry, secs: number): FramePair {
  const last = clip.frames - 1;
  const position = Math.min(Math.max(secs * clip.rate_hz, 0), last);
  const index = Math.min(Math.floor(position), Math.max(last - 1, 0));
  return {
    first: clip.first_frame + index,
    second: clip.first_frame + Math.min(index + 1, last),
    fraction: position - index,
  };
}
