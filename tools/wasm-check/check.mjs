// Runs the wasm build of the examples in headless Chromium, on WebGPU or WebGL2. Prints one line of JSON: the backend,
// the renderer, the captured vertices as little-endian floats in base64, and the RGBA pixels of a small picture.
//
// node check.mjs MODULE BACKEND SET TIME_SECS
//
// MODULE is a folder that `cargo xtask wasm-build` has written, BACKEND is webgpu or webgl2, and SET is a texture set
// of one GLB. The environment variable CHROMIUM is the path of the browser, by default /usr/bin/chromium. Exit codes:
// 0 the vertices are printed, 1 the check cannot run, 2 wrong usage.

import { existsSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { chromium } from 'playwright-core';

/** Origin of the page. WebGPU needs a secure one. Nothing listens there: requests are answered from files. */
const ORIGIN = 'http://localhost';

/** Flags for both APIs without a GPU. The blocklist rejects software drivers. */
const FLAGS = [
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
  '--no-sandbox',
];

/** Time limit of the page. A future of the module that is never woken would wait for ever. */
const LIMIT_SECS = 120;

const TYPES = {
  '.glb': 'model/gltf-binary',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
};

/** File of a request: of the module, the set, or of this folder. */
function fileOf(pathname, module, set) {
  if (pathname === '/set.glb') {
    return set;
  }
  const folder = pathname.startsWith('/module/') ? module : import.meta.dirname;
  return join(folder, basename(pathname));
}

async function answer(route, module, set) {
  const { pathname } = new URL(route.request().url());
  const path = fileOf(pathname, module, set);
  if (!existsSync(path)) {
    return route.fulfill({ status: 404 });
  }
  return route.fulfill({ path, contentType: TYPES[extname(path)] ?? 'application/octet-stream' });
}

/** Rejects on an error outside of promises, such as a panic of the module, and after the time limit. */
function failure(page) {
  return new Promise((_, reject) => {
    page.on('pageerror', reject);
    page.on('crash', () => reject(new Error('the page has crashed')));
    const late = () => reject(new Error(`the page has not answered within ${LIMIT_SECS} s`));
    setTimeout(late, 1e3 * LIMIT_SECS).unref();
  });
}

async function inBrowser(module, backend, set, timeSecs) {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  const messages = [];
  try {
    const page = await browser.newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) {
        messages.push(`${message.type()}: ${message.text()}`);
      }
    });
    const failed = failure(page);
    await page.route('**/*', (route) => answer(route, module, set));
    await page.goto(`${ORIGIN}/page.html`);
    const run = async ([backend, timeSecs]) => (await import('/page.mjs')).run(backend, timeSecs);
    return await Promise.race([page.evaluate(run, [backend, timeSecs]), failed]);
  } catch (error) {
    // The console says why: browsers report invalid GPU commands there, the module its panics.
    throw new Error([error.message ?? error, ...messages].join('\n'));
  } finally {
    await browser.close();
  }
}

const [module, backend, set, time] = process.argv.slice(2);
const timeSecs = Number(time);
if (process.argv.length !== 6 || !['webgpu', 'webgl2'].includes(backend) || Number.isNaN(timeSecs)) {
  console.error('usage: node check.mjs MODULE webgpu|webgl2 SET TIME_SECS');
  process.exit(2);
}
for (const path of [set, join(module, 'throng_examples.js')]) {
  if (!existsSync(path)) {
    console.error(`${path} not found; 'cargo xtask wasm-build FOLDER' writes a module, 'throng bake -o x.glb' a set`);
    process.exit(1);
  }
}
try {
  console.log(JSON.stringify(await inBrowser(module, backend, set, timeSecs)));
} catch (error) {
  console.error(error.message ?? error);
  process.exitCode = 1;
}
