import { fillVariantName, partDeform, setAttributes, setTables, variantName, type PartAttributes, type SetTables } from 'throng-core';
import { BufferAttribute, type BufferGeometry, InstancedBufferGeometry, IntType, Sphere, Uint32BufferAttribute, type Texture } from 'three';
import type { ThrongSet } from './set.js';
import { releaseMaps } from './source_material.js';
import { setTextures, type SetTextures } from './textures.js';

/** Textures, attributes and shader variants that crowds of a set share. */
export interface CrowdModel {
  readonly tables: SetTables;
  readonly textures: SetTextures;
  /** Copies of {@link textures} with 32-bit integers, for WebGPURenderer; null until a crowd needs them. */
  wideTextures: SetTextures | null;
  readonly parts: readonly ModelPart[];
  /** Number of crowds that use it. */
  users: number;
}

export interface ModelPart {
  readonly variant: string;
  /** Variant that reads palettes, and the one that fills them. Null where there are none. */
  readonly palette: { readonly variant: string; readonly fill: string } | null;
  readonly attributes: Readonly<Record<string, BufferAttribute>>;
  readonly index: BufferAttribute;
  /** True where the blend factor between LBS and DQS is an attribute. */
  readonly hasFactor: boolean;
}

const models = new WeakMap<ThrongSet, CrowdModel>();

/** Returns the model of a set, and counts another crowd that uses it. */
export function acquireModel(set: ThrongSet): CrowdModel {
  let model = models.get(set);
  if (model === undefined) {
    model = makeModel(set);
    models.set(set, model);
  }
  model.users++;
  return model;
}

/** Frees the textures of a set with its last crowd. */
export function releaseModel(set: ThrongSet): void {
  const model = models.get(set);
  if (model !== undefined && --model.users === 0) {
    const textures = new Set([...Object.values(model.textures), ...Object.values(model.wideTextures ?? {})]);
    textures.forEach((texture: Texture) => texture.dispose());
    releaseMaps(set);
    models.delete(set);
  }
}

function makeModel({ source }: ThrongSet): CrowdModel {
  const tables = setTables(source);
  const attributes = setAttributes(source, tables);
  const parts = source.model.parts.map((part, index): ModelPart => {
    const packed = attributes.parts[index]!;
    const deform = partDeform(source, part);
    const fill = fillVariantName(deform);
    return {
      variant: variantName(deform),
      palette: fill === null || deform.kind !== 'skinned' ? null : { variant: variantName({ ...deform, bones: null }), fill },
      attributes: partAttributes(packed, part.uvs, part.colors),
      index: new BufferAttribute(part.vertices <= 65536 ? Uint16Array.from(part.indices) : part.indices, 1),
      hasFactor: packed.blendFactors !== null,
    };
  });
  return { tables, textures: setTextures(source, tables, attributes), wideTextures: null, parts, users: 0 };
}

function partAttributes(packed: PartAttributes, uvs: Float32Array | null, colors: Float32Array | null): Record<string, BufferAttribute> {
  const integers = (words: Uint32Array) => {
    const attribute = new Uint32BufferAttribute(words, 4);
    attribute.gpuType = IntType;
    return attribute;
  };
  const attributes: Record<string, BufferAttribute> = {
    position: new BufferAttribute(packed.positions, 3),
    normal: new BufferAttribute(packed.normals, 3),
    throngIndices: integers(packed.indices),
  };
  if (uvs !== null) {
    attributes.uv = new BufferAttribute(uvs, 2);
  }
  if (colors !== null) {
    attributes.color = new BufferAttribute(colors, 4);
  }
  if (packed.joints !== null && packed.weights !== null) {
    attributes.throngJoints = integers(packed.joints);
    attributes.throngWeights = new BufferAttribute(packed.weights, 4);
  }
  if (packed.blendFactors !== null) {
    attributes.throngFactor = new BufferAttribute(packed.blendFactors, 1);
  }
  return attributes;
}

/** A geometry of its own for a crowd, whose attributes are shared. */
export function partGeometry(part: ModelPart): InstancedBufferGeometry {
  const geometry = new InstancedBufferGeometry();
  for (const [name, attribute] of Object.entries(part.attributes)) {
    geometry.setAttribute(name, attribute);
  }
  geometry.setIndex(part.index);
  geometry.instanceCount = 0;
  // Instances are culled by the crowd.
  geometry.boundingSphere = new Sphere(undefined, Infinity);
  return geometry;
}

/** Frees the geometry of a crowd. Its attributes are freed with the last crowd that uses them. */
export function disposeGeometry(geometry: BufferGeometry, { users }: CrowdModel): void {
  if (users > 1) {
    geometry.index = null;
    geometry.attributes = {};
  }
  geometry.dispose();
}
