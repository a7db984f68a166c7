// Functions that the tests call in the page.

import * as THREE from 'three';
import { loadThrong, ThrongCrowd } from 'throng-three';
import { capture, captureMaterial } from './capture.mjs';
import { skinnedCharacter } from './skinned.mjs';

const SIZE = 256;

const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
renderer.setSize(SIZE, SIZE);
renderer.shadowMap.enabled = true;
renderer.debug.onShaderError = (gl, program, vertex, fragment) => {
  throw new Error(`${gl.getShaderInfoLog(vertex)}${gl.getShaderInfoLog(fragment)}${gl.getProgramInfoLog(program)}`);
};

/** Vertices of a set at times of clips: one instance per time, moved 0, 1, 2 … m along x. */
async function vertices(url, times, options) {
  const set = await loadThrong(url);
  const { parts } = set.source.model;
  const total = times.length * Math.max(...parts.map((part) => part.vertices));
  const rows = Math.ceil(total / 2048);
  const found = [];
  for (const [index, part] of parts.entries()) {
    const material = captureMaterial(part.vertices, rows);
    const crowd = new ThrongCrowd(set, { ...options, count: times.length, material });
    crowd.frustumCulled = false;
    times.forEach(([clip, secs], k) => {
      crowd.setMatrixAt(k, new THREE.Matrix4().makeTranslation(k, 0, 0));
      crowd.setClip(k, clip, { offset: secs, speed: 0 });
    });
    // Points of clear texels count too.
    crowd.materials.forEach((one) => (one.alphaTest = 0));
    crowd.update(0);
    found.push(capture(renderer, crowd, material.userData.what, rows)[index]);
    crowd.dispose();
  }
  return found;
}

function stage(isLit = true) {
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0x808890);
  const sun = new THREE.DirectionalLight(0xffffff, 3);
  sun.position.set(2, 4, 3);
  scene.add(sun, new THREE.AmbientLight(0xffffff, 1));
  const camera = new THREE.PerspectiveCamera(35, 1, 0.1, 50);
  camera.position.set(1.5, 1.2, 3.2);
  camera.lookAt(0, 0.9, 0);
  return { scene, camera, sun: isLit ? sun : null };
}

