import {
  affineFromColumns,
  columnOf,
  columnsFromQuat,
  compose,
  determinant,
  dot,
  quatFromAffine,
  quatProduct,
  scaledLinear,
  translated,
  type Affine,
  type Quat,
} from './affine.js';
import { boneKind, boneTexels, partDeform, texelKind } from './deform.js';
import { check, ThrongError } from './error.js';
import type { BoneLayout, GridEntry, Range } from './manifest.js';
import { floatBits } from './play.js';
import type { Skin } from './model.js';
import { engineOptions, type EngineOptions } from './options.js';
import { Curves } from './curves.js';
import { emptySetInfo, type GridInfo, type Numbers4, type SetInfo } from './set_info.js';
import type { TextureSet } from './set.js';
import type { Texels } from './texels.js';

/** Metadata of a set in the layout of shaders. */
export interface SetTables {
  readonly info: SetInfo;
  readonly options: EngineOptions;
  /** Records of four words; the first is unused, so that index 0 means none. */
  readonly records: Uint32Array;
  /** Palette index of the first joint of each skin. */
  readonly firstPaletteIndices: readonly number[];
  /** Offset of the bone of each palette index in the texture. */
  readonly boneOffsets: readonly number[];
  /** Scale of each skin's meshes: the scale that all joints have in common, so that the joints are rigid. */
  readonly meshScales: readonly number[];
}

/** Palette indices and bone offsets are 16 bits each. */
const MAX_INDEX = 0xffff;

/** Tolerance for identity matrices: a thousandth of a millimetre at a metre. */
const IDENTITY_TOLERANCE = 1e-6;

/** Tolerance for rotation matrices. */
const RIGID_TOLERANCE = 2e-4;

type Record4 = readonly [number, number, number, number];

/** Makes the description and the tables that the shaders of a set read. */
export function setTables(set: TextureSet): SetTables {
  return new Builder(set).build();
}

class Builder {
  readonly #info = emptySetInfo();
  readonly #records: Record4[] = [[0, 0, 0, 0]];
  readonly #boneOffsets: number[] = [];
  readonly #meshScales: number[];
  readonly #pageFrames: number;

  constructor(readonly set: TextureSet) {
    this.#meshScales = set.model.skins.map(() => 1);
    this.#pageFrames = Math.max(...set.clips.map(({ frames }) => frames));
  }

  build(): SetTables {
    const { set } = this;
    const { manifest, model, textures } = set;
    const { layout } = manifest;
    const info = this.#info;
    this.#clips();
    const offsets = new Map<number, number>();
    const boneFromJoint = new Map<number, Affine>();
    if (layout.bones) {
      const { bones } = layout;
      info.grid = this.#grid(bones.grid);
      if (boneTexels(set, bones) === 'pairs') {
        info.grid.firstColumn /= 2;
        info.grid.columns = Math.ceil(info.grid.columns / 2);
      }
      this.#codec(bones);
      bones.bones.forEach((bone, index) => {
        const rotation = affineFromColumns(...columnsFromQuat(bone.rotation as unknown as Quat), [0, 0, 0]);
        boneFromJoint.set(bone.joint, scaledLinear(rotation, bone.scale));
        offsets.set(bone.joint, boneOffset(bones, index));
      });
    } else if (layout['joint-curves']) {
      const curves = layout['joint-curves'];
      info.jointCurves = {
        clipTable: curves.clip_table,
        jointTable: curves.joint_table,
        recordWords: curves.record_words,
        curves: curves.curves,
        joints: curves.bones.length,
      };
      curves.bones.forEach((joint, record) => offsets.set(joint, record));
    } else if (layout.vertices) {
      const { vertices } = layout;
      info.grid = this.#grid(vertices.positions);
      info.normals = this.#grid(vertices.normals);
      const mapping = rawMapping(textures[vertices.positions.texture]!);
      this.#unit(mapping);
      // Direction and length of a ray are combined before the range is applied.
      const raw = manifest.encoding === 'vertex-ray' ? FLOATS : mapping;
      [info.codec.offset, info.codec.scale] = rangedMapping(raw, vertices.range, manifest.axes.metres_per_unit);
      const normals = rawMapping(textures[vertices.normals.texture]!);
      [info.codec.normalOffset, info.codec.normalScale] = [normals.offset, normals.scale];
    } else {
      const curves = layout['vertex-curves']!;
      info.jointCurves.clipTable = curves.clip_table;
      info.jointCurves.curves = curves.positions + curves.normals;
      info.vertexCurveRange = [...curves.center, curves.scale];
      info.positionCurves = curves.positions;
    }
    if (set.hasJoints) {
      this.#inverseBinds(boneFromJoint, offsets);
    }
    this.#morphs();
    info.vertices = model.parts.reduce((sum, part) => sum + part.vertices, 0);
    const options = this.#options();
    return {
      info,
      options,
      records: Uint32Array.from(this.#records.flat()),
      firstPaletteIndices: firstPaletteIndices(model.skins),
      boneOffsets: this.#boneOffsets,
      meshScales: this.#meshScales,
    };
  }

  /** Appends the records of the clips of compressed curves, and returns the options of the set. */
  #options(): EngineOptions {
    const { set } = this;
    const layout = set.manifest.layout['vertex-curves'];
    const curves = layout
      ? new Curves(set.textures[layout.texture]!.words, layout.clip_table, layout.positions + layout.normals)
      : (set.jointCurves?.curves ?? null);
    const options = engineOptions(set, curves);
    if (curves !== null) {
      options.clipRecords = this.#next();
      set.clips.forEach((_, clip) => {
        const { firstWord, segments, segmentsPerSec, duration, present } = curves.clip(clip);
        this.#records.push([firstWord, segments, floatBits(segmentsPerSec), floatBits(duration)], [present, 0, 0, 0]);
      });
    }
    return options;
  }

