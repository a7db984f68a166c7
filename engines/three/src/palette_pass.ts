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
  type Texture,
  type WebGLRenderer,
} from 'three';
import type { CrowdUniforms } from './glsl_material.js';

const VERTEX = `in highp vec3 position;
void main() {
  gl_Position = vec4(position, 1.0);
}
`;

/** Reads an element of textures of {@link TABLE_COLUMNS} columns that hold the rows of matrices. */
const READ_ROWS = `uniform highp usampler2D rows0;
uniform highp usampler2D rows1;
uniform highp usampler2D rows2;
ivec2 place(uint at) {
  return ivec2(int(at % ${TABLE_COLUMNS}u), int(at / ${TABLE_COLUMNS}u));
}
`;

/** Index of the element that a fragment writes. */
const HERE = `uint(gl_FragCoord.x) + ${TABLE_COLUMNS}u * uint(gl_FragCoord.y)`;

const WRITE_ROWS = `layout(location = 0) out highp uvec4 row0;
layout(location = 1) out highp uvec4 row1;
layout(location = 2) out highp uvec4 row2;
void write(mat3x4 rows) {
  row0 = floatBitsToUint(rows[0]);
  row1 = floatBitsToUint(rows[1]);
  row2 = floatBitsToUint(rows[2]);
}
`;

/** Decodes the curves of every joint once: its matrix relative to the parent. */
const DECODE = `${WRITE_ROWS}
void main() {
  uint at = ${HERE};
  uint instance = throng_divide(at, throng_set_info.joint_curves.joints);
  throng_Pose pose = throng_pose_of(throng_instance_at(instance, throng_now));
  uint joint = at - instance * throng_set_info.joint_curves.joints;
  write(throng_affine_to_rows(throng_pose_parent_from_joint(pose, throng_pose_record(joint))));
}
`;

/** Multiplies the matrices from each joint to its root, and the inverse bind matrix. */
const MULTIPLY = `${READ_ROWS}${WRITE_ROWS}
throng_Affine parent_from_joint(uint at) {
  ivec2 p = place(at);
  return throng_affine_from_rows(mat3x4(
    uintBitsToFloat(texelFetch(rows0, p, 0)), uintBitsToFloat(texelFetch(rows1, p, 0)), uintBitsToFloat(texelFetch(rows2, p, 0))));
}
void main() {
  uint at = ${HERE};
  uint instance = throng_divide(at, throng_set_info.palette_len);
  uint palette_index = at - instance * throng_set_info.palette_len;
  uint first = instance * throng_set_info.joint_curves.joints;
  uint joint = throng_palette_joint(palette_index) >> 16u;
  throng_Affine matrix = throng_affine_mul(
    parent_from_joint(first + joint), throng_table_affine(throng_tables, throng_set_info.inverse_bind_table + 3u * palette_index));
  uint parent = throng_pose_record(joint).parent;
  // Parents come before their children, so the walk ends even on corrupt data.
  while (parent != 0u && parent <= joint) {
    joint = parent - 1u;
    matrix = throng_affine_mul(parent_from_joint(first + joint), matrix);
    parent = throng_pose_record(joint).parent;
  }
  write(throng_affine_to_rows(matrix));
}
`;

/** Decodes the matrix of every palette index. */
const DECODE_BONES = `${WRITE_ROWS}
void main() {
  uint at = ${HERE};
  uint instance = throng_divide(at, throng_set_info.palette_len);
  write(throng_palette_matrix(at - instance * throng_set_info.palette_len, instance, throng_now));
}
`;

/** Puts the rows of each matrix next to each other, as the palette has them. */
const INTERLEAVE = `precision highp float;
precision highp int;
${READ_ROWS}
out highp uvec4 texel;
void main() {
  uint at = ${HERE};
  uint matrix = at / 3u;
  uint row = at - 3u * matrix;
  ivec2 p = place(matrix);
  texel = row == 0u ? texelFetch(rows0, p, 0) : row == 1u ? texelFetch(rows1, p, 0) : texelFetch(rows2, p, 0);
}
`;

/** A pass that writes elements, in rows of {@link TABLE_COLUMNS}, of a target that grows. */
interface Step {
  readonly material: RawShaderMaterial;
  /** Elements per instance. */
  readonly stride: number;
  /** Textures that the pass writes. */
  readonly count: number;
  target: WebGLRenderTarget;
}

