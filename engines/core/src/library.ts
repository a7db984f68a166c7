import type { Deform } from './deform.js';
import { ThrongError } from './error.js';
import { printOptions } from './options.js';
import { printSetInfo } from './set_info.js';
import type { SetTables } from './tables.js';

/** Generated shader functions: each text once, and the texts of each variant. See docs/format.md, section 20. */
export interface ShaderLibrary {
  readonly bindings: readonly string[];
  readonly items: readonly string[];
  readonly variants: Readonly<Record<string, readonly string[]>>;
}

const BONE_NAMES = {
  rows: 'bone-matrix',
  columns: 'bone-matrix-columns',
  dual: 'bone-dq',
  rotation: 'bone-qt',
  scaled: 'bone-qt-scaled',
  axes: 'virtual-bones',
} as const;

/** Variant that fills the palette of `bone-local`. */
export const PALETTE_VARIANT = 'fill-palette.curves';

/** Name of the variant that deforms a part. */
export function variantName(deform: Deform): string {
  switch (deform.kind) {
    case 'vertex-curves':
      return 'vertex-curves';
    case 'vertices':
      return `${deform.isRay ? 'vertex-ray' : 'vertex'}.${deform.texels}.${deform.isOctahedral ? 'octahedral' : 'xyz'}`;
    case 'skinned': {
      const { bones, method, morphs } = deform;
      const joints = bones === null ? 'palette' : `${BONE_NAMES[bones.kind]}.${bones.texels}.${bones.interpolation}`;
      return `${joints}.${method}${morphs === 'none' ? '' : `.morphs-${morphs}`}`;
    }
  }
}

/** Name of the variant that fills the palettes that `variantName({ ...deform, bones: null })` reads. Null where none does. */
export function fillVariantName(deform: Deform): string | null {
  if (deform.kind !== 'skinned' || deform.bones?.interpolation === 'slerp-vertices') {
    return null;
  }
  const { bones } = deform;
  return bones === null ? PALETTE_VARIANT : `fill-palette.${BONE_NAMES[bones.kind]}.${bones.texels}.${bones.interpolation}`;
}

/** Source of a variant with the description of a set compiled in. */
export interface VariantSource {
  /** Declarations of textures. */
  readonly bindings: string;
  /** Structs, constants and functions. */
  readonly functions: string;
}

/** Returns the source of a variant for a set. */
export function variantSource(library: ShaderLibrary, variant: string, tables: SetTables): VariantSource {
  const [bindings, items] = library.variants[variant] ?? [];
  if (bindings === undefined || items === undefined) {
    throw new ThrongError(`there are no shader functions '${variant}': update throng-core, or bake with another encoding or method`);
  }
  const texts = pick(library.items, items).map((item) => withValues(item, tables));
  return { bindings: pick(library.bindings, bindings).join('\n'), functions: texts.join('\n\n') };
}

/**
 * Replaces the description of zeros and the options that fit every set by those of a set. Constant structs crash Chromium's
 * software driver, so GLSL gets variables.
 */
function withValues(item: string, { info, options }: SetTables): string {
  if (!item.startsWith('// throng:begin')) {
    return item;
  }
  return item
    .replace(/= throng_SetInfo\([\s\S]*\);/, () => `= ${printSetInfo(info)};`)
    .replace(/= throng_Options\([\s\S]*\);/, () => `= ${printOptions(options)};`)
    .replace(/^const (throng_\w+ throng_)/m, '$1');
}

/** Texts of a set of indices: bit `k` of hexadecimal digit `n` stands for index `4 n + k`. */
function pick(texts: readonly string[], digits: string): string[] {
  return texts.filter((_, index) => (parseInt(digits[index >> 2] ?? '0', 16) >> (index & 3)) & 1);
}