  #next(): number {
    return this.#records.length;
  }

  #floats(values: readonly number[]): void {
    this.#records.push([0, 1, 2, 3].map((k) => floatBits(values[k] ?? 0)) as unknown as Record4);
  }

  #clips(): void {
    const { bones, vertices } = this.set.manifest.layout;
    const hasPages = Boolean((bones?.grid ?? vertices?.positions)?.pages);
    this.#info.clipTable = this.#next();
    this.set.clips.forEach((clip, index) => {
      const frames = clip.loop === 'wrap' ? clip.frames + 2 ** 31 : clip.frames;
      const firstFrame = hasPages ? index * this.#pageFrames : clip.first_frame;
      this.#records.push([firstFrame, frames, floatBits(clip.rate_hz), floatBits(clip.duration_secs)]);
    });
  }

  #grid(entry: GridEntry): GridInfo {
    const { height, layers } = this.set.textures[entry.texture]!;
    const { pages } = entry;
    return {
      firstColumn: entry.first_column,
      firstRow: entry.first_row,
      columns: pages ? this.#pageFrames : entry.columns,
      rowsPerFrame: pages ? pages.rows * pages.item_starts.length : entry.rows_per_frame,
      byColumns: entry.order === 'columns' ? 1 : 0,
      height,
      layers,
    };
  }

  #unit(mapping: RawMapping): void {
    const { codec } = this.#info;
    codec.unitOffset = mapping.offset;
    codec.unitScale = mapping.scale;
    codec.levelScale = mapping.level;
  }

  #codec(layout: BoneLayout): void {
    const { manifest, textures } = this.set;
    const { codec } = this.#info;
    const metres = manifest.axes.metres_per_unit;
    const raw = rawMapping(textures[layout.grid.texture]!);
    this.#unit(raw);
    [codec.offset, codec.scale] = rangedMapping(raw, layout.ranges[0] ?? null, metres);
    [codec.sizeOffset, codec.sizeScale] = rangedMapping(raw, layout.scale_range, 1);
    codec.axisItems = layout.bones.length;
    if (layout.ranges.length > 1) {
      codec.rangeTable = this.#next();
      for (const range of layout.ranges) {
        rangedMapping(raw, range, metres).forEach((values) => this.#floats(values));
      }
    }
    if (boneKind(layout) === 'scaled') {
      codec.boneTable = this.#next();
      for (const bone of layout.bones) {
        this.#records.push([bone.first_value, bone.has_scale ? 1 : 0, 0, 0]);
      }
    }
  }

  #inverseBinds(boneFromJoint: ReadonlyMap<number, Affine>, offsets: ReadonlyMap<number, number>): void {
    const { set } = this;
    const { model, manifest } = set;
    const info = this.#info;
    const isDual = this.#checkMethods();
    const used = usedPaletteIndices(set);
    const boneFromBind: Affine[] = [];
    model.skins.forEach((skin, index) => {
      const scale = isDual ? commonScale(set, skin, used[index]!) : 1;
      this.#meshScales[index] = Math.fround(scale);
      skin.joints.forEach((joint, k) => {
        const offset = offsets.get(joint);
        check(offset !== undefined || !used[index]![k], `the joint '${manifest.joints[joint]!.name}' moves vertices and has no bone in the textures: bake the set again`);
        check((offset ?? 0) <= MAX_INDEX, `the bone offset ${offset} is too large; expected at most ${MAX_INDEX}`);
        this.#boneOffsets.push(offset ?? 0);
        const bone = boneFromJoint.get(joint);
        const bind = skin.inverseBinds[k]!;
        const product = bone === undefined ? bind : compose(bone, bind);
        boneFromBind.push(translated(scaledLinear(product, 1 / scale), columnOf(product, 3)));
      });
    });
    check(boneFromBind.length <= MAX_INDEX, `the set has ${boneFromBind.length} palette indices; expected at most ${MAX_INDEX}`);
    info.inverseBindTable = this.#next();
    const isUsed = used.flat();
    const areTranslations = manifest.layout.bones !== undefined && boneFromBind.every((m, k) => !isUsed[k] || isIdentity(m));
    info.inverseBindsAreMatrices = areTranslations ? 0 : 1;
    for (const m of boneFromBind) {
      if (areTranslations) {
        this.#floats(columnOf(m, 3));
      } else {
        [0, 4, 8].forEach((row) => this.#floats(m.slice(row, row + 4)));
      }
    }
    if (isDual && !areTranslations) {
      info.dualInverseBindTable = this.#next();
      for (const m of boneFromBind) {
        const real = quatFromAffine(m);
        const [x, y, z] = columnOf(m, 3);
        this.#floats(real);
        this.#floats(quatProduct([x / 2, y / 2, z / 2, 0], real));
      }
    }
    info.paletteLen = boneFromBind.length;
    info.paletteStride = 3 * boneFromBind.length;
    info.boneOffsetTable = this.#next();
    for (let k = 0; k < this.#boneOffsets.length; k += 4) {
      this.#records.push([0, 1, 2, 3].map((i) => this.#boneOffsets[k + i] ?? 0) as unknown as Record4);
    }
  }

  /** True if any part is skinned by dual quaternions; fails if the joints of the set do not allow it. */
  #checkMethods(): boolean {
    const { set } = this;
    const deforms = set.model.parts.map((part) => partDeform(set, part));
    const isDual = deforms.some((deform) => deform.kind === 'skinned' && deform.method !== 'lbs');
    check(!isDual || isAlwaysRigid(set), 'dual quaternions need rigid joints, and the joints of this set have scale or shear: bake with --method lbs, or to a vertex encoding');
    return isDual;
  }

  /** Appends the ranges of morph weights, or the rest weights if the set does not animate them. */
  #morphs(): void {
    const { manifest, model, textures, hasJoints } = this.set;
    const weights = model.morphSets.flat();
    if (weights.length === 0) {
      return;
    }
    const { morphs } = manifest;
    this.#info.morphTable = this.#next();
    if (!morphs || !hasJoints) {
      weights.forEach((weight) => this.#floats([weight]));
      return;
    }
    this.#info.morphs = this.#grid(morphs.grid);
    const raw = rawMapping(textures[morphs.grid.texture]!);
    for (let n = 0; n < morphs.weights; n++) {
      const [center, half] = morphs.range ? [morphs.range.center[n]!, morphs.range.half_extent[n]!] : [0, 1];
      this.#floats([center + half * raw.offset, half * raw.scale]);
    }
  }
}

