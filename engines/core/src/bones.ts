import {
  affineFromColumns,
  affineFromDual,
  affineFromTrs,
  columnOf,
  columnsFromQuat,
  compose,
  cross,
  lerp,
  nlerp,
  orthonormalAxes,
  quatFromAffine,
  quatFromRodrigues,
  scaled,
  scaledLinear,
  slerp,
  translated,
  type Affine,
  type Quat,
  type Vec3,
} from './affine.js';
import type { FramePair } from './clip.js';
import { Grid, ranged } from './grid.js';
import type { BoneEntry, BoneLayout, Interpolation, Manifest, Range } from './manifest.js';
import type { Texels } from './texels.js';

/** Bones of a bone texture: see docs/format.md, section 10. */
export class BoneTexture {
  readonly #layout: BoneLayout;
  readonly #grid: Grid;
  readonly #positions: Grid | null;
  readonly #interpolation: Interpolation;
  readonly #unit: number;

  constructor(manifest: Manifest, textures: readonly Texels[]) {
    const layout = manifest.layout.bones!;
    this.#layout = layout;
    this.#grid = new Grid(layout.grid, textures[layout.grid.texture]!);
    this.#positions = layout.positions ? new Grid(layout.positions, textures[layout.positions.texture]!) : null;
    this.#interpolation = manifest.interpolation;
    this.#unit = manifest.axes.metres_per_unit;
  }

  /** Writes `model_from_joint` of every joint that has a bone. */
  pose(frames: FramePair, modelFromJoint: Affine[]): void {
    this.#layout.bones.forEach((bone, index) => {
      const m = this.#between(index, bone, frames);
      const t = scaled(columnOf(m, 3), this.#unit);
      const rotation = affineFromColumns(...columnsFromQuat(bone.rotation as unknown as Quat), [0, 0, 0]);
      modelFromJoint[bone.joint] = translated(compose(scaledLinear(m, bone.scale), rotation), t);
    });
  }

  #between(index: number, bone: BoneEntry, { first, second, fraction: f }: FramePair): Affine {
    const { code, ranges, scale_range: scaleRange } = this.#layout;
    const range = ranges[ranges.length > 1 ? index : 0] ?? null;
    switch (code) {
      case 'rotation-position': {
        const read = (frame: number) => {
          const x = (n: number) => this.#grid.value(frame, bone.first_value + n);
          const scale = (k: number) => (bone.has_scale ? ranged(x(6 + k), scaleRange, k) : 1);
          return {
            q: quatFromRodrigues([x(0), x(1), x(2)]),
            t: this.#ranged(x, 3, range),
            s: [scale(0), scale(1), scale(2)] as Vec3,
          };
        };
        const [a, b] = [read(first), read(second)];
        const q = this.#interpolation === 'slerp' ? slerp(a.q, b.q, f) : nlerp(a.q, b.q, f);
        return affineFromTrs(lerp(a.t, b.t, f), q, lerp(a.s, b.s, f));
      }
      case 'dual-quaternion': {
        const values = (frame: number, n: number) => this.#grid.value(frame, bone.first_value + n);
        const at = (n: number) => {
          const [a, b] = [values(first, n), values(second, n)].map((x) => (n < 4 ? x : ranged(x, range, n - 4))) as [number, number];
          return a + (b - a) * f;
        };
        return affineFromDual([at(0), at(1), at(2), at(3)], [at(4), at(5), at(6), at(7)]);
      }
      case 'axes':
      case 'axis-planes': {
        const read = (frame: number) => this.#axes(frame, index, bone, range);
        const [a, b] = [read(first), read(second)];
        let [theta, phi] = [lerp(a.theta, b.theta, f), lerp(a.phi, b.phi, f)];
        if (this.#interpolation === 'nlerp') {
          [theta, phi] = orthonormalAxes(theta, phi);
        }
        return affineFromColumns(theta, phi, cross(theta, phi), lerp(a.t, b.t, f));
      }
      default: {
        const [a, b] = [this.#matrix(first, bone, range), this.#matrix(second, bone, range)];
        return this.#interpolation === 'slerp' ? slerpMatrices(a, b, f) : lerp(a, b, f);
      }
    }
  }

  #ranged(x: (n: number) => number, n: number, range: Range | null): Vec3 {
    return [ranged(x(n), range, 0), ranged(x(n + 1), range, 1), ranged(x(n + 2), range, 2)];
  }

  #axes(frame: number, index: number, bone: BoneEntry, range: Range | null): { theta: Vec3; phi: Vec3; t: Vec3 } {
    const item = (grid: Grid, at: number): Vec3 => {
      const texel = grid.texel(frame, at);
      return [0, 1, 2].map((k) => grid.texels.signed(texel, k)) as unknown as Vec3;
    };
    if (this.#layout.code === 'axes') {
      const texel = bone.first_value / 4;
      const t = item(this.#grid, texel + 2);
      return { theta: item(this.#grid, texel), phi: item(this.#grid, texel + 1), t: this.#ranged((n) => t[n]!, 0, range) };
    }
    const n = this.#layout.bones.length;
    const t = this.#positions ? item(this.#positions, index) : item(this.#grid, 2 * n + index);
    return { theta: item(this.#grid, index), phi: item(this.#grid, n + index), t };
  }

  #matrix(frame: number, bone: BoneEntry, range: Range | null): Affine {
    const x = (n: number) => this.#grid.value(frame, bone.first_value + n);
    const line = (k: number): Vec3 => [x(4 * k), x(4 * k + 1), x(4 * k + 2)];
    const t: Vec3 = [ranged(x(3), range, 0), ranged(x(7), range, 1), ranged(x(11), range, 2)];
    const [a, b, c] = [line(0), line(1), line(2)];
    return this.#layout.code === 'matrix-columns'
      ? affineFromColumns(a, b, c, t)
      : affineFromColumns([a[0], b[0], c[0]], [a[1], b[1], c[1]], [a[2], b[2], c[2]], t);
  }
}

/** Rotations by slerp; the rest of the linear parts, and the translations, on straight lines. */
function slerpMatrices(a: Affine, b: Affine, f: number): Affine {
  const [from, to] = [frameOf(a), frameOf(b)];
  const q = slerp(quatFromAffine(from), quatFromAffine(to), f);
  const rest = lerp(compose(transposed(from), a), compose(transposed(to), b), f);
  const turned = compose(affineFromColumns(...columnsFromQuat(q), [0, 0, 0]), translated(rest, [0, 0, 0]));
  return translated(turned, lerp(columnOf(a, 3), columnOf(b, 3), f));
}

/** The rotation with X along the first column, and Y in the plane of the first two. */
function frameOf(m: Affine): Affine {
  const [x, y] = orthonormalAxes(columnOf(m, 0), columnOf(m, 1));
  return affineFromColumns(x, y, cross(x, y), [0, 0, 0]);
}

function transposed(m: Affine): Affine {
  return [m[0], m[4], m[8], 0, m[1], m[5], m[9], 0, m[2], m[6], m[10], 0];
}
