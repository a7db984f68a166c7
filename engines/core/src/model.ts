import { affineFromColumns, affineFromMatrix, affineFromTrs, compose, type Affine, type Vec3 } from './affine.js';
import { check } from './error.js';
import type { Glb } from './glb.js';
import type { GltfMesh } from './gltf.js';
import type { Manifest } from './manifest.js';
import { readImages, readMaterials, type SourceImage, type SourceMaterial } from './material.js';

/** Mesh, skeleton and materials of a set. */
export interface Model {
  readonly parts: readonly Part[];
  readonly skins: readonly Skin[];
  /** `model_from_joint` of every joint in the rest pose. */
  readonly restPose: readonly Affine[];
  readonly materials: readonly SourceMaterial[];
  readonly images: readonly SourceImage[];
  /** Weights of each morph set at rest. */
  readonly morphSets: readonly (readonly number[])[];
}

export interface Skin {
  /** Indices of joints, one per palette index. */
  readonly joints: readonly number[];
  /** Inverse bind matrices for positions in metres, one per palette index. */
  readonly inverseBinds: readonly Affine[];
}

/** A drawn part of the character: one mesh with one material. */
export interface Part {
  readonly name: string;
  readonly skin: number;
  /** Number of vertices. */
  readonly vertices: number;
  /** Metres, in bind space; in vertex sets the rest pose in model space. */
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  /** Texture coordinates; null where the source has none. */
  readonly uvs: Float32Array | null;
  /** RGBA; null where the source has none. */
  readonly colors: Float32Array | null;
  /** Triangles. */
  readonly indices: Uint32Array;
  /** Influences of each vertex, heaviest first. */
  readonly influences: readonly (readonly Influence[])[];
  /** Index into {@link Model.materials}; -1 for none. */
  readonly material: number;
  readonly authoredMethod: string;
  /** Blend factor of each vertex between LBS (0) and DQS (1); null unless the source states one. */
  readonly blendFactors: Float32Array | null;
  /** Items of the textures of a vertex set, one per vertex; null in bone sets. */
  readonly uniquePositions: Uint32Array | null;
  readonly uniqueNormals: Uint32Array | null;
  readonly morphTargets: readonly MorphTarget[];
  /** Index into {@link Model.morphSets}; -1 for none. */
  readonly morphSet: number;
}

export interface Influence {
  /** Palette index of the part's skin. */
  readonly joint: number;
  readonly weight: number;
}

export interface MorphTarget {
  /** Differences, metres. */
  readonly positions: Float32Array;
  readonly normals: Float32Array | null;
}

/** Reads the mesh of a set: see docs/format.md, section 14. */
export function readModel(glb: Glb, manifest: Manifest): Model {
  const { json } = glb;
  const joints = manifest.joints.length;
  check(
    (json.nodes?.length ?? 0) >= joints + manifest.parts.length,
    `${glb.where}: the mesh has ${json.nodes?.length ?? 0} nodes, expected ${joints} joints and ${manifest.parts.length} parts`,
  );
  const isVertexSet = manifest.layout.vertices !== undefined || manifest.layout['vertex-curves'] !== undefined;
  const morphSets = (json.extras?.throng?.morph_sets ?? []).map(({ weights }) => weights);
  return {
    parts: manifest.parts.map((_, index) => readPart(glb, manifest, index, isVertexSet)),
    skins: manifest.skins.map((skin, index) => ({ joints: skin.joints, inverseBinds: readInverseBinds(glb, index, skin.joints.length) })),
    restPose: readRestPose(glb, manifest),
    materials: readMaterials(glb),
    images: readImages(glb),
    morphSets,
  };
}

function readRestPose({ json }: Glb, manifest: Manifest): Affine[] {
  const models: Affine[] = [];
  manifest.joints.forEach(({ parent }, index) => {
    const node = json.nodes![index]!;
    const local = affineFromTrs(node.translation ?? [0, 0, 0], node.rotation ?? [0, 0, 0, 1], node.scale ?? [1, 1, 1]);
    models.push(parent === null ? local : compose(models[parent]!, local));
  });
  return models;
}

function quantizationOf(mesh: GltfMesh | undefined): { step: number; offset: Vec3 } {
  return mesh?.extras?.throng?.quantization ?? { step: 1, offset: [0, 0, 0] };
}

function readInverseBinds(glb: Glb, index: number, count: number): Affine[] {
  const { json } = glb;
  const skin = json.skins?.[index];
  const inMetres = skin?.extras?.throng?.inverse_bind_matrices;
  const accessor = inMetres ?? skin?.inverseBindMatrices;
  check(accessor !== undefined, `${glb.where}: skin ${index} has no inverse bind matrices`);
  const numbers = glb.floats(accessor);
  check(numbers.length >= 16 * count, `${glb.where}: skin ${index} has ${numbers.length / 16} inverse bind matrices, expected ${count}`);
  const matrices = Array.from({ length: count }, (_, k) => affineFromMatrix(numbers, 16 * k));
  if (inMetres !== undefined) {
    return matrices;
  }
  const meshes = (json.nodes ?? []).filter((node) => node.skin === index).map((node) => json.meshes?.[node.mesh ?? -1]);
  const quantized = meshes.find((mesh) => mesh?.extras?.throng?.quantization !== undefined);
  if (quantized === undefined) {
    return matrices;
  }
  const { step, offset } = quantizationOf(quantized);
  // Each result is rounded to float32, as other readers do.
  return matrices.map((m) => {
    const linear = m.map((x, k) => (k % 4 === 3 ? x : Math.fround(x / step))) as unknown as Affine;
    const t = [0, 4, 8].map((r) => Math.fround(linear[r + 3]! - (linear[r]! * offset[0] + linear[r + 1]! * offset[1] + linear[r + 2]! * offset[2])));
    return affineFromColumns(
      [linear[0], linear[4], linear[8]],
      [linear[1], linear[5], linear[9]],
      [linear[2], linear[6], linear[10]],
      t as unknown as Vec3,
    );
  });
}