/** Palette index of the first joint of each skin. */
function firstPaletteIndices(skins: readonly Skin[]): number[] {
  let next = 0;
  return skins.map(({ joints }) => {
    const first = next;
    next += joints.length;
    return first;
  });
}

function usedPaletteIndices({ model }: TextureSet): boolean[][] {
  const used = model.skins.map(({ joints }) => joints.map(() => false));
  for (const part of model.parts) {
    for (const influences of part.influences) {
      for (const { joint } of influences) {
        used[part.skin]![joint] = true;
      }
    }
  }
  return used;
}

/** Scale that the palette matrices of all used joints have in common. Rigid encodings cannot change it, so one time is enough. */
function commonScale(set: TextureSet, skin: Skin, used: readonly boolean[]): number {
  const pose = set.pose({ clip: 0, secs: 0 });
  let common: number | null = null;
  skin.joints.forEach((joint, k) => {
    if (!used[k]) {
      return;
    }
    const matrix = compose(pose[joint]!, skin.inverseBinds[k]!);
    common ??= Math.cbrt(determinant(matrix));
    const rotation = scaledLinear(matrix, 1 / common);
    const axes = ([0, 1, 2] as const).map((column) => columnOf(rotation, column));
    const isRigid = axes.every((a, i) => axes.every((b, j) => Math.abs(dot(a, b) - (i === j ? 1 : 0)) <= RIGID_TOLERANCE));
    check(common > 0 && isRigid, 'dual quaternions need rigid joints, and the joints of this set have scale or shear: bake with --method lbs');
  });
  return common ?? 1;
}

