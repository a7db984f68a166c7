// Contestants of the benchmark: each draws the same characters, at the same places and times, into the same canvas.

import { InstancedMesh2 } from '@three.ez/instanced-mesh';
import * as THREE from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { loadThrong, ThrongCrowd } from 'throng-three';
import { animation, loadCharacter } from '../test/skinned.mjs';
import { babylonContestant, makeEngine } from './babylon.mjs';

const SIZE = 480;
const CLIP = 'walk';

/** Frames per second of contestants that do not interpolate. */
const FRAME_RATE = 30;

const renderer = new THREE.WebGLRenderer({ antialias: false });
renderer.setSize(SIZE, SIZE);
const gl = renderer.getContext();
const engine = makeEngine(SIZE);

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

/** Time of the frame that is shown at a time, seconds. */
function snapped(secs) {
  return Math.floor(secs * FRAME_RATE + 1e-6) / FRAME_RATE;
}

const material = () => new THREE.MeshLambertMaterial();

/**
 * @param isSnapped - true: the crowd shows frames of {@link FRAME_RATE}, as crowds without interpolation do
 * @param palettes - option of the crowd
 */
async function throngContestant(url, count, isSnapped = false, palettes = true) {
  const set = await loadThrong(url);
  const { scene, camera } = stage(count);
  const crowd = new ThrongCrowd(set, { count, material: material(), fades: false, palettes });
  for (let k = 0; k < count; k++) {
    crowd.setMatrixAt(k, new THREE.Matrix4().setPosition(placeOf(k, count)));
    crowd.setClip(k, CLIP, { offset: isSnapped ? snapped(offsetOf(k)) : offsetOf(k) });
  }
  scene.add(crowd);
  const draw = (secs) => {
    crowd.update(isSnapped ? snapped(secs) : secs);
    renderer.render(scene, camera);
  };
  return { draw, gl, bytes: set.textureBytes, errorMm: set.maxErrorMm, set };
}

/** A part in its rest pose. */
function restGeometry(part) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(part.positions, 3));
  geometry.setAttribute('normal', new THREE.BufferAttribute(part.normals, 3));
  geometry.setAttribute('color', new THREE.BufferAttribute(part.colors, 4));
  geometry.setIndex(new THREE.BufferAttribute(part.indices, 1));
  return geometry;
}

/** A crowd of instances that do not move. */
async function staticContestant(source, count) {
  const { scene, camera } = stage(count);
  for (const part of source.source.model.parts) {
    const mesh = new THREE.InstancedMesh(restGeometry(part), new THREE.MeshLambertMaterial({ vertexColors: true }), count);
    for (let k = 0; k < count; k++) {
      mesh.setMatrixAt(k, new THREE.Matrix4().setPosition(placeOf(k, count)));
    }
    scene.add(mesh);
  }
  return { draw: () => renderer.render(scene, camera), gl, bytes: 0, errorMm: null };
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
  return { draw, gl, bytes: bytesOf(clip), errorMm: 0 };
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
  return { draw, gl, bytes: bytesOf(clip), errorMm: 0 };
}

/** Matrices of the bones of a mesh at a time, in the order of its skeleton. */
function palette(set, skinned, bones, secs) {
  const pose = set.source.pose({ clip: set.source.clipIndex(CLIP), secs });
  return skinned.skeleton.bones.map((bone, k) => {
    const joint = new THREE.Matrix4().set(...pose[bones.indexOf(bone)], 0, 0, 0, 1);
    return joint.multiply(skinned.skeleton.boneInverses[k]);
  });
}

/** The only mesh of the character, and its bones by the index of their joints. */
async function skinnedMesh(source, url) {
  const { scene, bones } = await loadCharacter(source, url);
  scene.updateMatrixWorld(true);
  const meshes = [];
  scene.traverse((child) => child.isSkinnedMesh && meshes.push(child));
  if (meshes.length !== 1) {
    throw new Error(`the character has ${meshes.length} meshes; expected 1`);
  }
  return { skinned: meshes[0], bones };
}

/** Babylon.js with its own baked vertex animation: one matrix of floats per bone and frame, without interpolation. */
async function babylonVat(source, url, count) {
  const { skinned, bones } = await skinnedMesh(source, url);
  const frames = Math.round(source.clips[source.source.clipIndex(CLIP)].duration_secs * FRAME_RATE);
  // The last matrix of a row is unused, as in rows that Babylon.js bakes.
  const row = 16 * (skinned.skeleton.bones.length + 1);
  const matrices = new Float32Array(row * frames);
  for (let frame = 0; frame < frames; frame++) {
    palette(source, skinned, bones, frame / FRAME_RATE).forEach(({ elements }, k) => matrices.set(elements, row * frame + 16 * k));
  }
  const firstFrame = (k) => Math.round(snapped(offsetOf(k)) * FRAME_RATE);
  return {
    ...(await babylonContestant(engine, skinned.geometry, stage(count).camera, placesOf(count), { bones: skinned.skeleton.bones.length, matrices, frames, rate: FRAME_RATE, firstFrame })),
    errorMm: snappedErrorMm(source, source, skinned, bones),
  };
}

