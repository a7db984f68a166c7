import { TABLE_COLUMNS } from 'throng-core';
import { Frustum, Matrix4, type Camera, type DataTexture } from 'three';
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

  /** Lists all instances, and those that are added later. */
  showAll(): void {
    const words = this.texture.image.data as unknown as Uint32Array;
    words.forEach((_, index) => (words[index] = index));
    this.count = this.instances.count;
    this.#version = -1;
    this.texture.needsUpdate = true;
  }

  /** True unless the hull of the spheres of an instance is outside a plane. Exact for any affine transform of a sphere. */
  #isVisible(index: number): boolean {
    const m = this.instances.records.transform(index);
    const spheres = this.instances.spheres(index);
    return this.#frustum.planes.every(({ normal: { x: a, y: b, z: c }, constant }) => {
      // The plane in the space of the instance. The length of its normal is the factor that the radius grows by.
      const x = m[0]! * a + m[4]! * b + m[8]! * c;
      const y = m[1]! * a + m[5]! * b + m[9]! * c;
      const z = m[2]! * a + m[6]! * b + m[10]! * c;
      const w = m[3]! * a + m[7]! * b + m[11]! * c + constant;
      const length = Math.sqrt(x * x + y * y + z * z);
      return spheres.some(({ center, radius }) => x * center[0] + y * center[1] + z * center[2] + w >= -radius * length);
    });
  }

  dispose(): void {
    this.texture.dispose();
  }
}
