import { blendFactor } from './method.js';
import { floatBits } from './play.js';
import type { TextureSet } from './set.js';
import type { SetTables } from './tables.js';

/** Vertex attributes of one part, as the shader functions take them. */
export interface PartAttributes {
  /** Undeformed positions, three numbers per vertex. */
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  /** Blend factor between LBS (0) and DQS (1); null where it is 1 for every vertex. */
  readonly blendFactors: Float32Array | null;
  /** Four influences per vertex, heaviest first: palette index + 65 536 · bone offset. Null in vertex sets. */
  readonly joints: Uint32Array | null;
  readonly weights: Float32Array | null;
  /** First influence past the fourth, their number; then the items of position and normal, or the morph targets. */
  readonly indices: Uint32Array;
}

/** Attributes of all parts, and the textures that they point into. */
export interface SetAttributes {
  readonly parts: readonly PartAttributes[];
  /** Influences past the fourth: joint, and the bits of the weight. Two words each. */
  readonly influences: Uint32Array;
  /** Differences of morph targets, two texels of four words per target and vertex: position and normal. */
  readonly morphTargets: Uint32Array;
}

/** Packs the vertex attributes of a set. */
export function setAttributes(set: TextureSet, tables: SetTables): SetAttributes {
  const { model, manifest } = set;
  const influences: number[] = [];
  const morphTargets: number[] = [];
  const firstWeights = morphStarts(model.morphSets);
  const parts = model.parts.map((part): PartAttributes => {
    const scale = set.hasJoints ? tables.meshScales[part.skin]! : 1;
    const positions = scale === 1 ? part.positions : part.positions.map((x) => x * scale);
    const indices = new Uint32Array(4 * part.vertices);
    if (part.uniquePositions !== null) {
      for (let v = 0; v < part.vertices; v++) {
        indices.set([0, 0, itemRow(set, 'positions', part.uniquePositions[v]!), itemRow(set, 'normals', part.uniqueNormals![v]!)], 4 * v);
      }
      return { positions, normals: part.normals, blendFactors: null, joints: null, weights: null, indices };
    }
    const joints = new Uint32Array(4 * part.vertices);
    const weights = new Float32Array(4 * part.vertices);
    const factors = Float32Array.from({ length: part.vertices }, (_, v) => blendFactor(manifest.method, part, v));
    const first = tables.firstPaletteIndices[part.skin]!;
    for (let v = 0; v < part.vertices; v++) {
      indices[4 * v] = influences.length / 2;
      part.influences[v]!.forEach(({ joint, weight }, k) => {
        const index = first + joint;
        const word = index + tables.boneOffsets[index]! * 65536;
        if (k < 4) {
          // Shaders may read joints of weight 0, so the rest repeats a joint of the vertex.
          joints.fill(word, 4 * v + k, 4 * v + 4);
          weights[4 * v + k] = weight;
        } else {
          influences.push(word, floatBits(weight));
          indices[4 * v + 1]!++;
        }
      });
      const morphs = model.morphSets[part.morphSet]?.length ?? 0;
      if (morphs > 0) {
        indices[4 * v + 2] = morphTargets.length / 4;
        indices[4 * v + 3] = morphs * 65536 + firstWeights[part.morphSet]!;
        for (const { positions: deltas, normals } of part.morphTargets) {
          const texel = (numbers: Float32Array | null, factor: number) => [0, 1, 2].map((k) => floatBits((numbers?.[3 * v + k] ?? 0) * factor));
          morphTargets.push(...texel(deltas, scale), 0, ...texel(normals, 1), 0);
        }
      }
    }
    const blendFactors = factors.every((factor) => factor === 1) ? null : factors;
    return { positions, normals: part.normals, blendFactors, joints, weights, indices };
  });
  return { parts, influences: Uint32Array.from(influences), morphTargets: Uint32Array.from(morphTargets) };
}

/** Index of the first weight of each morph set among all weights. */
function morphStarts(sets: readonly (readonly number[])[]): number[] {
  let next = 0;
  return sets.map((weights) => {
    const first = next;
    next += weights.length;
    return first;
  });
}

/** Item of a unique position or normal; with pages, its row in the pages of a clip. */
function itemRow({ manifest }: TextureSet, grid: 'positions' | 'normals', item: number): number {
  const pages = manifest.layout.vertices?.[grid].pages;
  if (!pages) {
    return item;
  }
  const mesh = pages.item_starts.findLastIndex((start) => start <= item);
  return mesh * pages.rows + item - pages.item_starts[mesh]!;
}