function pixels({ scene, camera }) {
  renderer.render(scene, camera);
  const gl = renderer.getContext();
  const bytes = new Uint8Array(4 * SIZE * SIZE);
  gl.readPixels(0, 0, SIZE, SIZE, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
  return bytes;
}

/** Share of pixels that differ by more than a just visible step, in any channel. */
function difference(a, b, step = 24) {
  let count = 0;
  for (let at = 0; at < a.length; at += 4) {
    count += [0, 1, 2].some((k) => Math.abs(a[at + k] - b[at + k]) > step) ? 1 : 0;
  }
  return count / (a.length / 4);
}

const MATERIALS = {
  standard: () => new THREE.MeshStandardMaterial({ roughness: 0.7 }),
  physical: () => new THREE.MeshPhysicalMaterial({ roughness: 0.6, clearcoat: 0.5 }),
  lambert: () => new THREE.MeshLambertMaterial(),
  basic: () => new THREE.MeshBasicMaterial(),
  toon: () => new THREE.MeshToonMaterial(),
};

function oneInstance(set, clip, secs, material) {
  const crowd = new ThrongCrowd(set, { count: 1, material, fades: false });
  crowd.setClip(0, clip, { offset: secs, speed: 0 });
  crowd.castShadow = crowd.receiveShadow = true;
  crowd.update(0);
  return crowd;
}

/** Share of pixels that differ between a crowd of one and three's SkinnedMesh. */
async function againstSkinnedMesh({ url, reference, clip, secs, kind, turn }) {
  const [set, source] = await Promise.all([loadThrong(url), loadThrong(reference)]);
  const material = MATERIALS[kind]();
  const [ours, theirs] = [stage(), stage()];
  ours.scene.add(oneInstance(set, clip, secs, material));
  theirs.scene.add(await skinnedCharacter(source, `${reference}/mesh.glb`, clip, secs, material, turn));
  const [a, b] = [pixels(ours), pixels(theirs)];
  const empty = pixels(stage());
  return { difference: difference(a, b), covered: difference(a, empty, 8) };
}

/** A ground that receives the shadow of a crowd that itself is out of sight; the shadow at two times. */
async function shadows(url, light) {
  const set = await loadThrong(url);
  const at = (secs, casts) => {
    const { scene, camera, sun } = stage();
    const crowd = oneInstance(set, 'walk', secs, MATERIALS.standard());
    crowd.castShadow = casts;
    let lamp = sun;
    if (light === 'point') {
      scene.remove(sun);
      lamp = new THREE.PointLight(0xffffff, 60);
      lamp.position.set(1, 4, 1);
      scene.add(lamp);
    }
    lamp.castShadow = true;
    const ground = new THREE.Mesh(new THREE.PlaneGeometry(8, 8).rotateX(-Math.PI / 2), new THREE.MeshLambertMaterial());
    ground.receiveShadow = true;
    scene.add(crowd, ground);
    // Only the ground: the camera does not see the layer of the character, the lamp does.
    crowd.traverse((object) => object.layers.set(1));
    lamp.shadow.camera.layers.enable(1);
    camera.position.set(0.01, 6, 0);
    camera.lookAt(0, 0, 0);
    // Shadow passes test the layers of the camera.
    const layers = camera.layers.mask;
    camera.layers.enable(1);
    for (const mesh of crowd.children) {
      mesh.material.colorWrite = false;
      mesh.material.depthWrite = false;
    }
    const picture = pixels({ scene, camera });
    camera.layers.mask = layers;
    return picture;
  };
  const [none, early, late] = [at(0, false), at(0.1, true), at(0.45, true)];
  return { cast: difference(none, early, 16), moved: difference(early, late, 16) };
}

/** Pictures of instances: in view, out of view, tinted, faded, removed, hit by a ray. */
async function crowdBehaviour(url, options) {
  const set = await loadThrong(url);
  const view = stage();
  const empty = pixels(view);
  const before = { ...renderer.info.memory };
  const crowd = new ThrongCrowd(set, { ...options, count: 3, material: MATERIALS.basic() });
  view.scene.add(crowd);
  const place = (k, x) => crowd.setMatrixAt(k, new THREE.Matrix4().makeTranslation(x, 0, 0));
  [0, 500, -500].forEach((x, k) => place(k, x));
  crowd.update(0);
  const one = pixels(view);
  const drawn = crowd.children[0].geometry.instanceCount;
  crowd.setColorAt(0, new THREE.Color(1, 0, 0));
  const red = pixels(view);
  const raycaster = new THREE.Raycaster(new THREE.Vector3(0, 1, 5), new THREE.Vector3(0, 0, -1));
  const hits = raycaster.intersectObject(crowd).map(({ instanceId, distance }) => ({ instanceId, distance }));
  crowd.setClip(0, 'walk', { fade: 1 });
  crowd.setClip(0, 'dance', { fade: 1 });
  crowd.update(0.5);
  const fading = pixels(view);
  crowd.update(2);
  const after = pixels(view);
  const hand = crowd.jointMatrix(0, 'right_hand', new THREE.Matrix4(), 2).elements.slice(12, 15);
  crowd.removeInstance(0);
  const gone = pixels(view);
  for (let k = 0; k < 200; k++) {
    crowd.addInstance();
  }
  crowd.update(3);
  const grown = { count: crowd.count, covered: difference(pixels(view), empty, 8) };
  view.scene.remove(crowd);
  crowd.dispose();
  return {
    covered: difference(one, empty, 8),
    drawn,
    reddened: difference(one, red),
    hits,
    faded: difference(red, fading),
    moved: difference(fading, after),
    hand,
    left: difference(gone, empty, 8),
    grown,
    memory: [before, renderer.info.memory].map(({ geometries, textures }) => ({ geometries, textures })),
  };
}

/** Speeds, held times and ends of clips, seen by the position of a hand. */
async function playback(url) {
  const set = await loadThrong(url);
  set.source.clips[set.source.clipIndex('walk')].loop = 'once';
  const crowd = new ThrongCrowd(set, { count: 2 });
  const hand = (time) => {
    crowd.update(time);
    return crowd.jointMatrix(0, 'right_hand', new THREE.Matrix4()).elements.slice(12, 15);
  };
  const play = (clip, options) => {
    crowd.setClip(0, clip, options);
    return hand(crowd.time);
  };
  crowd.setSpeed(0, 0);
  const held = {};
  for (const [name, change] of Object.entries({
    setTime: () => crowd.setTime(0, 0.4),
    setOffset: () => crowd.setOffset(0, 0.3),
    setClip: () => crowd.setClip(0, 'dance', { offset: 0.5 }),
  })) {
    change();
    held[name] = [hand(1), hand(1.37)];
  }
  const { duration_secs: duration } = set.clips[set.source.clipIndex('dance')];
  const wrapped = [-0.1, duration - 0.1].map((offset) => play('dance', { offset, speed: 0 }));
  crowd.update(0);
  crowd.setClip(0, 'walk', { speed: 1 });
  const [early, end] = [hand(0.3), hand(20)];
  const back = hand(0.3);
  const hours = Array.from({ length: 24 }, (_, hour) => hand(3600 * hour + 20));
  const jump = hand(3600 * 100);
  crowd.setTime(0, 0.3);
  const again = hand(3600 * 100);
  const errors = [0.5, -1, 2, NaN].map((index) => {
    try {
      crowd.setTime(index, 0);
      return null;
    } catch (error) {
      return error.name;
    }
  });
  crowd.dispose();
  return { held, wrapped, early, end, back, hours: [...hours, jump], again, errors };
}

/** Transforms with shear: those of which a corner of the bounding box is in view, and how many of these are not drawn. */
async function culledShears(url) {
  const set = await loadThrong(url);
  const { scene, camera } = stage();
  camera.updateMatrixWorld();
  const crowd = new ThrongCrowd(set, { count: 1 });
  const [mesh] = crowd.children;
  const { min, max } = set.clips[0].bounds;
  const toClip = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const [matrix, corner] = [new THREE.Matrix4(), new THREE.Vector4()];
  let [state, inView, missing, drawn] = [1, 0, 0, 0];
  const random = (extent) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return extent * (state / 2 ** 31 - 1);
  };
  for (let round = 0; round < 4000; round++) {
    // Axes that are almost parallel.
    const rows = [random(1), random(1), random(1)].map((x) => [x + random(0.1), x + random(0.1), x + random(0.1), random(8)]);
    matrix.set(...rows.flat(), 0, 0, 0, 1);
    crowd.setMatrixAt(0, matrix);
    mesh.onBeforeRender(renderer, scene, camera);
    const isInView = Array.from({ length: 8 }, (_, k) => [0, 1, 2].map((axis) => ((k >> axis) & 1 ? max : min)[axis])).some((point) => {
      const { x, y, z, w } = corner.set(...point, 1).applyMatrix4(matrix).applyMatrix4(toClip);
      return Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) <= w;
    });
    drawn += mesh.geometry.instanceCount;
    inView += isInView ? 1 : 0;
    missing += isInView && mesh.geometry.instanceCount === 0 ? 1 : 0;
  }
  crowd.dispose();
  return { inView, missing, drawn };
}