function readPart(glb: Glb, manifest: Manifest, index: number, isVertexSet: boolean): Part {
  const { json, where } = glb;
  const entry = manifest.parts[index]!;
  const node = json.nodes![manifest.joints.length + index]!;
  const mesh = json.meshes?.[node.mesh ?? -1];
  const primitive = mesh?.primitives[0];
  check(mesh !== undefined && primitive !== undefined, `${where}: part ${index} has no mesh`);
  const extras = mesh.extras?.throng;
  const count = extras?.vertices ?? entry.vertices;
  check(count === entry.vertices, `${where}: part ${index} has ${count} vertices, expected ${entry.vertices}`);
  const attribute = (name: string, width: number): Float32Array | null => {
    const accessor = primitive.attributes[name];
    if (accessor === undefined) {
      return null;
    }
    const numbers = glb.floats(accessor);
    check(numbers.length >= width * count, `${where}: ${name} of part ${index} has ${numbers.length / width} elements, expected ${count}`);
    return numbers.subarray(0, width * count);
  };
  const required = (name: string, width: number): Float32Array => {
    const found = attribute(name, width);
    check(found !== null, `${where}: part ${index} has no ${name}`);
    return found;
  };
  const { step, offset } = quantizationOf(mesh);
  const positions = isVertexSet
    ? required('_REST_POSITION', 3)
    : required('POSITION', 3).map((x, k) => offset[k % 3]! + step * x);
  const normals = isVertexSet
    ? required('_REST_NORMAL', 3)
    : (attribute('_SOURCE_NORMAL', 3) ?? unitVectors(required('NORMAL', 3)));
  const items = (name: string, first: number, end: number): Uint32Array | null => {
    if (!isVertexSet) {
      return null;
    }
    const found = Uint32Array.from(required(name, 1), (item) => first + item);
    check(found.every((item) => item < first + end), `${where}: ${name} of part ${index} is out of range`);
    return found;
  };
  const indices = primitive.indices === undefined || extras?.triangles === 0 ? new Uint32Array(0) : glb.integers(primitive.indices);
  check(indices.every((vertex) => vertex < count), `${where}: an index of part ${index} is out of range`);
  const joints = manifest.skins[entry.skin]!.joints.length;
  const influences = isVertexSet ? [] : readInfluences(attribute, count);
  check(
    influences.every((of) => of.every(({ joint }) => joint < joints)),
    `${where}: a vertex of part ${index} has a joint that its skin does not have`,
  );
  const hasUvs = (extras as { stand_in_uvs?: boolean } | undefined)?.stand_in_uvs !== true;
  return {
    name: entry.name,
    skin: entry.skin,
    vertices: count,
    positions,
    normals,
    uvs: hasUvs ? attribute('TEXCOORD_0', 2) : null,
    colors: readColors(attribute, primitive.attributes),
    indices,
    influences,
    material: primitive.material ?? -1,
    authoredMethod: extras?.authored_method ?? 'linear',
    blendFactors: attribute('_BLEND_FACTOR', 1),
    uniquePositions: items('_UNIQUE_POSITION', entry.first_position, entry.positions),
    uniqueNormals: items('_UNIQUE_NORMAL', entry.first_normal, entry.normals),
    morphTargets: isVertexSet
      ? []
      : (primitive.targets ?? []).map((target) => ({
          positions: target.POSITION === undefined ? new Float32Array(3 * count) : glb.floats(target.POSITION).map((x) => step * x),
          normals: target.NORMAL === undefined ? null : glb.floats(target.NORMAL),
        })),
    morphSet: node.extras?.throng?.part?.morph_set ?? -1,
  };
}

type ReadAttribute = (name: string, width: number) => Float32Array | null;

function readColors(attribute: ReadAttribute, names: Readonly<Record<string, number>>): Float32Array | null {
  // With bones in COLOR_0 the colours of the mesh are COLOR_1.
  const set = 'COLOR_1' in names || '_SOURCE_COLOR_1' in names ? 1 : 0;
  return attribute(`_SOURCE_COLOR_${set}`, 4) ?? attribute(`COLOR_${set}`, 4);
}

function readInfluences(attribute: ReadAttribute, count: number): Influence[][] {
  const sets: (readonly [Float32Array, Float32Array])[] = [];
  for (let n = 0; ; n++) {
    const joints = attribute(`JOINTS_${n}`, 4);
    const weights = attribute(`WEIGHTS_${n}`, 4);
    if (joints === null || weights === null) {
      break;
    }
    sets.push([joints, weights]);
  }
  return Array.from({ length: count }, (_, vertex) => {
    const found: Influence[] = [];
    for (const [joints, weights] of sets) {
      for (let k = 0; k < 4; k++) {
        const weight = weights[4 * vertex + k]!;
        if (weight === 0) {
          return found;
        }
        found.push({ joint: joints[4 * vertex + k]!, weight });
      }
    }
    return found;
  });
}

function unitVectors(vectors: Float32Array): Float32Array {
  const out = vectors.slice();
  for (let at = 0; at < out.length; at += 3) {
    const length = Math.hypot(out[at]!, out[at + 1]!, out[at + 2]!);
    for (let k = 0; k < 3 && length > 0; k++) {
      out[at + k]! /= length;
    }
  }
  return out;
}
