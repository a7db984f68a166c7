// Functions that the tests of WebGPU call in the page.

import * as THREE from 'three/webgpu';
import { float, instanceIndex, int, ivec2, normalLocal, positionLocal, uniform, varying, vec2, vec4, vertexIndex } from 'three/tsl';
import { loadThrong, ThrongCrowd } from 'throng-three/webgpu';
import { skinnedCharacter } from './skinned.mjs';

const COLUMNS = 2048;
const SIZE = 256;

const renderer = new THREE.WebGPURenderer({ antialias: true });
renderer.setSize(SIZE, SIZE);
renderer.shadowMap.enabled = true;
await renderer.init();

/** A material that draws each vertex as a point onto its own texel. */
function captureMaterial(vertices, rows, what) {
  const material = new THREE.MeshBasicNodeMaterial({ blending: THREE.NoBlending, depthTest: false, toneMapped: false });
  const texel = int(vertexIndex).add(int(instanceIndex).mul(vertices));
  const at = vec2(ivec2(texel.mod(COLUMNS), texel.div(COLUMNS))).add(0.5).div(vec2(COLUMNS, rows));
  material.vertexNode = vec4(at.x.mul(2).sub(1), float(1).sub(at.y.mul(2)), 0.5, 1);
  material.fragmentNode = vec4(varying(what.equal(0).select(positionLocal, normalLocal)), 1);
  return material;
}

async function capture(crowd, part, what, rows) {
  const mesh = crowd.children[part];
  const points = new THREE.Points(mesh.geometry, mesh.material);
  points.frustumCulled = false;
  points.onBeforeRender = mesh.onBeforeRender;
  const scene = new THREE.Scene();
  scene.add(points);
  const target = new THREE.RenderTarget(COLUMNS, rows, { type: THREE.FloatType, minFilter: THREE.NearestFilter, magFilter: THREE.NearestFilter });
  const found = [];
  for (const value of [0, 1]) {
    what.value = value;
    renderer.setRenderTarget(target);
    renderer.render(scene, new THREE.PerspectiveCamera());
    const pixels = await renderer.readRenderTargetPixelsAsync(target, 0, 0, COLUMNS, rows);
    renderer.setRenderTarget(null);
    const count = mesh.geometry.attributes.position.count * crowd.count;
    found.push(Array.from({ length: 3 * count }, (_, k) => pixels[4 * Math.floor(k / 3) + (k % 3)]));
  }
  target.dispose();
  return { positions: found[0], normals: found[1] };
}

/** Vertices of a set at times of clips: one instance per time, moved 0, 1, 2 … m along x. */
async function vertices(url, times) {
  const set = await loadThrong(url);
  const { parts } = set.source.model;
  const rows = Math.ceil((times.length * Math.max(...parts.map((part) => part.vertices))) / COLUMNS);
  const found = [];
  for (const [index, part] of parts.entries()) {
    const what = uniform(0, 'int');
    const crowd = new ThrongCrowd(set, { count: times.length, material: captureMaterial(part.vertices, rows, what) });
    crowd.materials.forEach((one) => (one.alphaTest = 0));
    times.forEach(([clip, secs], k) => {
      crowd.setMatrixAt(k, new THREE.Matrix4().makeTranslation(k, 0, 0));
      crowd.setClip(k, clip, { offset: secs, speed: 0 });
    });
    crowd.update(0, renderer);
    found.push(await capture(crowd, index, what, rows));
    crowd.dispose();
  }
  return found;
}

/** A lit ground, and a camera that sees a character on it. */
function stage() {
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0x808890);
  const sun = new THREE.DirectionalLight(0xffffff, 3);
  sun.position.set(2, 4, 3);
  sun.castShadow = true;
  const ground = new THREE.Mesh(new THREE.PlaneGeometry(8, 8).rotateX(-Math.PI / 2), new THREE.MeshLambertMaterial());
  ground.receiveShadow = true;
  scene.add(sun, new THREE.AmbientLight(0xffffff, 1), ground);
  const camera = new THREE.PerspectiveCamera(35, 1, 0.1, 50);
  camera.position.set(1.5, 1.2, 3.2);
  camera.lookAt(0, 0.9, 0);
  return { scene, camera };
}

async function pixelsOf({ scene, camera }) {
  const target = new THREE.RenderTarget(SIZE, SIZE, { samples: 4 });
  renderer.setRenderTarget(target);
  renderer.render(scene, camera);
  const pixels = await renderer.readRenderTargetPixelsAsync(target, 0, 0, SIZE, SIZE);
  renderer.setRenderTarget(null);
  target.dispose();
  return pixels;
}

