import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { check, ThrongError } from './error.js';
import type { Gltf } from './gltf.js';

const GLB_MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;

/** Bytes per component, and the largest value of a normalised integer. */
const COMPONENTS: Record<number, readonly [bytes: number, largest: number]> = {
  5120: [1, 127],
  5121: [1, 255],
  5122: [2, 32767],
  5123: [2, 65535],
  5125: [4, 0],
  5126: [4, 0],
};

const WIDTHS: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

/** Most bytes that a compressed buffer view may expand to. */
const MAX_VIEW_BYTES = 1 << 30;

/** A GLB file: JSON and one buffer. Make one with {@link readGlb}. */
export class Glb {
  readonly #views = new Map<number, Uint8Array>();

  constructor(readonly json: Gltf, readonly binary: Uint8Array, readonly where: string) {}

  /** Bytes of a buffer view, decompressed. */
  view(index: number): Uint8Array {
    const known = this.#views.get(index);
    if (known !== undefined) {
      return known;
    }
    const view = this.json.bufferViews?.[index];
    check(view !== undefined, `${this.where}: there is no buffer view ${index}`);
    const packed = view.extensions?.EXT_meshopt_compression;
    const stored = packed ?? view;
    const start = stored.byteOffset ?? 0;
    const end = start + stored.byteLength;
    check(
      end <= this.binary.byteLength,
      `${this.where}: buffer view ${index} ends at byte ${end} of ${this.binary.byteLength}: the file is truncated or damaged`,
    );
    let bytes = this.binary.subarray(start, end);
    if (packed !== undefined) {
      const { count, byteStride, mode } = packed;
      check(isCount(count) && isCount(byteStride), `${this.where}: buffer view ${index} has ${count} elements of ${byteStride} bytes; expected integers`);
      check(count * byteStride <= MAX_VIEW_BYTES, `${this.where}: buffer view ${index} expands to more than ${MAX_VIEW_BYTES} bytes`);
      const out = new Uint8Array(count * byteStride);
      try {
        MeshoptDecoder.decodeGltfBuffer(out, count, byteStride, bytes, mode);
      } catch (error) {
        throw new ThrongError(`${this.where}: buffer view ${index} cannot be decompressed (${error instanceof Error ? error.message : String(error)})`);
      }
      bytes = out;
    }
    this.#views.set(index, bytes);
    return bytes;
  }

  /** Components of an accessor, tightly packed; normalised integers as fractions. */
  floats(index: number): Float32Array {
    const { accessor, width, component, bytes, stride } = this.#accessor(index);
    const [, largest] = component;
    const out = new Float32Array(accessor.count * width);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const divisor = accessor.normalized ? largest : 1;
    for (let i = 0; i < accessor.count; i++) {
      for (let k = 0; k < width; k++) {
        out[i * width + k] = componentAt(view, i * stride + k * component[0], accessor.componentType) / divisor;
      }
    }
    return out;
  }

  /** Integers of an accessor, tightly packed; floats are converted. */
  integers(index: number): Uint32Array {
    return Uint32Array.from(this.floats64(index));
  }

  /** As {@link floats}, without rounding integers above 2²⁴. */
  floats64(index: number): Float64Array {
    const { accessor, width, component, bytes, stride } = this.#accessor(index);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const out = new Float64Array(accessor.count * width);
    for (let i = 0; i < out.length; i++) {
      const at = Math.floor(i / width) * stride + (i % width) * component[0];
      out[i] = componentAt(view, at, accessor.componentType);
    }
    return out;
  }

  #accessor(index: number) {
    const accessor = this.json.accessors?.[index];
    const component = COMPONENTS[accessor?.componentType ?? 0];
    const width = WIDTHS[accessor?.type ?? ''];
    check(
      accessor !== undefined && component !== undefined && width !== undefined && accessor.bufferView !== undefined,
      `${this.where}: accessor ${index} is missing or of an unsupported type`,
    );
    const bytes = this.view(accessor.bufferView);
    const size = width * component[0];
    const stride = this.json.bufferViews?.[accessor.bufferView]?.byteStride ?? size;
    check(
      isCount(accessor.count) && Number.isInteger(stride) && stride >= size,
      `${this.where}: accessor ${index} has ${accessor.count} elements, one every ${stride} bytes; expected integers, and at least ${size} bytes`,
    );
    check(
      accessor.count === 0 || (accessor.count - 1) * stride + size <= bytes.byteLength,
      `${this.where}: accessor ${index} has ${accessor.count} elements, and its buffer view only ${bytes.byteLength} bytes`,
    );
    return { accessor, width, component, bytes, stride };
  }
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0;
}

function componentAt(view: DataView, at: number, type: number): number {
  switch (type) {
    case 5120:
      return view.getInt8(at);
    case 5121:
      return view.getUint8(at);
    case 5122:
      return view.getInt16(at, true);
    case 5123:
      return view.getUint16(at, true);
    case 5125:
      return view.getUint32(at, true);
    default:
      return view.getFloat32(at, true);
  }
}

/** Reads a GLB, and waits for the decoder of compressed buffer views. */
export async function readGlb(file: Uint8Array, where: string): Promise<Glb> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  check(file.byteLength >= 20 && view.getUint32(0, true) === GLB_MAGIC, `${where}: this is not a GLB file`);
  const length = view.getUint32(8, true);
  check(length <= file.byteLength, `${where}: the file has ${file.byteLength} bytes, expected ${length}: it is truncated`);
  const jsonLength = view.getUint32(12, true);
  check(view.getUint32(16, true) === JSON_CHUNK && 20 + jsonLength <= length, `${where}: the GLB does not begin with JSON`);
  const json = parseJson(file.subarray(20, 20 + jsonLength), where) as Gltf | null;
  check(typeof json === 'object' && json !== null, `${where}: the JSON of the GLB is not an object`);
  let binary = new Uint8Array(0);
  const at = 20 + jsonLength;
  if (at + 8 <= length) {
    const binaryLength = view.getUint32(at, true);
    check(view.getUint32(at + 4, true) === BINARY_CHUNK && at + 8 + binaryLength <= length, `${where}: the buffer of the GLB is truncated`);
    binary = file.slice(at + 8, at + 8 + binaryLength);
  }
  await MeshoptDecoder.ready;
  return new Glb(json, binary, where);
}

/** Parses UTF-8 JSON. */
export function parseJson(bytes: Uint8Array, where: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new ThrongError(`${where}: this is not JSON (${error instanceof Error ? error.message : String(error)})`);
  }
}
