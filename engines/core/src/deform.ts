import { check, ThrongError } from './error.js';
import type { TexelFormat } from './limits.js';
import type { BoneLayout, Interpolation } from './manifest.js';
import { skinMethod, type SkinMethod } from './method.js';
import type { Part } from './model.js';
import type { TextureSet } from './set.js';

/** Texels as a shader reads them: floats, integers, two texels of four 16-bit integers at once, or 16-bit pairs as bytes. */
export type TexelKind = 'float' | 'uint' | 'pairs' | 'bytes';

/** Form of bones in a shader. */
export type BoneKind = 'rows' | 'columns' | 'dual' | 'rotation' | 'scaled' | 'axes';

/** Shader functions that deform a part: their choice among all that Throng has. */
export type Deform =
  | { readonly kind: 'vertex-curves' }
  | {
      readonly kind: 'vertices';
      readonly texels: TexelKind;
      readonly isRay: boolean;
      readonly isOctahedral: boolean;
    }
  | {
      readonly kind: 'skinned';
      /** Null: joints are read from a palette, which a pass before fills. */
      readonly bones: { readonly kind: BoneKind; readonly texels: TexelKind; readonly interpolation: Interpolation } | null;
      readonly method: SkinMethod;
      /** Weights of morph targets: none, those at rest, or from a texture with such texels. */
      readonly morphs: 'none' | 'rest' | TexelKind;
    };

/** Texels of a format as shaders read them, unless two are read at once. */
export function texelKind(format: TexelFormat): TexelKind {
  switch (format) {
    case 'rgb16-unorm':
    case 'rgba16-unorm':
    case 'r32-uint':
      return 'uint';
    case 'rg16-unorm':
      return 'bytes';
    default:
      return 'float';
  }
}

/** Form of the bones of a layout. */
export function boneKind(layout: BoneLayout): BoneKind {
  switch (layout.code) {
    case 'matrix-rows':
      return 'rows';
    case 'matrix-columns':
      return 'columns';
    case 'dual-quaternion':
      return 'dual';
    case 'axes':
      return 'axes';
    case 'rotation-position':
      return layout.bones.some((bone) => bone.has_scale) ? 'scaled' : 'rotation';
    default:
      throw new ThrongError('the presets p3-virtual-bones and p3-virtual-bones-split are unsupported: bake with --encoding virtual-bones');
  }
}

/** Texels of bones: pairs if two texels of a bone are always in one row. */
export function boneTexels({ textures }: TextureSet, layout: BoneLayout): TexelKind {
  const { grid } = layout;
  const { format } = textures[grid.texture]!;
  const areInOneRow =
    grid.order === 'rows' && grid.first_column % 2 === 0 && (grid.rows_per_frame === 1 || grid.columns % 2 === 0);
  const supportsPairs = format === 'rgba16-unorm' && ['rows', 'columns', 'dual', 'axes'].includes(boneKind(layout));
  return supportsPairs && areInOneRow ? 'pairs' : texelKind(format);
}

/** Returns the shader functions of a part. */
export function partDeform(set: TextureSet, part: Part): Deform {
  const { manifest, textures, model } = set;
  const { vertices, bones } = manifest.layout;
  if (vertices) {
    return {
      kind: 'vertices',
      texels: texelKind(textures[vertices.positions.texture]!.format),
      isRay: manifest.encoding === 'vertex-ray',
      isOctahedral: vertices.normal_code === 'octahedral',
    };
  }
  if (manifest.layout['vertex-curves']) {
    return { kind: 'vertex-curves' };
  }
  const hasMorphs = model.morphSets.some((weights) => weights.length > 0);
  const { morphs } = manifest;
  const method = skinMethod(manifest.method, part);
  check(
    method !== 'dqs-plain' && method !== 'dqs-direct',
    `the skinning method ${method} needs a palette made on the CPU, which no encoding has: bake with --method dqs`,
  );
  return {
    kind: 'skinned',
    bones: bones ? { kind: boneKind(bones), texels: boneTexels(set, bones), interpolation: manifest.interpolation } : null,
    method,
    morphs: !hasMorphs ? 'none' : morphs ? texelKind(textures[morphs.grid.texture]!.format) : 'rest',
  };
}
