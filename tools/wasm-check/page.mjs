// Loads the WebAssembly module, captures the vertices of a texture set and draws a picture of it.

import init, { capture, draw } from '/module/throng_examples.js';

export async function run(backend, timeSecs) {
  await init();
  const set = await fetch('/set.glb');
  const glb = await set.bytes();
  const vertices = await capture(backend, glb, timeSecs);
  const bytes = new Uint8Array(vertices.buffer, vertices.byteOffset, vertices.byteLength);
  const picture = await draw(backend, glb, timeSecs);
  return { backend, renderer: await renderer(backend), vertices: bytes.toBase64(), picture: picture.toBase64() };
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