/** Memory before and after crowds of a set, the last of which is disposed of twice; pictures of one while another goes. */
async function disposal(url) {
  const set = await loadThrong(url);
  const view = stage();
  pixels(view);
  const memory = () => ({ geometries: renderer.info.memory.geometries, textures: renderer.info.memory.textures });
  const before = memory();
  const crowds = [0, 1, 2].map(() => new ThrongCrowd(set, { count: 1, material: MATERIALS.basic() }));
  view.scene.add(...crowds);
  crowds.forEach((crowd) => crowd.update(0.2));
  const all = pixels(view);
  crowds.slice(0, 2).forEach((crowd) => {
    crowd.removeFromParent();
    crowd.dispose();
    crowd.dispose();
  });
  const last = pixels(view);
  const during = memory();
  crowds[2].dispose();
  crowds[2].dispose();
  return { before, during, after: memory(), changed: difference(all, last, 8) };
}

/** Draw calls of frames with a crowd, and with another object that is drawn before it. */
async function drawCalls(url) {
  const set = await loadThrong(url);
  const view = stage();
  const crowd = new ThrongCrowd(set, { count: 1 });
  const box = new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial());
  view.scene.add(box, crowd);
  crowd.children[0].renderOrder = 1;
  const calls = [false, true].map((isVisible, k) => {
    box.visible = isVisible;
    crowd.update(0.1 + k);
    pixels(view);
    return renderer.info.render.calls;
  });
  crowd.dispose();
  return { calls, autoReset: renderer.info.autoReset };
}

