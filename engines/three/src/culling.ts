import { TABLE_COLUMNS } from 'throng-core';
import { Frustum, Matrix4, Vector3, type Camera, type DataTexture } from 'three';
import type { Instances } from './instances.js';
import { wordTable } from './textures.js';

const IDENTITY = new Matrix4();

/** Indices of the instances that a camera sees, in a texture. */
export class VisibleInstances {
  /** One texel per visible instance. Replaced when the crowd grows. */
  texture: DataTexture;
  count = 0;
  readonly #view = new Matrix4();
  readonly #matrix = new Matrix4();
  readonly #frustum = new Frustum();
  readonly #center = new Vector3();
  #version = -1;
  #isCulled = true;

  constructor(readonly instances: Instances) {
    this.texture = wordTable(new Uint32Array(instances.capacity), 1);
  }

  /** Finds the instances in the frustum of a camera. Nothing is done where neither has changed. */
  update(camera: Camera, crowdMatrix: Matrix4, isCulled: boolean): void {
    const { instances } = this;
    this.#matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).multiply(crowdMatrix);
    if (this.#version === instances.version && this.#isCulled === isCulled && (!isCulled || this.#matrix.equals(this.#view))) {
      return;
    }
    this.#version = instances.version;
    this.#isCulled = isCulled;
    this.#view.copy(this.#matrix);
    this.#frustum.setFromProjectionMatrix(isCulled ? this.#matrix : IDENTITY, camera.coordinateSystem, camera.reversedDepth);
    if (this.texture.image.height * TABLE_COLUMNS < instances.count) {
      this.texture.dispose();
      this.texture = wordTable(new Uint32Array(instances.capacity), 1);
    }
    const words = this.texture.image.data as unknown as Uint32Array;
    let count = 0;
    for (let index = 0; index < instances.count; index++) {
      if (!isCulled || this.#isVisible(index)) {
        words[count++] = index;
      }
    }
    this.count = count;
    this.texture.needsUpdate = true;
  }

  #isVisible(index: number): boolean {
    const m = this.instances.records.transform(index);
    // Largest length of an axis, which bounds how far the transform enlarges a sphere.
    const scale = Math.sqrt(
      Math.max(m[0]! ** 2 + m[4]! ** 2 + m[8]! ** 2, m[1]! ** 2 + m[5]! ** 2 + m[9]! ** 2, m[2]! ** 2 + m[6]! ** 2 + m[10]! ** 2),
    );
    for (const { center: [x, y, z], radius } of this.instances.spheres(index)) {
      this.#center.set(
        m[0]! * x + m[1]! * y + m[2]! * z + m[3]!,
        m[4]! * x + m[5]! * y + m[6]! * z + m[7]!,
        m[8]! * x + m[9]! * y + m[10]! * z + m[11]!,
      );
      if (this.#frustum.planes.every((plane) => plane.distanceToPoint(this.#center) >= -radius * scale)) {
        return true;
      }
    }
    return false;
  }

  dispose(): void {
    this.texture.dispose();
  }
}
