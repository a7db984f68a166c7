// Contestants of the benchmark: each draws the same characters, at the same places and times, into the same canvas.

import { InstancedMesh2 } from '@three.ez/instanced-mesh';
import * as THREE from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { loadThrong, ThrongCrowd } from 'throng-three';
import { animation, loadCharacter } from '../test/skinned.mjs';

const SIZE = 480;
const CLIP = 'walk';

const renderer = new THREE.WebGLRenderer({ antialias: false });
renderer.setSize(SIZE, SIZE);
const gl = renderer.getContext();

function stage(count) {
  const scene = new THREE.Scene();
  scene.add(new THREE.DirectionalLight(0xffffff, 2), new THREE.AmbientLight(0xffffff, 1));
  const camera = new THREE.PerspectiveCamera(40, 1, 0.5, 200);
  camera.position.set(0, 0.9 * Math.sqrt(count), 1.4 * Math.sqrt(count));
  camera.lookAt(0, 0, 0);
  return { scene, camera };
}

function placeOf(index, count) {
  const side = Math.ceil(Math.sqrt(count));
  return new THREE.Vector3((index % side) - side / 2, 0, Math.floor(index / side) - side / 2);
}

/** Time of an instance in its clip, seconds. */
function offsetOf(index) {
  return (index * 0.137) % 1;
}

const material = () => new THREE.MeshLambertMaterial();

async function throngContestant(url, count) {
  const set = await loadThrong(url);
  const { scene, camera } = stage(count);
  const crowd = new ThrongCrowd(set, { count, material: material(), fades: false });
  for (let k = 0; k < count; k++) {
    crowd.setMatrixAt(k, new THREE.Matrix4().setPosition(placeOf(k, count)));
    crowd.setClip(k, CLIP, { offset: offsetOf(k) });
  }
  scene.add(crowd);
  const draw = (secs) => {
    crowd.update(secs);
    renderer.render(scene, camera);
  };
  return { draw, bytes: set.textureBytes, errorMm: set.maxErrorMm };
}

/** A crowd of instances that do not move. */
async function staticContestant(source, count) {
  const { scene, camera } = stage(count);
  for (const part of source.source.model.parts) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(part.positions, 3));
    geometry.setAttribute('normal', new THREE.BufferAttribute(part.normals, 3));
    geometry.setAttribute('color', new THREE.BufferAttribute(part.colors, 4));
    geometry.setIndex(new THREE.BufferAttribute(part.indices, 1));
    const mesh = new THREE.InstancedMesh(geometry, new THREE.MeshLambertMaterial({ vertexColors: true }), count);
    for (let k = 0; k < count; k++) {
      mesh.setMatrixAt(k, new THREE.Matrix4().setPosition(placeOf(k, count)));
    }
    scene.add(mesh);
  }
  return { draw: () => renderer.render(scene, camera), bytes: 0, errorMm: null };
}

/** Keyframes at the samples of the source. */
function clipOf(source, bones) {
  const { frames, rate_hz: rate } = source.clips[source.source.clipIndex(CLIP)];
  return animation(source, bones, CLIP, Array.from({ length: frames }, (_, k) => k / rate));
}

function paint(object) {
  object.traverse((child) => {
    if (child.isMesh) {
      child.material = new THREE.MeshLambertMaterial({ vertexColors: true });
      child.frustumCulled = false;
    }
  });
}

async function skinnedContestant(source, url, count) {
  const { scene, camera } = stage(count);
  const { scene: character, bones } = await loadCharacter(source, url);
  paint(character);
  bones.forEach((bone, joint) => (bone.name = `joint${joint}`));
  const clip = clipOf(source, bones.map(({ name }) => ({ uuid: name })));
  const mixers = Array.from({ length: count }, (_, k) => {
    const copy = clone(character);
    copy.position.copy(placeOf(k, count));
    scene.add(copy);
    const mixer = new THREE.AnimationMixer(copy);
    mixer.clipAction(clip).play();
    return mixer;
  });
  const draw = (secs) => {
    mixers.forEach((mixer, k) => mixer.setTime(secs + offsetOf(k)));
    renderer.render(scene, camera);
  };
  return { draw, bytes: bytesOf(clip), errorMm: 0 };
}

async function instancedMeshContestant(source, url, count) {
  const { scene, camera } = stage(count);
  const { scene: character, bones } = await loadCharacter(source, url);
  paint(character);
  character.updateMatrixWorld(true);
  let skinned = null;
  character.traverse((child) => {
    skinned ??= child.isSkinnedMesh ? child : null;
  });
  const mesh = new InstancedMesh2(skinned.geometry, skinned.material, { capacity: count, renderer });
  mesh.initSkeleton(skinned.skeleton, false);
  mesh.addInstances(count, (instance, k) => instance.position.copy(placeOf(k, count)));
  mesh.frustumCulled = mesh.perObjectFrustumCulled = false;
  scene.add(mesh);
  const clip = clipOf(source, bones);
  const mixer = new THREE.AnimationMixer(character);
  mixer.clipAction(clip).play();
  const draw = (secs) => {
    for (let k = 0; k < count; k++) {
      mixer.setTime(secs + offsetOf(k));
      character.updateMatrixWorld(true);
      mesh.setBonesAt(k, false);
    }
    renderer.render(scene, camera);
  };
  return { draw, bytes: bytesOf(clip), errorMm: 0 };
}

/** Bytes of keyframes. */
function bytesOf(clip) {
  return clip.tracks.reduce((sum, { times, values }) => sum + times.byteLength + values.byteLength, 0);
}

/** Milliseconds of a frame until its pixels are there, and of the main thread alone. */
function timeFrame(draw, secs) {
  const start = performance.now();
  draw(secs);
  const main = performance.now() - start;
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  return { frame: performance.now() - start, main };
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** Rounds in which every contestant draws a frame, in turn. */
async function run(count, rounds) {
  const source = await loadThrong('/sets/bone-matrix-f32');
  const mesh = '/sets/bone-matrix-f32/mesh.glb';
  const contestants = {
    'static InstancedMesh (control)': await staticContestant(source, count),
    'Throng bone-local': await throngContestant('/sets/bone-local', count),
    'Throng bone-qt': await throngContestant('/sets/bone-qt', count),
    'Throng vertex': await throngContestant('/sets/vertex', count),
    'Throng vertex, compressed': await throngContestant('/sets/vertex-curves', count),
    'SkinnedMesh clones': await skinnedContestant(source, mesh, count),
    '@three.ez/instanced-mesh': await instancedMeshContestant(source, mesh, count),
  };
  const times = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const [name, { draw }] of Object.entries(contestants)) {
      const time = timeFrame(draw, 0.05 * (round + 1));
      // The first round compiles shaders.
      if (round >= 0) {
        times[name].push(time);
      }
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
  return Object.entries(contestants).map(([name, { bytes, errorMm }]) => ({
    name,
    bytes,
    errorMm,
    frame: median(times[name].map(({ frame }) => frame)),
    main: median(times[name].map(({ main }) => main)),
  }));
}

const info = gl.getExtension('WEBGL_debug_renderer_info');
window.bench = { run, device: gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER) };
