// Loads the WebAssembly module and captures the vertices of a texture set.

import init, { capture } from '/module/throng_examples.js';

export async function run(backend, timeSecs) {
  await init();
  const set = await fetch('/set.glb');
  const vertices = await capture(backend, await set.bytes(), timeSecs);
  const bytes = new Uint8Array(vertices.buffer, vertices.byteOffset, vertices.byteLength);
  return { backend, renderer: await renderer(backend), vertices: bytes.toBase64() };
}

/** Name of the device that the browser uses. */
async function renderer(backend) {
  if (backend === 'webgpu') {
    const { vendor, architecture, description } = (await navigator.gpu.requestAdapter()).info;
    return [vendor, architecture, description].filter(Boolean).join(' ');
  }
  const gl = new OffscreenCanvas(1, 1).getContext('webgl2');
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  return gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
}
