/** Addresses of the texels of a frame, as shaders read them. */
export interface GridInfo {
  firstColumn: number;
  firstRow: number;
  columns: number;
  rowsPerFrame: number;
  byColumns: number;
  height: number;
  layers: number;
}

export type Numbers4 = [number, number, number, number];

/** Description of a set for shaders: `SetInfo` of the shaders, field by field. */
export interface SetInfo {
  grid: GridInfo;
  normals: GridInfo;
  morphs: GridInfo;
  /** A value is `offset + scale * raw`. */
  codec: {
    offset: Numbers4;
    scale: Numbers4;
    sizeOffset: Numbers4;
    sizeScale: Numbers4;
    unitOffset: number;
    unitScale: number;
    levelScale: number;
    normalOffset: number;
    normalScale: number;
    axisItems: number;
    rangeTable: number;
    boneTable: number;
  };
  jointCurves: { clipTable: number; jointTable: number; recordWords: number; curves: number; joints: number };
  /** Range of vertex offsets in compressed curves: centre in xyz, scale in w. */
  vertexCurveRange: Numbers4;
  clipTable: number;
  inverseBindTable: number;
  dualInverseBindTable: number;
  morphTable: number;
  paletteLen: number;
  paletteStride: number;
  vertices: number;
  positionCurves: number;
  boneOffsetTable: number;
  inverseBindsAreMatrices: number;
}

/** A description of zeros. */
export function emptySetInfo(): SetInfo {
  const grid = (): GridInfo => ({ firstColumn: 0, firstRow: 0, columns: 0, rowsPerFrame: 0, byColumns: 0, height: 0, layers: 0 });
  const zeros = (): Numbers4 => [0, 0, 0, 0];
  return {
    grid: grid(),
    normals: grid(),
    morphs: grid(),
    codec: {
      offset: zeros(),
      scale: zeros(),
      sizeOffset: zeros(),
      sizeScale: zeros(),
      unitOffset: 0,
      unitScale: 0,
      levelScale: 0,
      normalOffset: 0,
      normalScale: 0,
      axisItems: 0,
      rangeTable: 0,
      boneTable: 0,
    },
    jointCurves: { clipTable: 0, jointTable: 0, recordWords: 0, curves: 0, joints: 0 },
    vertexCurveRange: zeros(),
    clipTable: 0,
    inverseBindTable: 0,
    dualInverseBindTable: 0,
    morphTable: 0,
    paletteLen: 0,
    paletteStride: 0,
    vertices: 0,
    positionCurves: 0,
    boneOffsetTable: 0,
    inverseBindsAreMatrices: 0,
  };
}

/** A float32 literal, exact. */
function float(value: number): string {
  const text = Math.fround(value).toPrecision(9);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** Prints the description as the constructor of the shaders' `throng_SetInfo`, in GLSL or WGSL. */
export function printSetInfo(info: SetInfo): string {
  const uint = (value: number) => `${value}u`;
  const vec4 = (values: Numbers4) => `vec4(${values.map(float).join(', ')})`;
  const grid = (g: GridInfo) =>
    `throng_Grid(${[g.firstColumn, g.firstRow, g.columns, g.rowsPerFrame, g.byColumns, g.height, g.layers, 0].map(uint).join(', ')})`;
  const { codec: c, jointCurves: j } = info;
  const codec = [
    ...[c.offset, c.scale, c.sizeOffset, c.sizeScale].map(vec4),
    ...[c.unitOffset, c.unitScale, c.levelScale, c.normalOffset, c.normalScale].map(float),
    ...[c.axisItems, c.rangeTable, c.boneTable].map(uint),
  ];
  return `throng_SetInfo(${[
    grid(info.grid),
    grid(info.normals),
    grid(info.morphs),
    `throng_Codec(${codec.join(', ')})`,
    `throng_JointCurves(${[j.clipTable, j.jointTable, j.recordWords, j.curves, j.joints].map(uint).join(', ')})`,
    vec4(info.vertexCurveRange),
    ...[info.clipTable, info.inverseBindTable, info.dualInverseBindTable, info.morphTable].map(uint),
    ...[info.paletteLen, info.paletteStride, info.vertices, info.positionCurves].map(uint),
    ...[info.boneOffsetTable, info.inverseBindsAreMatrices].map(uint),
  ].join(',\n    ')})`;
}
