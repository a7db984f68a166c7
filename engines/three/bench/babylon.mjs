// Contestants of the benchmark that Babylon.js draws: thin instances with its own baked vertex animation, and still ones.

import '@babylonjs/core/Meshes/thinInstanceMesh.js';
import { BakedVertexAnimationManager } from '@babylonjs/core/BakedVertexAnimation/bakedVertexAnimationManager.js';
import { VertexAnimationBaker } from '@babylonjs/core/BakedVertexAnimation/vertexAnimationBaker.js';
import { Bone } from '@babylonjs/core/Bones/bone.js';
import { Skeleton } from '@babylonjs/core/Bones/skeleton.js';
import { FreeCamera } from '@babylonjs/core/Cameras/freeCamera.js';
import { Engine } from '@babylonjs/core/Engines/engine.js';
import { DirectionalLight } from '@babylonjs/core/Lights/directionalLight.js';
import { StandardMaterial } from '@babylonjs/core/Materials/standardMaterial.js';
import { Color3, Color4 } from '@babylonjs/core/Maths/math.color.js';
import { Matrix, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import { VertexBuffer } from '@babylonjs/core/Buffers/buffer.js';
import { VertexData } from '@babylonjs/core/Meshes/mesh.vertexData.js';
import { Scene } from '@babylonjs/core/scene.js';

/** Makes the canvas and context that all contestants of Babylon.js share. */
export function makeEngine(size) {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size;
  document.body.append(canvas);
  return new Engine(canvas, false, { audioEngine: false });
}

/**
 * A crowd of thin instances.
 *
 * @param geometry - of three.js, with vertex colours
 * @param camera - camera of three.js
 * @param places - position of each instance
 * @param vat - number of bones, baked matrices, frames, rate, and first frame of each instance; null: the instances do not move
 */
export async function babylonContestant(engine, geometry, camera, places, vat) {
  const scene = new Scene(engine);
  scene.useRightHandedSystem = true;
  scene.clearColor = new Color4(0, 0, 0, 1);
  const view = new FreeCamera('camera', Vector3.FromArray(camera.position.toArray()), scene);
  view.fov = (camera.fov * Math.PI) / 180;
  view.minZ = camera.near;
  view.maxZ = camera.far;
  view.setTarget(Vector3.Zero());
  const lamp = new DirectionalLight('lamp', new Vector3(0, -1, 0), scene);
  lamp.specular = Color3.Black();
  scene.ambientColor = Color3.White();

  const { position, normal, color, skinIndex, skinWeight } = geometry.attributes;
  const mesh = new Mesh('character', scene);
  const data = new VertexData();
  data.positions = floats(position);
  data.normals = floats(normal);
  data.colors = floats(color);
  data.indices = Uint32Array.from(geometry.index.array);
  data.applyToMesh(mesh);
  const material = new StandardMaterial('material', scene);
  material.specularColor = Color3.Black();
  material.ambientColor = new Color3(0.3, 0.3, 0.3);
  // The faces of a mesh of three.js are seen from the same side in a right-handed scene.
  material.sideOrientation = 1;
  mesh.material = material;
  const matrices = new Float32Array(16 * places.length);
  places.forEach(({ x, y, z }, k) => Matrix.Translation(x, y, z).copyToArray(matrices, 16 * k));
  mesh.thinInstanceSetBuffer('matrix', matrices, 16, true);
  mesh.alwaysSelectAsActiveMesh = true;

  let manager = null;
  if (vat !== null) {
    mesh.setVerticesData(VertexBuffer.MatricesIndicesKind, floats(skinIndex));
    mesh.setVerticesData(VertexBuffer.MatricesWeightsKind, floats(skinWeight));
    const weights = floats(skinWeight);
    mesh.numBoneInfluencers = Math.max(...[0, 1, 2, 3].filter((k) => weights.some((weight, at) => at % 4 === k && weight > 0))) + 1;
    mesh.skeleton = new Skeleton('skeleton', 'skeleton', scene);
    for (let k = 0; k < vat.bones; k++) {
      new Bone(`bone${k}`, mesh.skeleton, null, Matrix.Identity());
    }
    manager = new BakedVertexAnimationManager(scene);
    manager.texture = new VertexAnimationBaker(scene, mesh.skeleton).textureFromBakedVertexData(vat.matrices);
    mesh.bakedVertexAnimationManager = manager;
    const settings = new Float32Array(places.flatMap((_, k) => [0, vat.frames - 1, vat.firstFrame(k), vat.rate]));
    mesh.thinInstanceSetBuffer('bakedVertexAnimationSettingsInstanced', settings, 4, true);
  }
  // Shaders compile meanwhile; until then nothing is drawn.
  await scene.whenReadyAsync();
  const draw = (secs) => {
    if (manager !== null) {
      // The middle of a frame of the first loop: Babylon.js leaves frame 0 out of later ones.
      manager.time = ((Math.floor(secs * vat.rate + 1e-6) % vat.frames) + 0.5) / vat.rate;
    }
    scene.render();
  };
  return { draw, gl: engine._gl, bytes: vat === null ? 0 : vat.matrices.byteLength };
}

/** Values of an attribute of three.js as plain floats. */
function floats(attribute) {
  const { count, itemSize } = attribute;
  return Float32Array.from({ length: count * itemSize }, (_, k) => attribute.getComponent(Math.floor(k / itemSize), k % itemSize));
}
