import { TABLE_COLUMNS, ThrongError, ticksFromSecs } from 'throng-core';
import { Mesh, NearestFilter, RGBAIntegerFormat, UnsignedIntType, type Camera, type Material, type Matrix4, type Texture } from 'three';
import { attribute, Fn, instanceIndex, materialColor, normalGeometry, normalLocal, positionGeometry, uniform, uvec4, varyingProperty, vec4 } from 'three/tsl';
import { StorageTexture, type ComputeNode, type Node, type WebGPURenderer } from 'three/webgpu';
import { BaseCrowd } from './base_crowd.js';
import { VisibleInstances } from './culling.js';
import { forwardShadows, type CrowdOptions } from './crowd.js';
import { disposeGeometry, partGeometry, type ModelPart } from './model.js';
import type { ThrongSet } from './set.js';
import { partMaterial } from './source_material.js';
import { deformFunction, paletteCompute, textureInputs, wideTextures } from './wgsl_functions.js';

/** Options of {@link ThrongCrowd}. */
export interface WebGpuCrowdOptions extends CrowdOptions {
  /** Largest number of instances. Default: `count`. */
  capacity?: number;
}

type NodeOwner = Material & { positionNode?: Node | null; colorNode?: Node | null };

/**
 * A crowd of one character for `WebGPURenderer`: every part is one instanced draw call. The largest number of instances is
 * fixed.
 */
export class ThrongCrowd extends BaseCrowd {
  /** Materials of the parts, in their order. Copies of the option `material`: change these. */
  readonly materials: readonly Material[];
  readonly #meshes: readonly Mesh[];
  readonly #visible: VisibleInstances;
  readonly #textures: Record<string, Texture>;
  readonly #now = uniform(0, 'uint');
  readonly #palette: ComputeNode | null;
  readonly #capacity: number;
  #filled = '';
  #isCulled = false;

