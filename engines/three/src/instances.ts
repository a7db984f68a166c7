import {
  clipSpheres,
  durationTicks,
  INSTANCE_WORDS,
  InstanceRecords,
  fadeWeight,
  playTime,
  startFor,
  TICKS_PER_SEC,
  ticksFromSecs,
  timeInClip,
  type Fade,
  type Play,
  type Sphere,
  type TextureSet,
} from 'throng-core';
import { type DataTexture, type Matrix4 } from 'three';
import { wordTable } from './textures.js';

/** Seconds between searches for clips that have played once and ended. Signed ticks since a start wrap after 32768 s. */
const SEARCH_INTERVAL_SECS = 4096;

/** Seconds after which every clip that plays once has ended: the largest period. */
const ENDED_SECS = 16384;

/** Playback of one instance. */
export interface Playback {
  play: Play;
  fade: Fade | null;
}

/** The instances of a crowd: their records in a texture, and their playback. */
export class Instances {
  count = 0;
  /** Texture of records: six texels per instance. Replaced when the crowd grows. */
  texture: DataTexture;
  /** Rises with every change. */
  version = 0;
  readonly playbacks: Playback[] = [];
  readonly #set: TextureSet;
  readonly #spheres: readonly Sphere[];
  readonly #fading = new Set<number>();
  #records: InstanceRecords;
  /** Time of the last search for clips that have ended. */
  #searchedSecs = 0;

  constructor(set: TextureSet, capacity: number) {
    this.#set = set;
    this.#spheres = clipSpheres(set);
    this.texture = wordTable(new Uint32Array(capacity * INSTANCE_WORDS), 4);
    this.#records = this.#view();
  }

  #view(): InstanceRecords {
    return new InstanceRecords(this.texture.image.data as unknown as Uint32Array, this.#set.clips);
  }

  get records(): InstanceRecords {
    return this.#records;
  }