/** True if the encoding can store rigid joints only. */
function isAlwaysRigid(set: TextureSet): boolean {
  const { bones } = set.manifest.layout;
  if (bones) {
    const kind = boneKind(bones);
    return kind === 'dual' || kind === 'rotation' || (kind === 'axes' && set.manifest.interpolation === 'nlerp');
  }
  const joints = set.jointCurves;
  if (joints === null || joints.channels === 2) {
    return joints !== null;
  }
  const moves = (curve: number) => set.clips.some((_, clip) => joints.curves.rank(joints.curves.clip(clip).firstWord, curve) !== null);
  // Non-uniform scale becomes shear when a child joint rotates.
  return joints.records.every(({ scale }, record) => Math.max(...scale) - Math.min(...scale) <= 1e-6 && !moves(3 * record + 2));
}

function isIdentity(m: Affine): boolean {
  return m.every((x, k) => k % 4 === 3 || Math.abs(x - (k % 5 === 0 ? 1 : 0)) <= IDENTITY_TOLERANCE);
}

/** Mapping from raw texel values to -1 to 1: `offset + scale * raw`; `level` maps them to 0 to 1. */
interface RawMapping {
  readonly offset: number;
  readonly scale: number;
  readonly level: number;
}

const FLOATS: RawMapping = { offset: 0, scale: 1, level: 1 };

function rawMapping(texels: Texels): RawMapping {
  if (texels.isFloat) {
    return FLOATS;
  }
  const level = texelKind(texels.format) === 'float' ? 1 : 1 / 65535;
  return { offset: -1, scale: 2 * level, level };
}

/** Offset and scale from raw values to values of a range. */
function rangedMapping(raw: RawMapping, range: Range | null, metres: number): [Numbers4, Numbers4] {
  const offset: Numbers4 = [0, 0, 0, 0].map(() => raw.offset * metres) as Numbers4;
  const scale: Numbers4 = [0, 0, 0, 0].map(() => raw.scale * metres) as Numbers4;
  range?.center.slice(0, 4).forEach((center, k) => {
    const half = range.half_extent[k]!;
    offset[k] = (center + half * raw.offset) * metres;
    scale[k] = half * raw.scale * metres;
  });
  return [offset, scale];
}

/** Offset at which shaders read a bone. Ranges per bone are found from it, so bones must be contiguous. */
function boneOffset(layout: BoneLayout, index: number): number {
  const first = layout.bones[index]!.first_value;
  const kind = boneKind(layout);
  if (kind === 'scaled') {
    return index;
  }
  const values = { rows: 12, columns: 12, dual: 8, rotation: 6, axes: 12 }[kind];
  if (first !== values * index) {
    throw new ThrongError('the bones of the set are not contiguous: bake it again');
  }
  return kind === 'axes' ? index : kind === 'rotation' ? first / 2 : first / 4;
}