/** Pixels of a character on the ground at a time. */
async function picture(url, secs, casts) {
  const set = await loadThrong(url);
  const view = stage();
  const crowd = new ThrongCrowd(set, { count: 1, material: new THREE.MeshStandardMaterial({ roughness: 0.7 }) });
  crowd.setClip(0, 'walk', { offset: secs, speed: 0 });
  crowd.castShadow = crowd.receiveShadow = casts;
  crowd.update(0, renderer);
  view.scene.add(crowd);
  const pixels = await pixelsOf(view);
  crowd.dispose();
  return pixels;
}

/** Share of pixels that differ between a crowd of one and three's SkinnedMesh. */
async function againstSkinnedMesh(url, reference, secs, turn) {
  const source = await loadThrong(reference);
  const theirs = stage();
  theirs.scene.add(await skinnedCharacter(source, `${reference}/mesh.glb`, 'walk', secs, new THREE.MeshStandardMaterial({ roughness: 0.7 }), turn));
  return difference(await picture(url, secs, true), await pixelsOf(theirs), 24);
}

/** Share of pixels that differ by more than a step, in any channel. */
function difference(a, b, step = 16) {
  let count = 0;
  for (let at = 0; at < a.length; at += 4) {
    count += [0, 1, 2].some((k) => Math.abs(a[at + k] - b[at + k]) > step) ? 1 : 0;
  }
  return count / (a.length / 4);
}

/** Instances that are drawn of three, two of which are far away, and the share of the picture that they cover. */
async function culled(url) {
  const set = await loadThrong(url);
  const view = stage();
  const empty = await pixelsOf(view);
  const crowd = new ThrongCrowd(set, { count: 3 });
  [500, 0, -500].forEach((x, k) => crowd.setMatrixAt(k, new THREE.Matrix4().makeTranslation(x, 0, 0)));
  view.scene.add(crowd);
  crowd.update(0.2, renderer);
  const all = await pixelsOf(view);
  crowd.cull(view.camera);
  const seen = await pixelsOf(view);
  const drawn = crowd.children[0].geometry.instanceCount;
  crowd.dispose();
  return { drawn, covered: difference(seen, empty), changed: difference(all, seen) };
}

/** Pictures of a crowd that grows and shrinks, and the error beyond its capacity. */
async function resized(url) {
  const set = await loadThrong(url);
  const view = stage();
  const empty = await pixelsOf(view);
  const crowd = new ThrongCrowd(set, { count: 1, capacity: 3 });
  view.scene.add(crowd);
  const place = (x) => new THREE.Matrix4().makeTranslation(x, 0, 0);
  const drawn = () => crowd.children[0].geometry.instanceCount;
  const picture = () => {
    crowd.update(crowd.time + 0.001, renderer);
    return pixelsOf(view);
  };
  crowd.setMatrixAt(0, place(500));
  const before = difference(await picture(), empty);
  crowd.cull(view.camera);
  const counts = [drawn()];
  crowd.addInstance(place(0));
  crowd.addInstance(place(-500));
  counts.push(drawn());
  const grown = difference(await picture(), empty);
  crowd.cull(view.camera);
  counts.push(drawn());
  const culled = difference(await picture(), empty);
  let message = null;
  try {
    crowd.addInstance();
  } catch (error) {
    message = error.message;
  }
  crowd.removeInstance(1);
  counts.push(drawn());
  const shrunk = difference(await picture(), empty);
  crowd.dispose();
  return { counts, before, grown, culled, shrunk, message };
}

/** Textures and geometries before and after two crowds of a set. */
async function disposal(url) {
  const set = await loadThrong(url);
  const view = stage();
  await pixelsOf(view);
  const memory = () => ({ geometries: renderer.info.memory.geometries, textures: renderer.info.memory.textures });
  const before = memory();
  const crowds = [0, 1].map(() => new ThrongCrowd(set, { count: 2 }));
  view.scene.add(...crowds);
  crowds.forEach((crowd) => crowd.update(0.2, renderer));
  await pixelsOf(view);
  const during = memory();
  crowds.forEach((crowd) => {
    crowd.removeFromParent();
    crowd.dispose();
    crowd.dispose();
  });
  await pixelsOf(view);
  return { before, during, after: memory() };
}

async function shadows(url) {
  const [none, early, late] = [await picture(url, 0.1, false), await picture(url, 0.1, true), await picture(url, 0.45, true)];
  return { cast: difference(none, early), moved: difference(early, late) };
}

window.tests = { disposal, resized, vertices, shadows, culled, againstSkinnedMesh, isWebGpu: () => renderer.backend.isWebGPUBackend === true };