  /** Instances that fit without another texture. */
  get capacity(): number {
    return Math.floor(this.#records.words.length / INSTANCE_WORDS);
  }

  changed(): void {
    this.version++;
    this.texture.needsUpdate = true;
  }

  /** Appends an instance that plays the first clip. Returns its index. */
  add(): number {
    if (this.count === this.capacity) {
      const before = this.texture;
      this.texture = wordTable(this.#records.words, 4, 2 * before.image.height);
      this.#records = this.#view();
      before.dispose();
    }
    const index = this.count++;
    this.#records.reset(index);
    this.playbacks.push({ play: { kind: 'running', clip: 0, start: 0, speed: 1 }, fade: null });
    this.changed();
    return index;
  }

  /** Removes an instance. The last one takes its index. */
  remove(index: number): void {
    const last = --this.count;
    this.#records.copy(last, index);
    this.playbacks[index] = this.playbacks[last]!;
    this.playbacks.pop();
    this.#fading.delete(last);
    this.#setFading(index);
    this.changed();
  }

  setMatrix(index: number, { elements: e }: Matrix4): void {
    const rows = [e[0], e[4], e[8], e[12], e[1], e[5], e[9], e[13], e[2], e[6], e[10], e[14]] as number[];
    this.#records.setTransform(index, rows);
    this.changed();
  }

  matrix(index: number, target: Matrix4): Matrix4 {
    const m = this.#records.transform(index);
    return target.set(m[0]!, m[1]!, m[2]!, m[3]!, m[4]!, m[5]!, m[6]!, m[7]!, m[8]!, m[9]!, m[10]!, m[11]!, 0, 0, 0, 1);
  }

  /** Plays a clip, at once or by a cross-fade from what the instance plays. */
  play(index: number, play: Play, fadeSecs: number, now: number): void {
    const playback = this.playbacks[index]!;
    if (fadeSecs > 0) {
      // In the middle of an earlier fade, the heavier of its clips is the one to fade from.
      const { fade } = playback;
      playback.play = fade !== null && fadeWeight(fade, now) >= 0.5 ? fade.to : playback.play;
      playback.fade = { to: play, start: now, duration: durationTicks(fadeSecs) };
    } else {
      playback.play = play;
      playback.fade = null;
    }
    this.#write(index);
  }

  /** Changes the clip that an instance plays, or fades to. */
  change(index: number, change: (play: Play) => Play): void {
    const playback = this.playbacks[index]!;
    if (playback.fade === null) {
      playback.play = change(playback.play);
    } else {
      playback.fade = { ...playback.fade, to: change(playback.fade.to) };
    }
    this.#write(index);
  }

  /** The clip that an instance plays, or fades to. */
  current(index: number): Play {
    const { play, fade } = this.playbacks[index]!;
    return fade?.to ?? play;
  }

  /** Drops cross-fades that have ended, and holds clips that play once before the ticks since their start wrap. */
  settle(secs: number): void {
    const now = ticksFromSecs(secs);
    for (const index of this.#fading) {
      const playback = this.playbacks[index]!;
      if (playback.fade !== null && fadeWeight(playback.fade, now) >= 1) {
        playback.play = playback.fade.to;
        playback.fade = null;
        this.#write(index);
      }
    }
    if (Math.abs(secs - this.#searchedSecs) >= SEARCH_INTERVAL_SECS) {
      this.#holdEnded(secs);
    }
  }

  /** Holds clips that play once, and have ended long ago, at their end. Until then time can go back. */
  #holdEnded(secs: number): void {
    const before = ticksFromSecs(this.#searchedSecs);
    const passed = secs - this.#searchedSecs;
    this.#searchedSecs = secs;
    this.playbacks.forEach((playback, index) => {
      const { play } = playback;
      const clip = this.#set.clips[play.clip]!;
      if (play.kind === 'running' && clip.loop === 'once' && ((before - play.start) | 0) / TICKS_PER_SEC + passed >= ENDED_SECS) {
        playback.play = { kind: 'held', clip: play.clip, timeSecs: play.speed < 0 ? 0 : clip.duration_secs, speed: play.speed };
        this.#write(index);
      }
    });
  }

  /** Spheres of the clips that an instance shows, model space. */
  spheres(index: number): readonly Sphere[] {
    const { play, fade } = this.playbacks[index]!;
    const sphere = this.#spheres[play.clip]!;
    return fade === null ? [sphere] : [sphere, this.#spheres[fade.to.clip]!];
  }

  /** Clips and times that an instance shows, for lookups on the CPU. */
  poseAt(index: number, now: number) {
    const { play, fade } = this.playbacks[index]!;
    const at = (one: Play) => ({ clip: one.clip, secs: playTime(one, this.#set.clips[one.clip]!, now) });
    return { at: at(play), fade: fade === null ? undefined : { ...at(fade.to), weight: fadeWeight(fade, now) } };
  }

  #write(index: number): void {
    const { play, fade } = this.playbacks[index]!;
    this.#records.setPlay(index, play);
    this.#records.setFade(index, fade);
    this.#setFading(index);
    this.changed();
  }

  #setFading(index: number): void {
    if (this.playbacks[index]?.fade) {
      this.#fading.add(index);
    } else {
      this.#fading.delete(index);
    }
  }
}

/** A playback that is at a time of its clip now, wrapped or clamped to it. At a speed of 0 it is held there. */
export function playFrom(set: TextureSet, clip: number, secs: number, speed: number, now: number): Play {
  const entry = set.clips[clip]!;
  // The end of a loop stays: it is the time of its last frame.
  const timeSecs = secs >= 0 && secs <= entry.duration_secs ? secs : timeInClip(entry, secs);
  return speed === 0 || entry.duration_secs === 0
    ? { kind: 'held', clip, timeSecs, speed }
    : { kind: 'running', clip, start: startFor(entry, speed, secs, now), speed };
}

export { playTime, ticksFromSecs };
