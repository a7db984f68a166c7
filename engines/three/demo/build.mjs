// Builds the demo into a static folder: bakes the sets with the `throng` command and bundles the page.
//
// node demo/build.mjs [FOLDER]          default: demo/dist

import { cpSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { throng } from '../../scripts/throng.mjs';

const HERE = import.meta.dirname;

/** Sets of the demo, and the arguments that bake them. */
const SETS = {
  'bone-local': ['--encoding', 'bone-local'],
  'bone-qt': ['--encoding', 'bone-qt'],
  vertex: ['--encoding', 'vertex', '--layout', 'compressed', '--effort', 'fast'],
};

/** Writes the demo, and returns its folder. */
export async function buildDemo(folder = join(HERE, 'dist')) {
  mkdirSync(join(folder, 'sets'), { recursive: true });
  for (const [name, args] of Object.entries(SETS)) {
    throng(['bake', 'builtin:humanoid:1000', ...args, '-o', join(folder, `sets/${name}.glb`)]);
  }
  for (const name of ['index.html', 'style.css']) {
    cpSync(join(HERE, name), join(folder, name));
  }
  await build({ entryPoints: [join(HERE, 'main.js')], outfile: join(folder, 'main.js'), bundle: true, minify: true, format: 'esm', target: 'es2022', logLevel: 'error' });
  return folder;
}

if (process.argv[1] === import.meta.filename) {
  console.log(`wrote ${await buildDemo(process.argv[2] && resolve(process.argv[2]))}`);
}
