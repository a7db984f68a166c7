import { add, lerp, normalized, scaled, type Vec3 } from './affine.js';
import { framePair, timeInClip } from './clip.js';
import { Curves } from './curves.js';
import { check } from './error.js';
import { Grid, ranged } from './grid.js';
import type { Part } from './model.js';
import type { TextureSet } from './set.js';

/** Positions and normals of one part, three numbers per vertex. */
export interface PosedVertices {
  readonly positions: Float64Array;
  readonly normals: Float64Array;
}

const UP: Vec3 = [0, 1, 0];

/**
 * Decodes the vertices of a vertex set, in model space.
 *
 * @param clip - index of the clip
 * @param secs - seconds from the start of the clip; wrapped or clamped by its loop policy
 */
export function decodeVertices(set: TextureSet, clip: number, secs: number): PosedVertices[] {
  const decode = set.manifest.layout.vertices ? gridDecoder(set, clip, secs) : curveDecoder(set, clip, secs);
  return set.model.parts.map((part) => posed(part, decode));
}

interface Decoder {
  offset(item: number): Vec3;
  normal(item: number): Vec3;
}

function posed(part: Part, { offset, normal }: Decoder): PosedVertices {
  const positions = new Float64Array(3 * part.vertices);
  const normals = new Float64Array(3 * part.vertices);
  for (let v = 0; v < part.vertices; v++) {
    const rest: Vec3 = [part.positions[3 * v]!, part.positions[3 * v + 1]!, part.positions[3 * v + 2]!];
    positions.set(add(rest, offset(part.uniquePositions![v]!)), 3 * v);
    normals.set(normal(part.uniqueNormals![v]!), 3 * v);
  }
  return { positions, normals };
}

function gridDecoder({ manifest, textures }: TextureSet, clip: number, secs: number): Decoder {
  const layout = manifest.layout.vertices!;
  const entry = manifest.clips[clip]!;
  const { first, second, fraction } = framePair(entry, timeInClip(entry, secs));
  const positions = new Grid(layout.positions, textures[layout.positions.texture]!);
  const normals = new Grid(layout.normals, textures[layout.normals.texture]!);
  const isRay = manifest.encoding === 'vertex-ray';
  const signed = (grid: Grid, frame: number, item: number): Vec3 => {
    const texel = grid.texel(frame, item);
    return [grid.texels.signed(texel, 0), grid.texels.signed(texel, 1), grid.texels.signed(texel, 2)];
  };
  const offsetAt = (frame: number, item: number): Vec3 => {
    let x = signed(positions, frame, item);
    if (isRay) {
      x = scaled(normalized(x, [0, 0, 0]), positions.texels.value(positions.texel(frame, item), 3));
    }
    return x.map((value, k) => ranged(value, layout.range, k)) as unknown as Vec3;
  };
  const isOctahedral = layout.normal_code === 'octahedral';
  const normalAt = (frame: number, item: number): Vec3 => {
    const [x, y, z] = signed(normals, frame, item);
    return isOctahedral ? fromOctahedron(x, y) : [x, y, z];
  };
  return {
    offset: (item) => scaled(lerp(offsetAt(first, item), offsetAt(second, item), fraction), manifest.axes.metres_per_unit),
    normal: (item) => {
      const a = normalAt(first, item);
      return normalized(lerp(a, normalAt(second, item), fraction), isOctahedral ? a : UP);
    },
  };
}

function curveDecoder({ manifest, textures }: TextureSet, clip: number, secs: number): Decoder {
  const layout = manifest.layout['vertex-curves'];
  check(layout !== undefined, `the set '${manifest.name}' is a bone set: its vertices are skinned on the GPU`);
  const curves = new Curves(textures[layout.texture]!.words, layout.clip_table, layout.positions + layout.normals);
  const moment = curves.moment(clip, timeInClip(manifest.clips[clip]!, secs));
  return {
    offset: (item) => add(layout.center, scaled(curves.vectorCurve(moment, item), layout.scale)),
    normal: (item) => normalized(curves.vectorCurve(moment, layout.positions + item), UP),
  };
}

function fromOctahedron(x: number, y: number): Vec3 {
  const z = 1 - Math.abs(x) - Math.abs(y);
  const fold = Math.max(-z, 0);
  const away = (value: number) => value - (value < 0 || Object.is(value, -0) ? -fold : fold);
  return normalized<Vec3>([away(x), away(y), z], UP);
}
