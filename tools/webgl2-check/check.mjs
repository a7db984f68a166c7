// Runs the generated GLSL ES 3.00 on WebGL2 in headless Chromium, and compares the captured vertices with the expected
// ones. Prints one line of JSON: the renderer, and the largest error of each case.
//
// node check.mjs FOLDER
//
// FOLDER holds cases.json, which runtime/wgpu/tests/webgl2.rs writes. The environment variable CHROMIUM is the path of
// the browser, by default /usr/bin/chromium, and ANGLE the backend of its WebGL2: swiftshader (the default) runs on the
// CPU, gl-egl on the driver of the system. Exit codes: 0 all errors are within the tolerances, 1 an error is not or the
// check cannot run, 2 wrong usage.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

/** Origin of the page. The name is never resolved: requests are answered from this folder. */
const ORIGIN = 'http://webgl2-check.test';

/** Flags for WebGL2 without a GPU. The blocklist rejects software drivers. */
const FLAGS = [
  `--use-angle=${process.env.ANGLE ?? 'swiftshader'}`,
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
  '--no-sandbox',
];

const TYPES = { 'page.html': 'text/html', 'page.mjs': 'text/javascript' };

async function answer(route) {
  const name = new URL(route.request().url()).pathname.slice(1);
  if (!(name in TYPES)) {
    return route.fulfill({ status: 404 });
  }
  const path = join(import.meta.dirname, name);
  return route.fulfill({ path, contentType: TYPES[name] });
}

/** Runs the cases in the page, and returns the captured vertices. */
async function inBrowser(data) {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  try {
    const page = await browser.newPage();
    await page.route('**/*', answer);
    await page.goto(`${ORIGIN}/page.html`);
    return await page.evaluate(async (data) => (await import('/page.mjs')).run(data), data);
  } finally {
    await browser.close();
  }
}

/** Largest distance between vectors; infinite if a component is NaN or the lengths differ. */
function largestDistance(found, expected) {
  if (found.length !== expected.length) {
    return Infinity;
  }
  let largest = 0;
  for (let at = 0; at < found.length; at += 3) {
    const distance = Math.hypot(...[0, 1, 2].map((k) => found[at + k] - expected[at + k]));
    largest = Math.max(largest, Number.isNaN(distance) ? Infinity : distance);
  }
  return largest;
}

function floats(base64) {
  return new Float32Array(new Uint8Array(Buffer.from(base64, 'base64')).buffer);
}

if (process.argv.length !== 3) {
  console.error('usage: node check.mjs FOLDER');
  process.exit(2);
}
try {
  const data = JSON.parse(await readFile(join(process.argv[2], 'cases.json'), 'utf8'));
  const expected = data.cases.map(({ expected }) => expected);
  data.cases.forEach((one) => delete one.expected);
  const { renderer, cases } = await inBrowser(data);
  const compared = cases.map(({ name, positions, normals }, index) => ({
    name,
    vertices: positions.length / 3,
    maxErrorMm: 1e3 * largestDistance(positions, floats(expected[index].positions)),
    maxNormalError: largestDistance(normals, floats(expected[index].normals)),
  }));
  console.log(JSON.stringify({ renderer, cases: compared }));
  for (const { name, maxErrorMm, maxNormalError } of compared) {
    if (!(maxErrorMm <= data.toleranceMm)) {
      console.error(`case '${name}': the largest position error is ${maxErrorMm} mm, expected at most ${data.toleranceMm} mm`);
      process.exitCode = 1;
    }
    if (!(maxNormalError <= data.normalTolerance)) {
      console.error(`case '${name}': the largest normal error is ${maxNormalError}, expected at most ${data.normalTolerance}`);
      process.exitCode = 1;
    }
  }
} catch (error) {
  console.error(error.message ?? error);
  process.exitCode = 1;
}
