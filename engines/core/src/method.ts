import { check } from './error.js';
import type { Part } from './model.js';

/** Skinning method of a shader. The blend factor of `blend` and `blend-positions` is an attribute of vertices. */
export type SkinMethod = 'lbs' | 'dqs' | 'dqs-plain' | 'dqs-direct' | 'dqs-sum' | 'blend' | 'blend-positions';

/** Methods that no shader function has; sets of vertices are skinned already. */
const SKINNED_ELSEWHERE: readonly string[] = ['dqs-bulge-free', 'cor', 'sclerp'];

const AUTHORED: Readonly<Record<string, SkinMethod>> = { linear: 'lbs', rigid: 'lbs', dual_quaternion: 'dqs', blended: 'blend' };

/** Skinning method of a part, of the `method` of the manifest. */
export function skinMethod(method: string, part: Part): SkinMethod {
  check(
    !SKINNED_ELSEWHERE.includes(method),
    `the skinning method ${method} of bones is unsupported: bake with --encoding vertex, or with --method dqs`,
  );
  return method === 'as-authored' ? (AUTHORED[part.authoredMethod] ?? 'lbs') : (method.split(':')[0] as SkinMethod);
}

/** Blend factor of a vertex between LBS (0) and DQS (1). 1 for methods that do not blend. */
export function blendFactor(method: string, part: Part, vertex: number): number {
  if (method === 'as-authored') {
    return part.authoredMethod === 'blended' ? (part.blendFactors?.[vertex] ?? 0) : 1;
  }
  if (method === 'blend:auto') {
    return part.blendFactors?.[vertex] ?? 0;
  }
  const [, factor] = method.split(':');
  return factor === undefined ? 1 : Number(factor);
}
