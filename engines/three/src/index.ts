export { ThrongError, type Bounds, type ClipEntry, type LoadOptions } from 'throng-core';
export type { BaseCrowd, ClipOptions } from './base_crowd.js';
export { ThrongCrowd, type CrowdOptions } from './crowd.js';
export { loadThrong, ThrongSet } from './set.js';
