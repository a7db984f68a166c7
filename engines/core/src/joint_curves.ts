import { add, affineFromTrs, compose, lerp, nlerp, quatFromRodrigues, scaled, type Affine, type Quat, type Vec3 } from './affine.js';
import { Curves, type Moment } from './curves.js';
import type { JointCurveLayout } from './manifest.js';

/** A joint in the space of its parent. */
interface LocalJoint {
  readonly t: Vec3;
  readonly q: Quat;
  readonly s: Vec3;
}

/** Constants of a joint: its record in the joint table. */
export interface JointRecord {
  /** Record of the parent plus one, 0 for a root. */
  readonly parent: number;
  readonly translation: Vec3;
  readonly rotation: Quat;
  readonly scale: Vec3;
  readonly translationExtent: number;
  readonly scaleExtent: number;
}

/** Joints of `bone-local`: see docs/format.md, section 12. */
export class JointCurves {
  readonly curves: Curves;
  /** Curves per joint: rotation, translation and, with 3, scale. */
  readonly channels: 2 | 3;
  readonly records: readonly JointRecord[];

  constructor(readonly layout: JointCurveLayout, words: Uint32Array) {
    this.curves = new Curves(words, layout.clip_table, layout.curves);
    this.channels = layout.record_words === 6 || layout.record_words === 12 ? 3 : 2;
    this.records = layout.bones.map((_, index) => this.#record(index));
  }

  /**
   * Writes `model_from_joint` of every joint that has a record.
   *
   * @param fade - a second time and its weight: each joint is blended in the space of its parent
   */
  pose(moment: Moment, modelFromJoint: Affine[], fade?: { moment: Moment; weight: number }): void {
    const models: Affine[] = [];
    this.records.forEach((record, index) => {
      let joint = this.#local(record, index, moment);
      if (fade !== undefined && fade.weight !== 0) {
        const other = this.#local(record, index, fade.moment);
        joint = { t: lerp(joint.t, other.t, fade.weight), q: nlerp(joint.q, other.q, fade.weight), s: lerp(joint.s, other.s, fade.weight) };
      }
      const local = affineFromTrs(joint.t, joint.q, joint.s);
      const parent = record.parent > 0 && record.parent <= index ? models[record.parent - 1] : undefined;
      models.push(parent === undefined ? local : compose(parent, local));
      modelFromJoint[this.layout.bones[index]!] = models[index]!;
    });
  }

  #local(record: JointRecord, index: number, moment: Moment): LocalJoint {
    const curve = this.channels * index;
    const offset = this.curves.vectorCurve(moment, curve + 1);
    return {
      q: this.curves.rotationCurve(moment, curve, record.rotation),
      t: add(record.translation, scaled(offset, record.translationExtent)),
      s: this.channels === 3 ? add(record.scale, scaled(this.curves.vectorCurve(moment, curve + 2), record.scaleExtent)) : record.scale,
    };
  }

  #record(index: number): JointRecord {
    const { joint_table: table, record_words: size } = this.layout;
    const { curves } = this;
    const at = table + index * size;
    const head = curves.word(at);
    const extent = (bits: number) => 2 ** ((bits & 255) - 127);
    const isShort = size === 4 || size === 6;
    const tail = this.channels === 3 ? curves.word(at + (isShort ? 5 : 7)) : 0;
    const scale = (): Vec3 => {
      if (this.channels !== 3) {
        return [1, 1, 1];
      }
      return isShort ? scaled(curves.shorts(at, 8), extent(tail >>> 24)) : curves.vector(at + 8);
    };
    return {
      parent: head & 0xffff,
      translation: isShort ? scaled(curves.shorts(at, 2), extent(head >>> 24)) : curves.vector(at + 1),
      rotation: quatFromRodrigues(isShort ? curves.shorts(at, 5) : curves.vector(at + 4)),
      scale: scale(),
      translationExtent: extent(head >>> 16),
      scaleExtent: extent(tail >>> 16),
    };
  }
}
