import {
  boneTexels,
  deviceTexels,
  TABLE_COLUMNS,
  ThrongError,
  type DeviceFormat,
  type DeviceTexels,
  type SetAttributes,
  type SetTables,
  type TextureSet,
} from 'throng-core';
import {
  DataArrayTexture,
  DataTexture,
  FloatType,
  HalfFloatType,
  NearestFilter,
  RedIntegerFormat,
  RGBAFormat,
  RGBAIntegerFormat,
  RGIntegerFormat,
  UnsignedByteType,
  UnsignedIntType,
  UnsignedShortType,
  type PixelFormat,
  type Texture,
  type TextureDataType,
} from 'three';

type Words = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>;

/** Textures of a set by the names that shader functions read. */
export type SetTextures = Readonly<Record<string, Texture>>;

const FORMATS: Record<DeviceFormat, readonly [PixelFormat, TextureDataType, new (buffer: ArrayBuffer) => Words]> = {
  rgba8unorm: [RGBAFormat, UnsignedByteType, Uint8Array],
  rgba16uint: [RGBAIntegerFormat, UnsignedShortType, Uint16Array],
  rgba16float: [RGBAFormat, HalfFloatType, Uint16Array],
  rgba32float: [RGBAFormat, FloatType, Float32Array],
  r32uint: [RedIntegerFormat, UnsignedIntType, Uint32Array],
  rgba32uint: [RGBAIntegerFormat, UnsignedIntType, Uint32Array],
};

/** Largest side of a texture and number of layers that every device with WebGL2 has. */
const MAX_SIDE = 2048;
const MAX_LAYERS = 256;

/** Makes the textures that the shaders of a set read. */
export function setTextures(set: TextureSet, tables: SetTables, attributes: SetAttributes): SetTextures {
  const { layout, morphs } = set.manifest;
  const array = (texture: number, kind?: Parameters<typeof deviceTexels>[1]) => arrayTexture(deviceTexels(set.textures[texture]!, kind));
  const textures: Record<string, Texture> = {
    throng_tables: wordTable(tables.records, 4),
    throng_influences: wordTable(attributes.influences, 2),
  };
  if (layout.bones) {
    textures.throng_texels = array(layout.bones.grid.texture, boneTexels(set, layout.bones));
  } else if (layout.vertices) {
    textures.throng_texels = array(layout.vertices.positions.texture);
    textures.throng_normals = array(layout.vertices.normals.texture);
  } else {
    textures.throng_texels = array((layout['joint-curves'] ?? layout['vertex-curves'])!.texture);
  }
  if (morphs) {
    textures.throng_morphs = array(morphs.grid.texture);
  }
  if (attributes.morphTargets.length > 0) {
    textures.throng_deltas = deltaTexture(attributes.morphTargets);
  }
  return textures;
}

/** An array of texels of unsigned integers, in rows of {@link TABLE_COLUMNS}. */
export function wordTable(words: Uint32Array, channels: 1 | 2 | 4, rows = 1): DataTexture {
  const rowWords = TABLE_COLUMNS * channels;
  const height = Math.max(Math.ceil(words.length / rowWords), rows);
  const data = new Uint32Array(height * rowWords);
  data.set(words);
  const format = { 1: RedIntegerFormat, 2: RGIntegerFormat, 4: RGBAIntegerFormat }[channels];
  const texture = new DataTexture(data, TABLE_COLUMNS, height, format, UnsignedIntType);
  texture.needsUpdate = true;
  return texture;
}

function deltaTexture(words: Uint32Array): DataArrayTexture {
  const rows = Math.ceil(words.length / (4 * TABLE_COLUMNS));
  const height = Math.min(rows, TABLE_COLUMNS);
  const layers = Math.ceil(rows / TABLE_COLUMNS);
  const padded = new Uint32Array(4 * TABLE_COLUMNS * height * layers);
  padded.set(words);
  return arrayTexture({ format: 'rgba32uint', width: TABLE_COLUMNS, height, layers, bytes: new Uint8Array(padded.buffer) });
}

function arrayTexture({ format, width, height, layers, bytes }: DeviceTexels): DataArrayTexture {
  if (width > MAX_SIDE || height > MAX_SIDE || layers > MAX_LAYERS) {
    throw new ThrongError(`a texture of ${width} × ${height} × ${layers} texels is too large; expected at most ${MAX_SIDE} × ${MAX_SIDE} × ${MAX_LAYERS}: bake with --max-side 2048`);
  }
  const [pixelFormat, type, Words] = FORMATS[format];
  // A copy, because the bytes may be part of a file and unaligned.
  const texture = new DataArrayTexture(new Words(bytes.slice().buffer as ArrayBuffer) as Uint8Array<ArrayBuffer>, width, height, layers);
  texture.format = pixelFormat;
  texture.type = type;
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.unpackAlignment = 1;
  texture.needsUpdate = true;
  return texture;
}
