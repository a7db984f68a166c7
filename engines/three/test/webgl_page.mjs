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

async function loadError(url) {
  try {
    await loadThrong(url);
    return null;
  } catch (error) {
    return { name: error.name, message: error.message };
  }
}

window.tests = { vertices, againstSkinnedMesh, shadows, crowdBehaviour, textured, loadError };
