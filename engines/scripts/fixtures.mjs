// Bakes the texture sets of the tests into .fixtures, and lists them. Sets that are up to date are kept.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { throng } from './throng.mjs';
import { tubeGltf } from './tube.mjs';

const FOLDER = join(import.meta.dirname, '../.fixtures');
const HUMANOID = 'builtin:humanoid:500';

/** Name of each set, and the arguments that bake it. Together they cover every encoding, layout, precision and container. */
const BAKES = {
  'bone-qt': [HUMANOID, '--encoding', 'bone-qt'],
  'bone-qt-slerp': [HUMANOID, '--encoding', 'bone-qt', '--interpolate', 'slerp'],
  'bone-qt-zstd': [HUMANOID, '--encoding', 'bone-qt', '--zstd'],
  'bone-qt-unorm8': [HUMANOID, '--encoding', 'bone-qt', '--precision', 'unorm8'],
  'bone-qt-f16': [HUMANOID, '--encoding', 'bone-qt', '--precision', 'f16'],
  'bone-qt-png': [HUMANOID, '--encoding', 'bone-qt', '--format', 'png'],
  'bone-qt-dqs': [HUMANOID, '--encoding', 'bone-qt', '--method', 'dqs'],
  'bone-qt-blend': [HUMANOID, '--encoding', 'bone-qt', '--method', 'blend:0.5'],
  'bone-qt-blend-auto': [HUMANOID, '--encoding', 'bone-qt', '--method', 'blend:auto'],
  'bone-matrix': [HUMANOID, '--encoding', 'bone-matrix'],
  'bone-matrix-slerp': [HUMANOID, '--encoding', 'bone-matrix', '--interpolate', 'slerp'],
  'bone-matrix-arc': [HUMANOID, '--encoding', 'bone-matrix', '--interpolate', 'slerp-vertices'],
  'bone-matrix-f32': [HUMANOID, '--encoding', 'bone-matrix', '--precision', 'f32'],
  'bone-dq': [HUMANOID, '--encoding', 'bone-dq'],
  'bone-dq-dqs': [HUMANOID, '--encoding', 'bone-dq', '--method', 'dqs'],
  'virtual-bones': [HUMANOID, '--encoding', 'virtual-bones'],
  'virtual-bones-dqs': [HUMANOID, '--encoding', 'virtual-bones', '--interpolate', 'nlerp', '--method', 'dqs'],
  'bone-local': [HUMANOID, '--encoding', 'bone-local'],
  'bone-local-dqs': [HUMANOID, '--encoding', 'bone-local', '--method', 'dqs', '--format', 'glb'],
  vertex: [HUMANOID, '--encoding', 'vertex', '--layout', 'frames', '--clips', 'walk,dance', '--rate', '30'],
  'vertex-unorm8': [HUMANOID, '--encoding', 'vertex', '--layout', 'frames', '--precision', 'unorm8', '--clips', 'walk,dance', '--rate', '30'],
  'vertex-f32': [HUMANOID, '--encoding', 'vertex', '--layout', 'frames', '--precision', 'f32', '--clips', 'walk,dance', '--rate', '30'],
  'vertex-ray': [HUMANOID, '--encoding', 'vertex-ray', '--clips', 'walk,dance', '--rate', '30', '--format', 'glb'],
  'vertex-curves': [HUMANOID, '--encoding', 'vertex', '--layout', 'compressed', '--clips', 'walk,dance', '--effort', 'fast'],
  'target-three': [HUMANOID, '--target', 'three', '--clips', 'walk,dance'],
  'box-parts': ['builtin:box', '--encoding', 'bone-qt', '--format', 'glb'],
  'p0-matrix8': [HUMANOID, '--preset', 'p0-matrix8', '--clips', 'walk,dance'],
  'tube-morphs': ['tube-morphs.gltf', '--encoding', 'bone-qt'],
  'tube-morphs-local': ['tube-morphs.gltf', '--encoding', 'bone-local'],
  'tube-scaled': ['tube-scaled.gltf', '--encoding', 'bone-qt'],
};

/** Clips and times, in seconds, at which sets are compared: on frames, between them, and close to the end. */
const TIMES = { walk: [0, 0.3217, 1.05], dance: [1.9307], 'Test Animation': [3.3331], sway: [0, 0.417] };

/**
 * Bakes what is missing. Returns the name, the path, the name of the folder or file, the path of a set with the same texels
 * for the reference decoder, which reads no Zstandard, and the clips and times to compare at.
 */
export function fixtures() {
  mkdirSync(FOLDER, { recursive: true });
  write('tube-morphs.gltf', JSON.stringify(tubeGltf({ scale: false, morphs: true })));
  write('tube-scaled.gltf', JSON.stringify(tubeGltf({ scale: true, morphs: false })));
  return Object.entries(BAKES).map(([name, [source, ...args]]) => {
    const isFile = args.includes('glb') || args.includes('three');
    const path = join(FOLDER, isFile ? `${name}.glb` : name);
    throng(['bake', source.endsWith('.gltf') ? join(FOLDER, source) : source, ...args, '-o', path]);
    const clips = source.startsWith('builtin:humanoid') ? ['walk', 'dance'] : source === 'builtin:box' ? ['Test Animation'] : ['sway'];
    const reference = path.replace('-zstd', '');
    return { name, path, reference, file: isFile ? `${name}.glb` : name, times: clips.map((clip) => [clip, TIMES[clip]]) };
  });
}

/** Bakes two characters that share a motion set, and returns the folder of one of them. */
export function sharedFixture() {
  const folder = join(FOLDER, 'party');
  throng(['bake', HUMANOID, 'builtin:humanoid:600', '--encoding', 'bone-qt', '--share', '-o', folder]);
  return folder;
}

function write(name, text) {
  writeFileSync(join(FOLDER, name), text);
}
