// Headless Chromium with WebGL2 and WebGPU on the CPU, and pages whose files are answered from the disk.

import { existsSync, statSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright-core';

/** Origin of the pages. WebGPU needs a secure one. Nothing listens there: requests are answered from files. */
export const ORIGIN = 'http://localhost';

/** Flags for both APIs without a GPU. The blocklist rejects software drivers. */
const FLAGS = [
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  `--use-angle=${process.env.ANGLE ?? 'gl-egl'}`,
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
  '--no-sandbox',
];

/** Time limit of a step in a page. Software drivers are slow beside other work. */
const LIMIT_MS = 120_000;

const TYPES = {
  '.glb': 'model/gltf-binary',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.css': 'text/css',
};

export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
}

/**
 * Opens a page. Errors of the page are thrown by `check()`.
 *
 * @param folders - pairs of a path prefix and the folder that answers it, first match first
 */
export async function openPage(browser, folders, options = {}) {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(LIMIT_MS);
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.stack ?? String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url());
    for (const [prefix, folder] of folders) {
      const file = join(folder, normalize(decodeURIComponent(pathname.slice(prefix.length))));
      if (pathname.startsWith(prefix) && existsSync(file) && statSync(file).isFile()) {
        return route.fulfill({ path: file, contentType: TYPES[extname(file)] ?? 'application/octet-stream' });
      }
    }
    // Browsers ask for an icon.
    return route.fulfill(pathname === '/favicon.ico' ? { status: 204 } : { status: 404 });
  });
  const check = () => {
    if (errors.length > 0) {
      throw new Error(errors.splice(0).join('\n'));
    }
  };
  return { page, check };
}
