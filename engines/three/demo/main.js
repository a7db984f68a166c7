// The panel of the demo: switches, numbers, colours and sizes.

import { camera, controls, frame, paint, playClip, renderer, showCrowd } from './crowd.js';

const ENCODINGS = [
  ['bone-local', 'Compressed bones'],
  ['bone-qt', 'Bone texture'],
  ['vertex', 'Compressed vertices'],
];
const COUNTS = [1000, 3000, 6000];
const element = (id) => document.getElementById(id);
const query = new URLSearchParams(location.search);

let url = query.get('encoding') ?? ENCODINGS[0][0];
let count = Number(query.get('count') ?? (innerWidth < 720 ? 1000 : 3000));
let clip = query.get('clip') ?? 'walk';
let shown = null;

/** Fills a row of switches. */
function switches(id, options, chosen, choose) {
  const labels = options.map(([value, text]) => {
    const label = document.createElement('label');
    const input = Object.assign(document.createElement('input'), { type: 'radio', name: id, value, checked: value === chosen });
    input.addEventListener('change', () => choose(value));
    label.append(input, Object.assign(document.createElement('span'), { textContent: text }));
    return label;
  });
  element(id).querySelectorAll('label').forEach((label) => label.remove());
  element(id).append(...labels);
}

let queue = Promise.resolve();

/** Shows what is chosen, after what was chosen before. A set that cannot be loaded is reported in the headline. */
function show() {
  queue = queue.then(showChosen).catch((error) => (element('headline').textContent = error.message));
  return queue;
}

async function showChosen() {
  shown = await showCrowd(`sets/${url}.glb`, count, clip);
  const { set } = shown;
  const kilobytes = Math.round(set.textureBytes / 1024);
  element('bytes').textContent = `${kilobytes.toLocaleString('en')} KiB`;
  element('error').textContent = `${set.maxErrorMm.toFixed(2)} mm`;
  element('headline').textContent = `${count.toLocaleString('en')} characters of ${set.vertexCount.toLocaleString('en')} vertices, ${set.clips.length} clips, one draw call.`;
  switches('clips', set.clips.map(({ name }) => [name, name]), clip, (name) => {
    clip = name;
    playClip(name);
  });
}

function fit() {
  const [width, height] = [innerWidth, innerHeight];
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setSize(width, height, false);
  camera.aspect = width / height;
  camera.fov = width < height ? 52 : 38;
  // The panel covers the right side of wide pages, and the lower part of narrow ones.
  const isNarrow = width <= 720;
  camera.setViewOffset(width, height, isNarrow ? 0 : 130, isNarrow ? 90 : 0, width, height);
  camera.updateProjectionMatrix();
}

const dark = matchMedia('(prefers-color-scheme: dark)');
const repaint = () => (dark.matches ? paint('#10151b', '#2b343d') : paint('#e9eef2', '#cfd6da'));
dark.addEventListener('change', repaint);
addEventListener('resize', fit);
switches('encodings', ENCODINGS, url, (name) => {
  url = name;
  show();
});
switches('counts', COUNTS.map((n) => [n, n.toLocaleString('en')]), count, (n) => {
  count = n;
  show();
});
repaint();
fit();
await show();

let [frames, since] = [0, performance.now()];
renderer.setAnimationLoop((now) => {
  frame(now / 1000);
  frames++;
  if (now - since > 1000) {
    element('rate').textContent = `${Math.round((1000 * frames) / (now - since))} /s`;
    element('drawn').textContent = (shown?.crowd.children[0].geometry.instanceCount ?? 0).toLocaleString('en');
    [frames, since] = [0, now];
  }
  document.body.dataset.ready = String(controls.enabled);
});