/** Thin instances of Babylon.js that do not move. */
async function babylonStatic(source, count) {
  const geometry = restGeometry(source.source.model.parts[0]);
  return { ...(await babylonContestant(engine, geometry, stage(count).camera, placesOf(count), null)), errorMm: null };
}

function placesOf(count) {
  return Array.from({ length: count }, (_, k) => placeOf(k, count));
}

/** Largest distance of a vertex of a bone set at frames of {@link FRAME_RATE} from the source at times between them. */
function snappedErrorMm(source, set, skinned, bones) {
  const { duration_secs: duration } = source.clips[source.source.clipIndex(CLIP)];
  const { skinIndex, skinWeight } = skinned.geometry.attributes;
  const rest = new THREE.Vector3();
  const at = [new THREE.Vector3(), new THREE.Vector3()];
  const one = new THREE.Vector3();
  let largest = 0;
  // Errors are largest at the end of a frame.
  for (let frame = 0; frame + 1 < duration * FRAME_RATE; frame++) {
    const palettes = [palette(source, skinned, bones, (frame + 0.999) / FRAME_RATE), palette(set, skinned, bones, frame / FRAME_RATE)];
    for (let vertex = 0; vertex < skinIndex.count; vertex++) {
      rest.fromBufferAttribute(skinned.geometry.attributes.position, vertex);
      palettes.forEach((matrices, k) => {
        at[k].set(0, 0, 0);
        for (let influence = 0; influence < 4; influence++) {
          const weight = skinWeight.getComponent(vertex, influence);
          at[k].addScaledVector(one.copy(rest).applyMatrix4(matrices[skinIndex.getComponent(vertex, influence)]), weight);
        }
      });
      largest = Math.max(largest, at[0].distanceTo(at[1]));
    }
  }
  return 1000 * largest;
}

/** A bone set of Throng at the frames that Babylon.js shows. */
async function snappedContestant(source, url, meshUrl, count) {
  const contestant = await throngContestant(url, count, true);
  const { skinned, bones } = await skinnedMesh(source, meshUrl);
  return { ...contestant, errorMm: snappedErrorMm(source, contestant.set, skinned, bones) };
}

/** Bytes of keyframes. */
function bytesOf(clip) {
  return clip.tracks.reduce((sum, { times, values }) => sum + times.byteLength + values.byteLength, 0);
}

/** Milliseconds of a frame until its pixels are there, and of the main thread alone. */
function timeFrame({ draw, gl }, secs) {
  const start = performance.now();
  draw(secs);
  const main = performance.now() - start;
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  return { frame: performance.now() - start, main };
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** Crowds with palettes that are already filled. */
async function filledContestant(url, count) {
  const { draw, ...contestant } = await throngContestant(url, count);
  return { ...contestant, draw: () => draw(0) };
}

async function makeContestants(count) {
  const source = await loadThrong('/sets/bone-matrix-f32');
  const mesh = '/sets/bone-matrix-f32/mesh.glb';
  return {
    'static InstancedMesh (control)': await staticContestant(source, count),
    'Throng bone-local': await throngContestant('/sets/bone-local', count),
    'Throng bone-local, palettes kept': await filledContestant('/sets/bone-local', count),
    'Throng bone-qt': await throngContestant('/sets/bone-qt', count),
    'Throng bone-qt, decoded per vertex': await throngContestant('/sets/bone-qt', count, false, false),
    'Throng vertex': await throngContestant('/sets/vertex', count),
    'Throng vertex, compressed': await throngContestant('/sets/vertex-curves', count),
    'SkinnedMesh clones': await skinnedContestant(source, mesh, count),
    '@three.ez/instanced-mesh': await instancedMeshContestant(source, mesh, count),
    'Babylon.js VAT, snapped': await babylonVat(source, mesh, count),
    'Throng bone-local, snapped': await snappedContestant(source, '/sets/bone-local', mesh, count),
    'Throng bone-qt, snapped': await snappedContestant(source, '/sets/bone-qt', mesh, count),
    'Babylon.js, static': await babylonStatic(source, count),
  };
}

/** Rounds in which every contestant draws a frame, in turn. */
async function run(count, rounds) {
  const contestants = await makeContestants(count);
  const times = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const [name, contestant] of Object.entries(contestants)) {
      const time = timeFrame(contestant, 0.05 * (round + 1));
      // The first round compiles shaders.
      if (round >= 0) {
        times[name].push(time);
      }
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
  const [control] = Object.values(times);
  return Object.entries(contestants).map(([name, { bytes, errorMm }]) => ({
    name,
    bytes,
    errorMm,
    // Round by round, because the load of the machine changes.
    ofControl: median(times[name].map(({ frame }, round) => control[round].frame / frame)),
    frame: median(times[name].map(({ frame }) => frame)),
    main: median(times[name].map(({ main }) => main)),
  }));
}

const info = gl.getExtension('WEBGL_debug_renderer_info');
window.bench = { run, makeContestants, device: gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER) };
