import { TABLE_COLUMNS, ThrongError, variantSource, type SetTables } from 'throng-core';
import { GLSL_LIBRARY } from 'throng-core/glsl';
import type { IUniform, Material, WebGLProgramParametersWithUniforms } from 'three';
import type { ModelPart } from './model.js';

/** Uniforms that the materials of a crowd share. */
export type CrowdUniforms = Readonly<Record<string, IUniform>>;

/** Chunk of three's vertex shaders, and the lines that follow it. */
const AFTER: readonly (readonly [chunk: string, lines: string, isOptional?: boolean])[] = [
  ['beginnormal_vertex', 'objectNormal = throngVertex.normal;', true],
  ['begin_vertex', 'transformed = throngVertex.position;'],
];

/**
 * Makes a material draw the instances of a crowd. Chunks of three then see them as instances of an InstancedMesh. What the
 * user's `onBeforeCompile` did to the shader stays.
 *
 * @param variant - shader functions that deform the part
 * @param user - the user's material; its `onBeforeCompile` runs first
 */
export function deformInGlsl(
  material: Material,
  part: ModelPart,
  variant: string,
  tables: SetTables,
  uniforms: CrowdUniforms,
  user: Material | null,
): void {
  const { bindings, functions } = variantSource(GLSL_LIBRARY, variant, tables);
  const header = vertexHeader(part, bindings, functions);
  material.onBeforeCompile = (shader, renderer) => {
    user?.onBeforeCompile.call(material, shader, renderer);
    inject(shader, header, uniforms);
  };
  material.customProgramCacheKey = () => `throng ${header}${user?.customProgramCacheKey() ?? ''}`;
}

function inject(shader: WebGLProgramParametersWithUniforms, header: string, uniforms: CrowdUniforms): void {
  Object.assign(shader.uniforms, uniforms);
  let vertex = shader.vertexShader;
  for (const [chunk, lines, isOptional] of AFTER) {
    const include = `#include <${chunk}>`;
    if (!vertex.includes(include) && !isOptional) {
      throw new ThrongError(`the vertex shader of the material has no '${include}', where vertices are deformed: keep it in onBeforeCompile`);
    }
    vertex = vertex.replaceAll(include, `${include}\n${lines}`);
  }
  shader.vertexShader = vertex
    .replace('#include <common>', () => `#include <common>\n${header}`)
    .replace(/void main\(\)\s*\{/, (main) => `${main}\nthrongBegin();`);
  // The tint of an instance is handled as the colour of an instance.
  shader.fragmentShader = `#ifndef USE_COLOR\n#define USE_COLOR\n#endif\n${shader.fragmentShader}`;
}

function vertexHeader(part: ModelPart, bindings: string, functions: string): string {
  const isSkinned = 'throngJoints' in part.attributes;
  return `
#define USE_INSTANCING
#define USE_INSTANCING_COLOR
${bindings}
uniform highp usampler2D throng_visible;
uniform highp uint throng_now;
in highp uvec4 throngIndices;
${isSkinned ? 'in highp uvec4 throngJoints;\nin highp vec4 throngWeights;' : ''}
${part.hasFactor ? 'in highp float throngFactor;' : ''}

${functions}

mat4 instanceMatrix;
vec3 instanceColor;
uint throngInstance;
ThrongVertex throngVertex;

void throngBegin() {
  throngInstance = texelFetch(throng_visible, ivec2(gl_InstanceID % ${TABLE_COLUMNS}, gl_InstanceID / ${TABLE_COLUMNS}), 0).x;
  throngVertex = throng_vertex(vec4(position, ${part.hasFactor ? 'throngFactor' : '1.0'}), normal, ${
    isSkinned ? 'throngJoints, throngWeights' : 'uvec4(0u), vec4(0.0)'
  }, throngIndices, throngInstance, throng_now);
  instanceMatrix = throng_world_from_model(throngInstance);
  instanceColor = throng_tint(throngInstance).rgb;
}
`;
}
