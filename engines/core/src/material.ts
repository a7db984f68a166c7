import type { Glb } from './glb.js';

/** A material of the source file, as far as a set keeps it. */
export interface SourceMaterial {
  readonly name: string;
  /** Linear RGBA, multiplied with the texture and the vertex colours. */
  readonly baseColor: readonly [number, number, number, number];
  /** Base-colour texture, sRGB. */
  readonly texture: SourceTexture | null;
  /** `mask`: drawn where alpha is at least `alphaCutoff`. */
  readonly alphaMode: 'opaque' | 'mask' | 'blend';
  readonly alphaCutoff: number;
  readonly doubleSided: boolean;
}

export interface SourceTexture {
  /** Index into {@link Model.images}. */
  readonly image: number;
  readonly wrapS: Wrap;
  readonly wrapT: Wrap;
}

export type Wrap = 'repeat' | 'clamp' | 'mirror';

/** An encoded image, such as PNG or JPEG. */
export interface SourceImage {
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

const WRAPS: Record<number, Wrap> = { 33071: 'clamp', 33648: 'mirror', 10497: 'repeat' };

const ALPHA_MODES = { OPAQUE: 'opaque', MASK: 'mask', BLEND: 'blend' } as const;

export function readMaterials({ json }: Glb): SourceMaterial[] {
  return (json.materials ?? []).map((material) => {
    const pbr = material.pbrMetallicRoughness ?? {};
    return {
      name: material.name ?? '',
      baseColor: pbr.baseColorFactor ?? [1, 1, 1, 1],
      texture: readTexture(json, pbr.baseColorTexture?.index),
      alphaMode: ALPHA_MODES[material.alphaMode ?? 'OPAQUE'] ?? 'opaque',
      alphaCutoff: material.alphaCutoff ?? 0.5,
      doubleSided: material.doubleSided ?? false,
    };
  });
}

function readTexture(json: Glb['json'], index: number | undefined): SourceTexture | null {
  const texture = index === undefined ? undefined : json.textures?.[index];
  if (texture?.source === undefined) {
    return null;
  }
  const sampler = texture.sampler === undefined ? undefined : json.samplers?.[texture.sampler];
  const wrap = (code: number | undefined) => WRAPS[code ?? 10497] ?? 'repeat';
  return { image: texture.source, wrapS: wrap(sampler?.wrapS), wrapT: wrap(sampler?.wrapT) };
}

export function readImages(glb: Glb): SourceImage[] {
  return (glb.json.images ?? []).map((image) => ({
    mimeType: image.mimeType ?? 'image/png',
    bytes: image.bufferView === undefined ? new Uint8Array(0) : glb.view(image.bufferView),
  }));
}
