import type { Bounds } from './manifest.js';
import type { TextureSet } from './set.js';

/** A sphere in model space, metres. */
export interface Sphere {
  readonly center: readonly [number, number, number];
  readonly radius: number;
}

/** Sphere around a box. */
export function sphereOf({ min, max }: Bounds): Sphere {
  const center = [0, 1, 2].map((k) => (min[k]! + max[k]!) / 2) as [number, number, number];
  return { center, radius: Math.hypot(...[0, 1, 2].map((k) => (max[k]! - min[k]!) / 2)) };
}

/** Spheres around each clip of a set. Between keys, vertices may leave the box of the frames by the error of the set. */
export function clipSpheres(set: TextureSet): Sphere[] {
  const margin = (set.maxErrorMm ?? 0) / 1000;
  return set.clips.map(({ bounds }) => {
    const { center, radius } = sphereOf(bounds);
    return { center, radius: radius + margin };
  });
}