/** Colours of a textured set with alpha in front of the background. */
async function textured(url) {
  const set = await loadThrong(url);
  const view = stage();
  view.camera.position.set(0, 0.5, 2);
  view.camera.lookAt(0, 0.5, 0);
  const empty = pixels(view);
  const crowd = new ThrongCrowd(set, { count: 1, material: MATERIALS.basic() });
  view.scene.add(crowd);
  crowd.update(0.3);
  const picture = pixels(view);
  const [{ map, alphaTest, side }] = crowd.materials;
  let [green, other] = [0, 0];
  for (let at = 0; at < picture.length; at += 4) {
    const isBackground = [0, 1, 2].every((k) => picture[at + k] === empty[at + k]);
    const isGreen = picture[at + 1] > picture[at] + 60 && picture[at + 1] > picture[at + 2] + 60;
    green += !isBackground && isGreen ? 1 : 0;
    other += !isBackground && !isGreen ? 1 : 0;
  }
  return { hasMap: Boolean(map), alphaTest, isDouble: side === THREE.DoubleSide, green, other };
}

/** Opacity of a material with a mask whose base colour has an alpha, and the key of its program after the user's changed. */
async function copiedMaterial(url, alpha) {
  const set = await loadThrong(url);
  set.source.model.materials[0].baseColor = [1, 1, 1, alpha];
  const material = MATERIALS.basic();
  const crowd = new ThrongCrowd(set, { count: 1, material });
  material.customProgramCacheKey = () => 'changed later';
  const [copy] = crowd.materials;
  crowd.dispose();
  return { opacity: copy.opacity, transparent: copy.transparent, key: copy.customProgramCacheKey().slice(-13) };
}

/** Error of a set whose image is damaged. */
async function imageError(url) {
  const read = async (address) => {
    const bytes = new Uint8Array(await (await fetch(address)).arrayBuffer());
    const at = bytes.findIndex((_, k) => String.fromCharCode(...bytes.subarray(k, k + 8)) === '\x89PNG\r\n\x1a\n');
    return at < 0 ? bytes : bytes.fill(0, at, at + 40);
  };
  return loadError(url, { read, checkDigests: false });
}

async function loadError(url, options) {
  try {
    await loadThrong(url, options);
    return null;
  } catch (error) {
    return { name: error.name, message: error.message };
  }
}

window.tests = { copiedMaterial, imageError, playback, culledShears, disposal, drawCalls, vertices, againstSkinnedMesh, shadows, crowdBehaviour, textured, loadError };