  constructor(set: ThrongSet, { count = 0, capacity = count, material, fades = true }: WebGpuCrowdOptions = {}) {
    super(set, count, fades, capacity);
    this.#capacity = Math.max(count, capacity);
    this.#visible = new VisibleInstances(this.instances);
    this.#visible.showAll();
    this.#textures = { ...wideTextures(this.model), throng_instances: this.instances.texture, throng_visible: this.#visible.texture };
    this.#palette = set.source.jointCurves === null ? null : this.#makePalette();
    this.#meshes = this.model.parts.map((part, index) => {
      const source = set.source.model.parts[index]!;
      const own = partMaterial(set, source.material, material ?? null, 'color' in part.attributes);
      this.#deform(own, part);
      const mesh = new Mesh(partGeometry(part), own);
      (mesh.geometry as unknown as { instanceCount: number }).instanceCount = count;
      mesh.name = source.name;
      mesh.frustumCulled = false;
      mesh.raycast = () => {};
      mesh.onBeforeRender = (renderer) => this.#prepare(renderer as unknown as WebGPURenderer);
      return mesh;
    });
    this.materials = this.#meshes.map((mesh) => mesh.material as Material);
    this.add(...this.#meshes);
    forwardShadows(this, this.#meshes);
  }

  override addInstance(transform?: Matrix4): number {
    if (this.count === this.#capacity) {
      throw new ThrongError(`the crowd has room for ${this.#capacity} instances: make it with a larger option capacity`);
    }
    const index = super.addInstance(transform);
    this.#showAll();
    return index;
  }

  override removeInstance(index: number): void {
    super.removeInstance(index);
    this.#showAll();
  }

  /**
   * Sets the time at which instances are drawn.
   *
   * @param time - seconds
   * @param renderer - fills the palettes of `bone-local` now; without it, they are filled when the crowd is first drawn, which is
   * too late for shadows of the same frame
   */
  update(time: number, renderer?: WebGPURenderer): void {
    this.advance(time);
    this.#now.value = ticksFromSecs(time);
    if (renderer !== undefined) {
      this.#fillPalettes(renderer);
    }
  }

  /**
   * Draws only the instances that a camera sees, until the next call, or until instances are added or removed. Call it once per
   * frame, before rendering. Instances that are left out cast no shadows. Never called: all instances are drawn.
   */
  cull(camera: Camera): void {
    camera.updateWorldMatrix(true, false);
    this.updateWorldMatrix(true, false);
    this.#visible.update(camera, this.matrixWorld, true);
    this.#isCulled = true;
    this.#draw(this.#visible.count);
  }

  #showAll(): void {
    if (this.#isCulled) {
      this.#visible.showAll();
      this.#isCulled = false;
    }
    this.#draw(this.count);
  }

  #draw(instances: number): void {
    for (const mesh of this.#meshes) {
      (mesh.geometry as unknown as { instanceCount: number }).instanceCount = instances;
    }
  }

  protected override free(): void {
    this.#visible.dispose();
    this.#palette?.dispose();
    this.#textures.throng_palette?.dispose();
    for (const mesh of this.#meshes) {
      disposeGeometry(mesh.geometry, this.model);
      (mesh.material as Material).dispose();
    }
  }

  /** Puts the deformation in front of what the material does. */
  #deform(material: NodeOwner, part: ModelPart): void {
    const { call, bindings } = deformFunction(part.variant, this.tables);
    const isSkinned = 'throngJoints' in part.attributes;
    const factor = part.hasFactor ? attribute('throngFactor', 'float') : 1;
    const tint = varyingProperty('vec3', 'throngTint');
    material.positionNode = Fn(() => {
      const vertex = call({
        position: vec4(positionGeometry, factor as never),
        normal: normalGeometry,
        joints: isSkinned ? attribute('throngJoints', 'uvec4') : uvec4(0),
        weights: isSkinned ? attribute('throngWeights', 'vec4') : vec4(0),
        indices: attribute('throngIndices', 'uvec4'),
        drawn: instanceIndex,
        now: this.#now,
        ...textureInputs(bindings, this.#textures),
      }) as never as { toVar(): { element(index: number): Node<'vec3'> } };
      const columns = vertex.toVar();
      normalLocal.assign(columns.element(1));
      tint.assign(columns.element(2));
      return columns.element(0);
    })();
    const color = (material.colorNode ?? materialColor) as Node<'vec4'>;
    material.colorNode = vec4(color).mul(vec4(tint, 1));
  }

  #makePalette(): ComputeNode {
    const { tables } = this;
    const rows = Math.max(Math.ceil((this.#capacity * tables.info.paletteStride) / TABLE_COLUMNS), 1);
    const palette = new StorageTexture(TABLE_COLUMNS, rows);
    palette.format = RGBAIntegerFormat;
    palette.type = UnsignedIntType;
    palette.minFilter = palette.magFilter = NearestFilter;
    palette.generateMipmaps = false;
    this.#textures.throng_palette = palette;
    return paletteCompute(tables, this.#textures, palette, this.#now, this.#capacity);
  }

  #prepare(renderer: WebGPURenderer): void {
    if ((renderer.backend as { isWebGPUBackend?: boolean }).isWebGPUBackend !== true) {
      throw new ThrongError('WebGPURenderer runs on WebGL2 here, where its nodes cannot call WGSL: use WebGLRenderer and throng-three');
    }
    this.#fillPalettes(renderer);
  }

  /** Fills the palettes, unless neither time nor instances have changed. */
  #fillPalettes(renderer: WebGPURenderer): void {
    const state = `${this.#now.value} ${this.instances.version}`;
    if (this.#palette !== null && state !== this.#filled && this.count > 0) {
      this.#filled = state;
      (this.#palette as { count: number | null }).count = this.count * this.tables.info.paletteStride;
      renderer.compute(this.#palette);
    }
  }
}
