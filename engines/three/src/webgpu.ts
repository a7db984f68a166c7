/**
 * Crowds for `WebGPURenderer`, as nodes of TSL. Import `throng-three/webgpu`.
 *
 * @module
 */

export { ThrongError, type Bounds, type ClipEntry, type LoadOptions } from 'throng-core';
export type { BaseCrowd, ClipOptions } from './base_crowd.js';
export { loadThrong, ThrongSet } from './set.js';
export { ThrongCrowd, type WebGpuCrowdOptions } from './webgpu_crowd.js';
export type { CrowdOptions } from './crowd.js';
