// A page with functions for tests, and the comparison of vertices with the reference decoder.

import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { launch, openPage, ORIGIN } from '../../scripts/browser.mjs';
import { referencePoses } from '../../scripts/throng.mjs';

/** Millimetres between float32 in shaders and float64 of the reference decoder. The largest found is 0.0006. */
const TOLERANCE_MM = 0.01;
const NORMAL_TOLERANCE = 2e-5;

/** Opens `NAME.html`, whose script is `NAME.mjs`. `run` calls a function of `window.tests`. */
export async function openTests(name) {
  const folder = mkdtempSync(join(tmpdir(), 'throng-three-'));
  const here = import.meta.dirname;
  await build({ entryPoints: [join(here, `${name}.mjs`)], outfile: join(folder, `${name}.js`), bundle: true, format: 'esm', target: 'es2022', logLevel: 'error' });
  const browser = await launch();
  const { page, check } = await openPage(browser, [
    ['/sets/', join(here, '../../.fixtures')],
    ['/', folder],
    ['/', here],
  ]);
  await page.goto(`${ORIGIN}/${name}.html`);
  await page.waitForFunction(() => window.tests);
  const run = async (test, ...args) => {
    const result = await page.evaluate(([test, args]) => window.tests[test](...args), [test, args]);
    check();
    return result;
  };
  return { browser, page, check, run };
}

function largestDistance(found, expected) {
  assert.equal(found.length, expected.length);
  let largest = 0;
  for (let at = 0; at < found.length; at += 3) {
    const distance = Math.hypot(...[0, 1, 2].map((k) => found[at + k] - expected[at + k]));
    largest = Math.max(largest, Number.isNaN(distance) ? Infinity : distance);
  }
  return largest;
}

/** Compares the vertices of a set that the page computes, in a crowd with some options, with those of the reference decoder. */
export async function compareVertices(context, run, { reference, file, times }, toleranceMm = TOLERANCE_MM, options = {}) {
  const moments = times.flatMap(([clip, secs]) => secs.map((time) => [clip, time]));
  const expected = times.flatMap(([clip, secs]) => referencePoses(reference, clip, secs));
  const parts = await run('vertices', `/sets/${file}`, moments, options);
  let [mm, normal] = [0, 0];
  parts.forEach(({ positions, normals }, p) => {
    const moved = expected.flatMap((pose, k) => pose.parts[p].positions.flatMap(([x, y, z]) => [x + k, y, z]));
    mm = Math.max(mm, 1000 * largestDistance(positions, moved));
    normal = Math.max(normal, largestDistance(normals, expected.flatMap((pose) => pose.parts[p].normals.flat())));
  });
  context.diagnostic(`largest error ${mm.toFixed(4)} mm, of normals ${normal.toExponential(1)}`);
  assert.ok(mm <= toleranceMm, `${mm} mm`);
  assert.ok(normal <= NORMAL_TOLERANCE, `normals: ${normal}`);
}