/**
 * Fills palettes: the matrices of all joints of all instances, in a texture. `bone-local` takes three passes, so that the curves
 * of a joint are decoded once, and not again for each of its descendants and each row of their matrices.
 */
export class PalettePass {
  readonly #scene = new Scene();
  readonly #camera = new Camera();
  readonly #geometry = new BufferGeometry();
  readonly #mesh: Mesh;
  readonly #steps: readonly Step[];

  /** @param variant - shader functions that fill the palettes */
  constructor(tables: SetTables, variant: string, uniforms: CrowdUniforms) {
    const { info } = tables;
    const { bindings, functions } = variantSource(GLSL_LIBRARY, variant, tables);
    const header = `precision highp float;\nprecision highp int;\n${bindings}\nuniform uint throng_now;\n${functions}\n`;
    const step = (fragmentShader: string, stride: number, count: number, before?: Step): Step => {
      const rows = before?.target.textures.map((value, k) => [`rows${k}`, { value }]) ?? [];
      const material = new RawShaderMaterial({
        glslVersion: GLSL3,
        vertexShader: VERTEX,
        fragmentShader,
        uniforms: { ...uniforms, ...Object.fromEntries(rows) },
        depthTest: false,
        depthWrite: false,
        blending: NoBlending,
      });
      return { material, stride, count, target: makeTarget(1, count) };
    };
    const steps: Step[] = [];
    if (variant === PALETTE_VARIANT) {
      steps.push(step(header + DECODE, info.jointCurves.joints, 3));
      steps.push(step(header + MULTIPLY, info.paletteLen, 3, steps[0]));
    } else {
      steps.push(step(header + DECODE_BONES, info.paletteLen, 3));
    }
    steps.push(step(INTERLEAVE, info.paletteStride, 1, steps.at(-1)));
    this.#steps = steps;
    // One triangle that covers the target.
    this.#geometry.setAttribute('position', new BufferAttribute(Float32Array.of(-1, -1, 0, 3, -1, 0, -1, 3, 0), 3));
    this.#mesh = new Mesh(this.#geometry);
    this.#mesh.frustumCulled = false;
    this.#scene.add(this.#mesh);
    this.#scene.matrixWorldAutoUpdate = false;
  }

  /** The palettes. Replaced when the crowd grows. */
  get texture(): Texture {
    return this.#steps.at(-1)!.target.texture;
  }

  /** Fills the palettes of as many instances. */
  run(renderer: WebGLRenderer, instances: number): void {
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
    this.#steps.forEach((step, index) => {
      const rows = Math.max(Math.ceil((instances * step.stride) / TABLE_COLUMNS), 1);
      if (rows > step.target.height) {
        step.target.dispose();
        step.target = makeTarget(Math.ceil(rows * 1.25), step.count);
        const next = this.#steps[index + 1]?.material.uniforms;
        step.target.textures.forEach((texture, k) => next && (next[`rows${k}`]!.value = texture));
      }
      step.target.viewport.set(0, 0, TABLE_COLUMNS, rows);
      this.#mesh.material = step.material;
      renderer.setRenderTarget(step.target);
      renderer.render(this.#scene, this.#camera);
    });
    renderer.xr.enabled = before.isXr;
    renderer.autoClear = before.clears;
    renderer.shadowMap.autoUpdate = before.shadows;
    renderer.info.autoReset = before.resetsInfo;
    renderer.setRenderTarget(before.target, before.face, before.level);
    // A pass that fills a shadow map sets the viewport without the renderer.
    renderer.state.viewport(new Vector4(...viewport));
  }

  dispose(): void {
    for (const { target, material } of this.#steps) {
      target.dispose();
      material.dispose();
    }
    this.#geometry.dispose();
  }
}

function makeTarget(rows: number, count: number): WebGLRenderTarget {
  return new WebGLRenderTarget(TABLE_COLUMNS, rows, {
    count,
    format: RGBAIntegerFormat,
    type: UnsignedIntType,
    internalFormat: 'RGBA32UI',
    minFilter: NearestFilter,
    magFilter: NearestFilter,
    depthBuffer: false,
  });
}
