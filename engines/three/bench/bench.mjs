// Measures crowds of throng-three against three's own and others, in one run of Chromium, in turn. Prints a table.
//
// node bench/bench.mjs [ROUNDS]          default: 9

import { mkdirSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { launch, openPage, ORIGIN } from '../../scripts/browser.mjs';
import { throng } from '../../scripts/throng.mjs';

const HERE = import.meta.dirname;
const FOLDER = join(HERE, '../../.fixtures/bench');
const COUNTS = [100, 500];

const SETS = {
  'bone-matrix-f32': ['--encoding', 'bone-matrix', '--precision', 'f32'],
  'bone-local': ['--encoding', 'bone-local'],
  'bone-qt': ['--encoding', 'bone-qt'],
  vertex: ['--encoding', 'vertex', '--layout', 'frames', '--rate', '30'],
  'vertex-curves': ['--encoding', 'vertex', '--layout', 'compressed', '--effort', 'fast'],
};

mkdirSync(FOLDER, { recursive: true });
for (const [name, args] of Object.entries(SETS)) {
  throng(['bake', 'builtin:humanoid:2330', '--clips', 'walk', ...args, '-o', join(FOLDER, name)]);
}
await build({ entryPoints: [join(HERE, 'page.mjs')], outfile: join(FOLDER, 'page.js'), bundle: true, format: 'esm', target: 'es2022', logLevel: 'error' });
const browser = await launch();
const { page, check } = await openPage(browser, [
  ['/sets/', FOLDER],
  ['/', FOLDER],
  ['/', HERE],
]);
await page.goto(`${ORIGIN}/page.html`);
await page.waitForFunction(() => window.bench);
console.log(`Chromium ${browser.version()}, ${await page.evaluate(() => window.bench.device)}`);
console.log(`load ${loadavg()[0].toFixed(1)} on ${availableParallelism()} cores at the start`);
console.log('humanoid of 2 330 vertices, clip walk, 480 × 480 pixels, medians of interleaved frames');
for (const count of COUNTS) {
  const rows = await page.evaluate(([count, rounds]) => window.bench.run(count, rounds), [count, Number(process.argv[2] ?? 9)]);
  check();
  console.log(`\n${count} instances\n`);
  console.log('| | frames/s | of the control | main thread, ms | animation, KiB | max error, mm |\n|---|---|---|---|---|---|');
  for (const { name, frame, ofControl, main, bytes, errorMm } of rows) {
    console.log(`| ${name} | ${(1000 / frame).toFixed(1)} | ${Math.round(100 * ofControl)} % | ${main.toFixed(2)} | ${(bytes / 1024).toFixed(0)} | ${errorMm === null ? '' : errorMm.toFixed(2)} |`);
  }
}
await browser.close();
