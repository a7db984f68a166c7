/**
 * Crowds for `WebGPURenderer`, as nodes of TSL. Import `throng-three/webgpu`.
 *
 * @module
 */

export { ThrongError } from 'throng-core';
export { loadThrong, ThrongSet } from './set.js';
export { ThrongCrowd } from './webgpu_crowd.js';
export type { CrowdOptions } from './crowd.js';
