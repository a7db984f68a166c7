import { ThrongError, type SetTables } from 'throng-core';
import { Box3, Color, Matrix4, Object3D, Ray, Vector3, type Intersection, type Raycaster } from 'three';
import { Instances, playFrom, playTime, ticksFromSecs } from './instances.js';
import { acquireModel, releaseModel, type CrowdModel } from './model.js';
import type { ThrongSet } from './set.js';

/** Options of {@link BaseCrowd.setClip}. */
export interface ClipOptions {
  /** Seconds of the cross-fade from what the instance plays. Default: 0, at once. */
  fade?: number;
  /** Seconds from the start of the clip at which it begins. Default: 0. */
  offset?: number;
  /** Factor of the authored speed; negative plays backwards, 0 holds. Default: that of the instance. */
  speed?: number;
}

const matrix = new Matrix4();
const inverse = new Matrix4();
const ray = new Ray();
const box = new Box3();
const point = new Vector3();

/** Instances of one character, for any renderer. Indices are from 0 to `count - 1`. */
export class BaseCrowd extends Object3D {
  readonly isThrongCrowd = true;
  /** Seconds of the last {@link update}. */
  time = 0;
  protected readonly instances: Instances;
  protected readonly model: CrowdModel;
  /** Tables of the set, and options of the crowd's shaders. */
  protected readonly tables: SetTables;
  #isDisposed = false;

  /**
   * @param count - number of instances at first, which play the first clip at the origin
   * @param fades - false leaves cross-fades out of the shaders
   * @param capacity - number of instances to make room for
   */
  constructor(readonly set: ThrongSet, count: number, fades: boolean, capacity = count) {
    super();
    this.model = acquireModel(set);
    const { tables } = this.model;
    this.tables = { ...tables, options: { ...tables.options, hasFades: fades ? 1 : 0 } };
    this.instances = new Instances(set.source, Math.max(count, capacity, 1));
    for (let k = 0; k < count; k++) {
      this.instances.add();
    }
  }

  /** Number of instances. */
  get count(): number {
    return this.instances.count;
  }

  /** Adds an instance that plays the first clip. Returns its index. */
  addInstance(transform?: Matrix4): number {
    const index = this.instances.add();
    if (transform !== undefined) {
      this.instances.setMatrix(index, transform);
    }
    return index;
  }

  /** Removes an instance. The last instance takes its index. */
  removeInstance(index: number): void {
    this.#check(index);
    this.instances.remove(index);
  }

  /** Sets the transform of an instance, relative to the crowd. Affine: the last row is not read. */
  setMatrixAt(index: number, transform: Matrix4): void {
    this.#check(index);
    this.instances.setMatrix(index, transform);
  }

  /** Copies the transform of an instance to `target`. */
  getMatrixAt(index: number, target: Matrix4): Matrix4 {
    this.#check(index);
    return this.instances.matrix(index, target);
  }

  /** Sets the colour that the material's colour is multiplied with. Stored as linear bytes. */
  setColorAt(index: number, color: Color): void {
    this.#check(index);
    this.instances.records.setTint(index, color.r, color.g, color.b);
    this.instances.changed();
  }

  /** Copies the colour of an instance to `target`. */
  getColorAt(index: number, target: Color): Color {
    this.#check(index);
    const [r, g, b] = this.instances.records.tint(index);
    return target.setRGB(r, g, b);
  }

  /**
   * Plays a clip, from {@link time} on.
   *
   * @param clip - name or index
   */
  setClip(index: number, clip: string | number, { fade = 0, offset = 0, speed }: ClipOptions = {}): void {
    this.#check(index);
    if (fade > 0 && this.tables.options.hasFades === 0) {
      throw new ThrongError('the crowd was made without cross-fades: leave the option fades: false out');
    }
    const { source } = this.set;
    const play = playFrom(source, source.clipIndex(clip), offset, speed ?? this.#speed(index), this.#now);
    this.instances.play(index, play, fade, this.#now);
  }

  /** Sets the time in the clip that an instance plays, in seconds from its start. It plays on from there. */
  setTime(index: number, secs: number): void {
    this.#check(index);
    const speed = this.#speed(index);
    this.instances.change(index, ({ clip }) => playFrom(this.set.source, clip, secs, speed, this.#now));
  }

  /** Sets the factor of the authored speed. The clip plays on from where it is; negative plays backwards, 0 holds. */
  setSpeed(index: number, speed: number): void {
    this.#check(index);
    const { source } = this.set;
    this.instances.change(index, (play) => {
      const secs = playTime(play, source.clips[play.clip]!, this.#now);
      return playFrom(source, play.clip, secs, speed, this.#now);
    });
  }

  /** Sets the time in the clip at a {@link time} of 0, in seconds: instances with equal offsets move alike. */
  setOffset(index: number, secs: number): void {
    this.#check(index);
    const speed = this.#speed(index);
    this.instances.change(index, ({ clip }) => playFrom(this.set.source, clip, secs, speed, 0));
  }

  /** Transform of a joint in world space at a time, by default the last {@link update}. For bone encodings. */
  jointMatrix(index: number, joint: string, target: Matrix4, time = this.time): Matrix4 {
    this.#check(index);
    const { source } = this.set;
    const { at, fade } = this.instances.poseAt(index, ticksFromSecs(time));
    const m = source.pose(at, fade)[source.jointIndex(joint)]!;
    target.set(...m, 0, 0, 0, 1);
    return target.premultiply(this.instances.matrix(index, matrix)).premultiply(this.matrixWorld);
  }

  /** Intersects a ray with the bounding boxes of the clips that instances play. */
  override raycast(raycaster: Raycaster, intersects: Intersection[]): void {
    for (let index = 0; index < this.count; index++) {
      matrix.multiplyMatrices(this.matrixWorld, this.instances.matrix(index, inverse));
      inverse.copy(matrix).invert();
      ray.copy(raycaster.ray).applyMatrix4(inverse);
      const { min, max } = this.set.clips[this.instances.current(index).clip]!.bounds;
      box.min.set(...min);
      box.max.set(...max);
      if (ray.intersectBox(box, point) === null) {
        continue;
      }
      const hit = point.clone().applyMatrix4(matrix);
      const distance = raycaster.ray.origin.distanceTo(hit);
      if (distance >= raycaster.near && distance <= raycaster.far) {
        intersects.push({ distance, point: hit, object: this, instanceId: index });
      }
    }
  }

  /** Frees what the crowd has on the GPU, and what its set has there with the set's last crowd. Later calls do nothing. */
  dispose(): void {
    if (this.#isDisposed) {
      return;
    }
    this.#isDisposed = true;
    this.instances.texture.dispose();
    this.free();
    releaseModel(this.set);
  }

  /** Frees what the crowd has for its renderer. Called once. */
  protected free(): void {}

  /** Sets the time, in seconds, at which instances are drawn. */
  protected advance(time: number): void {
    this.time = time;
    this.instances.settle(time);
  }

  get #now(): number {
    return ticksFromSecs(this.time);
  }

  #speed(index: number): number {
    return this.instances.current(index).speed ?? 1;
  }

  #check(index: number): void {
    if (!(Number.isInteger(index) && index >= 0 && index < this.count)) {
      throw new RangeError(`there is no instance ${index}; expected an integer from 0 to ${this.count - 1}`);
    }
  }
}
