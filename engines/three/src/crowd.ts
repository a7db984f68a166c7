import { ticksFromSecs } from 'throng-core';
import { Mesh, MeshDepthMaterial, MeshDistanceMaterial, RGBADepthPacking, type Camera, type IUniform, type Material, type WebGLRenderer } from 'three';
import { BaseCrowd } from './base_crowd.js';
import { VisibleInstances } from './culling.js';
import { deformInGlsl } from './glsl_material.js';
import { disposeGeometry, partGeometry } from './model.js';
import { PalettePass } from './palette_pass.js';
import type { ThrongSet } from './set.js';
import { partMaterial } from './source_material.js';

/** Options of {@link ThrongCrowd}. */
export interface CrowdOptions {
  /** Number of instances at first. Default: 0. */
  count?: number;
  /**
   * Material to copy for each part: any of three's that deforms vertices (Standard, Physical, Lambert, Phong, Toon, Basic,
   * Normal, Matcap). The colour, texture, alpha and sidedness of the source are put on the copies. Default: a standard material.
   */
  material?: Material;
  /** False: instances never cross-fade, and shaders are shorter. Default: true. */
  fades?: boolean;
  /**
   * True: the joints of bone encodings are decoded once per instance, in passes before the crowd is drawn, and not in every
   * vertex. Takes 48 bytes per joint and instance on the GPU, and decodes culled instances too. No effect on vertex
   * encodings, on bakes with `--interpolate slerp-vertices` and with `WebGPURenderer`; `bone-local` always does it.
   * Default: true.
   */
  palettes?: boolean;
}

/**
 * A crowd of one character for `WebGLRenderer`: every part is one instanced draw call.
 *
 * ```js
 * const set = await loadThrong('knight.glb');
 * const crowd = new ThrongCrowd(set, { count: 5000 });
 * crowd.setClip(0, 'Run', { offset: Math.random() });
 * scene.add(crowd);
 * renderer.setAnimationLoop((t) => { crowd.update(t / 1000); renderer.render(scene, camera); });
 * ```
 */
export class ThrongCrowd extends BaseCrowd {
  /** Materials of the parts, in their order. Copies of the option `material`: change these. */
  readonly materials: readonly Material[];
  readonly #meshes: readonly Mesh[];
  readonly #visible: VisibleInstances;
  readonly #palette: PalettePass | null;
  readonly #uniforms: Record<string, IUniform>;
  #filled = '';

  constructor(set: ThrongSet, { count = 0, material, fades = true, palettes = true }: CrowdOptions = {}) {
    super(set, count, fades);
    this.#visible = new VisibleInstances(this.instances);
    const uniforms: Record<string, IUniform> = {
      throng_now: { value: 0 },
      throng_instances: { value: this.instances.texture },
      throng_visible: { value: this.#visible.texture },
    };
    for (const [name, texture] of Object.entries(this.model.textures)) {
      uniforms[name] = { value: texture };
    }
    this.#uniforms = uniforms;
    const fill = palettes || set.source.jointCurves !== null ? this.model.parts[0]?.palette?.fill : undefined;
    this.#palette = fill === undefined ? null : new PalettePass(this.tables, fill, uniforms);
    if (this.#palette !== null) {
      uniforms.throng_palette = { value: this.#palette.texture };
    }
    const user = material ?? null;
    this.#meshes = this.model.parts.map((part, index) => {
      const { material: source } = set.source.model.parts[index]!;
      const own = partMaterial(set, source, user, 'color' in part.attributes);
      const variant = this.#palette === null || part.palette === null ? part.variant : part.palette.variant;
      deformInGlsl(own, part, variant, this.tables, uniforms, user);
      const mesh = new Mesh(partGeometry(part), own);
      mesh.customDepthMaterial = new MeshDepthMaterial({ depthPacking: RGBADepthPacking });
      mesh.customDistanceMaterial = new MeshDistanceMaterial();
      for (const shadow of [mesh.customDepthMaterial, mesh.customDistanceMaterial]) {
        deformInGlsl(shadow, part, variant, this.tables, uniforms, null);
      }
      mesh.name = set.source.model.parts[index]!.name;
      // The crowd culls and is hit as a whole.
      mesh.frustumCulled = false;
      mesh.raycast = () => {};
      mesh.onBeforeRender = (renderer, _, camera) => this.#prepare(renderer as WebGLRenderer, camera, mesh);
      mesh.onBeforeShadow = (renderer, _, __, shadowCamera) => this.#prepare(renderer as WebGLRenderer, shadowCamera, mesh);
      return mesh;
    });
    this.materials = this.#meshes.map((mesh) => mesh.material as Material);
    this.add(...this.#meshes);
    forwardShadows(this, this.#meshes);
  }

  /**
   * Sets the time at which instances are drawn.
   *
   * @param time - seconds
   * @param renderer - fills the palettes of `bone-local` now; without it, they are filled when the crowd is first drawn
   */
  update(time: number, renderer?: WebGLRenderer): void {
    this.advance(time);
    this.#uniforms.throng_now!.value = ticksFromSecs(time);
    if (renderer !== undefined) {
      this.#fillPalettes(renderer);
    }
  }

  protected override free(): void {
    this.#visible.dispose();
    this.#palette?.dispose();
    for (const mesh of this.#meshes) {
      disposeGeometry(mesh.geometry, this.model);
      [mesh.material as Material, mesh.customDepthMaterial, mesh.customDistanceMaterial].forEach((material) => material?.dispose());
    }
  }

  #prepare(renderer: WebGLRenderer, camera: Camera, mesh: Mesh): void {
    this.#fillPalettes(renderer);
    this.#visible.update(camera, this.matrixWorld, this.frustumCulled);
    this.#uniforms.throng_instances!.value = this.instances.texture;
    this.#uniforms.throng_visible!.value = this.#visible.texture;
    (mesh.geometry as unknown as { instanceCount: number }).instanceCount = this.#visible.count;
  }

  /** Fills the palettes, unless neither time nor instances have changed. */
  #fillPalettes(renderer: WebGLRenderer): void {
    const state = `${this.#uniforms.throng_now!.value} ${this.instances.version}`;
    if (this.#palette === null || state === this.#filled || this.count === 0) {
      return;
    }
    this.#filled = state;
    this.#uniforms.throng_instances!.value = this.instances.texture;
    this.#palette.run(renderer, this.count);
    this.#uniforms.throng_palette!.value = this.#palette.texture;
  }
}

/** Lets the meshes of a crowd cast and receive shadows as the crowd does. */
export function forwardShadows(crowd: BaseCrowd, meshes: readonly Mesh[]): void {
  for (const name of ['castShadow', 'receiveShadow'] as const) {
    Object.defineProperty(crowd, name, {
      get: () => meshes[0]?.[name] ?? false,
      set: (value: boolean) => meshes.forEach((mesh) => (mesh[name] = value)),
      enumerable: true,
      configurable: true,
    });
  }
}
