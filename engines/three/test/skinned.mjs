// three's own SkinnedMesh and AnimationMixer on the character of a set, as the reference of pictures.

import { MeshoptDecoder } from 'meshoptimizer/decoder';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

/** Keyframes of every joint at some times, in the space of its parent. */
export function animation(set, bones, clip, times) {
  const { source } = set;
  const poses = times.map((time) => source.pose({ clip: source.clipIndex(clip), secs: time }).map((m) => new THREE.Matrix4().set(...m, 0, 0, 0, 1)));
  const tracks = source.manifest.joints.flatMap(({ parent }, joint) => {
    const values = { position: [], quaternion: [], scale: [] };
    for (const pose of poses) {
      const local = parent === null ? pose[joint] : pose[parent].clone().invert().multiply(pose[joint]);
      const [position, quaternion, scale] = [new THREE.Vector3(), new THREE.Quaternion(), new THREE.Vector3()];
      local.decompose(position, quaternion, scale);
      values.position.push(...position);
      values.quaternion.push(...quaternion);
      values.scale.push(...scale);
    }
    const name = bones[joint].uuid;
    return [
      new THREE.VectorKeyframeTrack(`${name}.position`, times, values.position),
      new THREE.QuaternionKeyframeTrack(`${name}.quaternion`, times, values.quaternion),
      new THREE.VectorKeyframeTrack(`${name}.scale`, times, values.scale),
    ];
  });
  return new THREE.AnimationClip(clip, times.at(-1), tracks);
}

/** The character of a set in its rest pose, and its bones by the index of their joints. */
export async function loadCharacter(set, url) {
  const gltf = await new GLTFLoader().setMeshoptDecoder(MeshoptDecoder).loadAsync(url);
  const nodes = await gltf.parser.getDependencies('node');
  return { scene: gltf.scene, bones: set.source.manifest.joints.map((_, joint) => nodes[joint]) };
}

/**
 * The character at a time of a clip.
 *
 * @param set - bone set with the joints of the source at its samples
 * @param turn - joint that is turned, and by how many degrees; none: null
 */
export async function skinnedCharacter(set, url, clip, secs, material, turn) {
  const { scene, bones } = await loadCharacter(set, url);
  const { rate_hz: rate } = set.source.clips[set.source.clipIndex(clip)];
  const times = [-1, 0, 1].map((k) => (Math.round(secs * rate) + k) / rate);
  const mixer = new THREE.AnimationMixer(scene);
  mixer.clipAction(animation(set, bones, clip, times)).play();
  mixer.setTime(secs);
  if (turn !== null) {
    bones[set.source.jointIndex(turn.joint)].rotateZ((turn.degrees * Math.PI) / 180);
  }
  scene.traverse((object) => {
    if (object.isMesh) {
      const { color } = object.material;
      object.material = material.clone();
      object.material.color.copy(color);
      object.material.vertexColors = 'color' in object.geometry.attributes;
      object.frustumCulled = false;
      object.castShadow = object.receiveShadow = true;
    }
  });
  return scene;
}
