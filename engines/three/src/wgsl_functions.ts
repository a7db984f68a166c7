import { PALETTE_VARIANT, TABLE_COLUMNS, variantSource, type SetTables } from 'throng-core';
import { WGSL_LIBRARY } from 'throng-core/wgsl';
import { RGBAIntegerFormat, UnsignedIntType, UnsignedShortType, DataArrayTexture, type Texture } from 'three';
import { Fn, instanceIndex, texture, textureStore, uint, uvec2, wgsl, wgslFn } from 'three/tsl';
import type { ComputeNode, Node, StorageTexture } from 'three/webgpu';
import type { CrowdModel } from './model.js';
import type { SetTextures } from './textures.js';

/** A texture that WGSL reads by its name. */
interface Binding {
  readonly name: string;
  readonly type: string;
}

/** A function that returns a node, called with named arguments. */
type NodeFunction = (inputs: Record<string, unknown>) => Node;

const VERTEX = 'position: vec4<f32>, normal: vec3<f32>, joints: vec4<u32>, weights: vec4<f32>, indices: vec4<u32>, drawn: u32, now: u32';

/**
 * Returns the function that deforms vertices of a variant: the columns of its matrix are position and normal in the space
 * of the crowd, and tint.
 */
export function deformFunction(variant: string, tables: SetTables): { call: NodeFunction; bindings: readonly Binding[] } {
  const { bindings: declared, functions } = variantSource(WGSL_LIBRARY, variant, tables);
  const bindings = [...bindingsOf(declared), { name: 'throng_visible', type: 'texture_2d<u32>' }];
  const source = `fn throng_three_deform(${VERTEX}, ${parametersOf(bindings)}) -> mat3x3<f32> {
  let instance = textureLoad(throng_visible, vec2<u32>(drawn % ${TABLE_COLUMNS}u, drawn / ${TABLE_COLUMNS}u), 0).x;
  let vertex = throng_to_world(throng_vertex(position, normal, joints, weights, indices, instance, now), instance);
  return mat3x3<f32>(vertex.position, vertex.normal, throng_tint(instance).rgb);
}`;
  return { call: wgslFn(source, [wgsl(functions)]) as unknown as NodeFunction, bindings };
}

/** Returns the compute pass that fills the palettes of `bone-local`. */
export function paletteCompute(tables: SetTables, textures: SetTextures, palette: StorageTexture, now: Node, instances: number): ComputeNode {
  const { bindings: declared, functions } = variantSource(WGSL_LIBRARY, PALETTE_VARIANT, tables);
  const bindings = bindingsOf(declared);
  const source = `fn throng_three_fill(texel: u32, now: u32, ${parametersOf(bindings)}) -> vec4<u32> {
  return throng_palette_texel(texel, now);
}`;
  const fill = wgslFn(source, [wgsl(functions)]) as unknown as NodeFunction;
  const pass = Fn(() => {
    const at = uvec2(instanceIndex.mod(uint(TABLE_COLUMNS)), instanceIndex.div(uint(TABLE_COLUMNS)));
    const texel = fill({ texel: instanceIndex, now, ...textureInputs(bindings, textures) });
    textureStore(palette, at, texel as never).toWriteOnly();
  });
  return pass().compute(instances * tables.info.paletteStride);
}

/** Nodes of the textures that functions read, under the names by which WGSL knows them. */
export function textureInputs(bindings: readonly Binding[], textures: SetTextures): Record<string, unknown> {
  return Object.fromEntries(bindings.map(({ name }) => [`${name}_used`, texture(textures[name]!).setName(name)]));
}

/** Textures of a set as WebGPURenderer can declare them: it knows 32-bit integers only. Crowds of a set share them. */
export function wideTextures(model: CrowdModel): SetTextures {
  model.wideTextures ??= Object.fromEntries(Object.entries(model.textures).map(([name, map]) => [name, isNarrow(map) ? widenedArray(map as DataArrayTexture) : map]));
  return model.wideTextures;
}

function isNarrow({ type, format }: Texture): boolean {
  return type === UnsignedShortType && format === RGBAIntegerFormat;
}

function widenedArray(map: DataArrayTexture): DataArrayTexture {
  const { data, width, height, depth } = map.image as { data: Uint16Array; width: number; height: number; depth: number };
  const wide = new DataArrayTexture(Uint32Array.from(data) as never, width, height, depth);
  wide.format = RGBAIntegerFormat;
  wide.type = UnsignedIntType;
  wide.needsUpdate = true;
  return wide;
}

function bindingsOf(declared: string): Binding[] {
  return [...declared.matchAll(/var (throng_\w+): ([\w<>]+);/g)].map(([, name, type]) => ({ name: name!, type: type! }));
}

/** Parameters of textures: functions read them by name, and the arguments only make three declare them. */
function parametersOf(bindings: readonly Binding[]): string {
  return bindings.map(({ name, type }) => `${name}_used: ${type}`).join(', ');
}
