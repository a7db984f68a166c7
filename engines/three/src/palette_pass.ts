import { PALETTE_VARIANT, TABLE_COLUMNS, variantSource, type SetTables } from 'throng-core';
import { GLSL_LIBRARY } from 'throng-core/glsl';
import {
  BufferAttribute,
  BufferGeometry,
  Camera,
  GLSL3,
  Mesh,
  NearestFilter,
  NoBlending,
  RawShaderMaterial,
  RGBAIntegerFormat,
  Scene,
  UnsignedIntType,
  Vector4,
  WebGLRenderTarget,
  type WebGLRenderer,
} from 'three';
import type { CrowdUniforms } from './glsl_material.js';

const VERTEX = `in highp vec3 position;
void main() {
  gl_Position = vec4(position, 1.0);
}
`;

/** Fills the palettes of `bone-local`: the matrices of all joints of all instances, in a texture. */
export class PalettePass {
  readonly #scene = new Scene();
  readonly #camera = new Camera();
  readonly #material: RawShaderMaterial;
  readonly #geometry = new BufferGeometry();
  readonly #stride: number;
  target: WebGLRenderTarget;

  constructor(tables: SetTables, uniforms: CrowdUniforms) {
    const { bindings, functions } = variantSource(GLSL_LIBRARY, PALETTE_VARIANT, tables);
    this.#stride = tables.info.paletteStride;
    this.#material = new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: VERTEX,
      fragmentShader: `precision highp float;
precision highp int;
${bindings}
uniform uint throng_now;
out highp uvec4 texel;
${functions}
void main() {
  texel = throng_palette_texel(uint(gl_FragCoord.x) + ${TABLE_COLUMNS}u * uint(gl_FragCoord.y), throng_now);
}
`,
      uniforms,
      depthTest: false,
      depthWrite: false,
      blending: NoBlending,
    });
    // One triangle that covers the target.
    this.#geometry.setAttribute('position', new BufferAttribute(Float32Array.of(-1, -1, 0, 3, -1, 0, -1, 3, 0), 3));
    const mesh = new Mesh(this.#geometry, this.#material);
    mesh.frustumCulled = false;
    this.#scene.add(mesh);
    this.#scene.matrixWorldAutoUpdate = false;
    this.target = makeTarget(1);
  }

  /** Fills the palettes of as many instances. Returns true where the target was replaced by a larger one. */
  run(renderer: WebGLRenderer, instances: number): boolean {
    const rows = Math.max(Math.ceil((instances * this.#stride) / TABLE_COLUMNS), 1);
    const isLarger = rows > this.target.height;
    if (isLarger) {
      this.target.dispose();
      this.target = makeTarget(Math.ceil(rows * 1.25));
    }
    this.target.viewport.set(0, 0, TABLE_COLUMNS, rows);
    const gl = renderer.getContext();
    const viewport = gl.getParameter(gl.VIEWPORT) as Int32Array;
    const before = {
      target: renderer.getRenderTarget(),
      face: renderer.getActiveCubeFace(),
      level: renderer.getActiveMipmapLevel(),
      isXr: renderer.xr.enabled,
      clears: renderer.autoClear,
      shadows: renderer.shadowMap.autoUpdate,
      resetsInfo: renderer.info.autoReset,
    };
    renderer.xr.enabled = false;
    renderer.autoClear = false;
    renderer.shadowMap.autoUpdate = false;
    renderer.info.autoReset = false;
    renderer.setRenderTarget(this.target);
    renderer.render(this.#scene, this.#camera);
    renderer.xr.enabled = before.isXr;
    renderer.autoClear = before.clears;
    renderer.shadowMap.autoUpdate = before.shadows;
    renderer.info.autoReset = before.resetsInfo;
    renderer.setRenderTarget(before.target, before.face, before.level);
    // A pass that fills a shadow map sets the viewport without the renderer.
    renderer.state.viewport(new Vector4(...viewport));
    return isLarger;
  }

  dispose(): void {
    this.target.dispose();
    this.#material.dispose();
    this.#geometry.dispose();
  }
}

function makeTarget(rows: number): WebGLRenderTarget {
  return new WebGLRenderTarget(TABLE_COLUMNS, rows, {
    format: RGBAIntegerFormat,
    type: UnsignedIntType,
    internalFormat: 'RGBA32UI',
    minFilter: NearestFilter,
    magFilter: NearestFilter,
    depthBuffer: false,
  });
}
