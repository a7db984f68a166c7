// Runs the `throng` command: the program that the environment variable THRONG names, or one that cargo builds.

import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** Returns the standard output of a run; throws with its standard error where it fails. */
export function throng(args) {
  const [program, ...first] = process.env.THRONG ? [process.env.THRONG] : ['cargo', 'run', '--quiet', '--locked', '-p', 'throng', '--'];
  const { status, stdout, stderr, error } = spawnSync(program, [...first, ...args], { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (error || status !== 0) {
    throw new Error(`throng ${args.join(' ')}: ${error?.message ?? stderr}`);
  }
  return stdout;
}

/** Poses of a set as the decoder in Python gives them: vertices of each part, and for bone sets all joints. */
export function referencePoses(set, clip, times) {
  const script = join(ROOT, 'tools/python-decoder/throng_decode.py');
  const output = execFileSync('python3', [script, set, clip, ...times.map(String), '--bones'], { encoding: 'utf8', maxBuffer: 1 << 28 });
  return output.trim().split('\n').map((line) => JSON.parse(line));
}
