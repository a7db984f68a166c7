import { affineFromColumns, affineFromTrs, columnOf, lerp, nlerp, normalized, quatFromAffine, type Affine, type Vec3 } from './affine.js';
import { BoneTexture } from './bones.js';
import { framePair, timeInClip } from './clip.js';
import { check, ThrongError } from './error.js';
import { JointCurves } from './joint_curves.js';
import type { Bounds, ClipEntry, Manifest } from './manifest.js';
import type { Model } from './model.js';
import type { Texels } from './texels.js';

/** A clip at a time, for lookups on the CPU. */
export interface ClipTime {
  /** Index into the clips. */
  readonly clip: number;
  /** Seconds from the start of the clip; wrapped or clamped by its loop policy. */
  readonly secs: number;
}

/** A texture set in memory: a character, and its clips as animation textures. */
export class TextureSet {
  readonly #bones: BoneTexture | null;
  readonly #curves: JointCurves | null;

  constructor(
    readonly manifest: Manifest,
    readonly textures: readonly Texels[],
    readonly model: Model,
  ) {
    const { bones, 'joint-curves': curves } = manifest.layout;
    this.#bones = bones ? new BoneTexture(manifest, textures) : null;
    this.#curves = curves ? new JointCurves(curves, textures[curves.texture]!.words) : null;
  }

  get name(): string {
    return this.manifest.name;
  }

  get clips(): readonly ClipEntry[] {
    return this.manifest.clips;
  }

  /** Bounding box over all clips, model space, metres. */
  get bounds(): Bounds {
    return this.manifest.bounds;
  }

  /** Bytes of the animation textures. */
  get textureBytes(): number {
    return this.textures.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  }

  /** Largest error that the bake measured, in millimetres; null where the set does not state it. */
  get maxErrorMm(): number | null {
    const { max_error_of_size: ofSize, size } = this.manifest;
    return ofSize === null || ofSize === undefined ? null : ofSize * size * 1000;
  }

  /** Records of joints of `bone-local`; null for other encodings. */
  get jointCurves(): JointCurves | null {
    return this.#curves;
  }

  /** True where the set stores a transform per joint, so that joints can be looked up. */
  get hasJoints(): boolean {
    return this.#bones !== null || this.#curves !== null;
  }

  /** Index of a clip by name or index. */
  clipIndex(clip: string | number): number {
    const index = typeof clip === 'number' ? clip : this.clips.findIndex(({ name }) => name === clip);
    if (!(index in this.clips)) {
      throw new ThrongError(`the set '${this.name}' has no clip '${clip}'; expected one of ${this.clips.map(({ name }) => name).join(', ')}`);
    }
    return index;
  }

  /** Index of a joint by name. */
  jointIndex(name: string): number {
    const index = this.manifest.joints.findIndex((joint) => joint.name === name);
    check(index >= 0, `the set '${this.name}' has no joint '${name}'; expected one of ${this.manifest.joints.map((joint) => joint.name).join(', ')}`);
    return index;
  }

  /**
   * Transforms of all joints to model space.
   *
   * @param fade - a second clip and time, and its weight from 0 to 1. Joints of `bone-local` are blended in the space of
   * their parents, others in model space
   */
  pose(at: ClipTime, fade?: ClipTime & { readonly weight: number }): Affine[] {
    check(this.hasJoints, `the set '${this.name}' is a vertex set, which stores no joints: bake it with --encoding bone-local`);
    const pose = [...this.model.restPose];
    if (this.#curves !== null) {
      const { curves } = this.#curves;
      const moment = ({ clip, secs }: ClipTime) => curves.moment(clip, timeInClip(this.clips[clip]!, secs));
      this.#curves.pose(moment(at), pose, fade && { moment: moment(fade), weight: fade.weight });
      return pose;
    }
    const frames = ({ clip, secs }: ClipTime) => framePair(this.clips[clip]!, timeInClip(this.clips[clip]!, secs));
    this.#bones!.pose(frames(at), pose);
    if (fade !== undefined && fade.weight !== 0) {
      const other = [...this.model.restPose];
      this.#bones!.pose(frames(fade), other);
      return pose.map((m, joint) => blend(m, other[joint]!, fade.weight));
    }
    return pose;
  }
}

/** Rotation along the shorter arc; position and lengths of the axes on straight lines. */
function blend(a: Affine, b: Affine, f: number): Affine {
  const parts = (m: Affine) => {
    const axes = ([0, 1, 2] as const).map((k) => columnOf(m, k)) as [Vec3, Vec3, Vec3];
    const unit = axes.map((axis) => normalized(axis, [0, 0, 0])) as [Vec3, Vec3, Vec3];
    const scale = axes.map((axis) => Math.hypot(...axis)) as unknown as Vec3;
    return { q: quatFromAffine(affineFromColumns(...unit, [0, 0, 0])), scale, t: columnOf(m, 3) };
  };
  const [from, to] = [parts(a), parts(b)];
  return affineFromTrs(lerp(from.t, to.t, f), nlerp(from.q, to.q, f), lerp(from.scale, to.scale, f));
}
