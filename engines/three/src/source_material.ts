import type { SourceMaterial, Wrap } from 'throng-core';
import {
  ClampToEdgeWrapping,
  Color,
  DoubleSide,
  FrontSide,
  MeshStandardMaterial,
  MirroredRepeatWrapping,
  RepeatWrapping,
  SRGBColorSpace,
  Texture,
  type Material,
} from 'three';
import type { ThrongSet } from './set.js';

/** A material with the properties that a source material sets, where the kind of material has them. */
type Paintable = Material & { color?: Color; map?: Texture | null; vertexColors: boolean };

const WRAPS: Record<Wrap, typeof RepeatWrapping | typeof ClampToEdgeWrapping | typeof MirroredRepeatWrapping> = {
  repeat: RepeatWrapping,
  clamp: ClampToEdgeWrapping,
  mirror: MirroredRepeatWrapping,
};

const maps = new WeakMap<ThrongSet, Map<string, Texture>>();

/**
 * Makes the material of a part: a copy of `template`, or a standard material, with the base colour, texture, alpha and
 * sidedness of the source. A texture that the template has stays.
 */
export function partMaterial(set: ThrongSet, index: number, template: Material | null, hasColors: boolean): Material {
  const material: Paintable = template?.clone() ?? new MeshStandardMaterial({ roughness: 0.9 });
  const source = set.source.model.materials[index];
  if (source === undefined) {
    return material;
  }
  const [r, g, b, a] = source.baseColor;
  if (material.color !== undefined) {
    material.color.multiply(new Color(r, g, b));
  }
  if (source.texture !== null && 'map' in material && !material.map) {
    material.map = textureOf(set, source);
  }
  material.vertexColors ||= hasColors;
  if (source.alphaMode === 'mask') {
    material.alphaTest = source.alphaCutoff;
  } else if (source.alphaMode === 'blend') {
    material.transparent = true;
  }
  if (source.alphaMode !== 'opaque') {
    material.opacity *= a;
  }
  if (template === null || template.side === FrontSide) {
    material.side = source.doubleSided ? DoubleSide : FrontSide;
  }
  return material;
}

/** Frees the textures of the materials of a set. */
export function releaseMaps(set: ThrongSet): void {
  maps.get(set)?.forEach((map) => map.dispose());
  maps.delete(set);
}

/** The texture of a material. Crowds of a set share it. */
function textureOf(set: ThrongSet, { texture }: SourceMaterial): Texture | null {
  const image = set.images[texture!.image];
  if (image === undefined) {
    return null;
  }
  const known = maps.get(set) ?? new Map<string, Texture>();
  maps.set(set, known);
  const key = JSON.stringify(texture);
  let map = known.get(key);
  if (map === undefined) {
    map = new Texture(image);
    map.flipY = false;
    map.colorSpace = SRGBColorSpace;
    map.wrapS = WRAPS[texture!.wrapS];
    map.wrapT = WRAPS[texture!.wrapT];
    map.generateMipmaps = true;
    map.needsUpdate = true;
    known.set(key, map);
  }
  return map;
}
