import { check, ThrongError } from './error.js';
import { GRID_FIELDS, TEXEL_BYTES, type TexelFormat } from './limits.js';

/** `manifest.json` of a texture set: see docs/format.md, section 5. Names are those of the file. */
export interface Manifest {
  readonly format: 'throng-texture-set';
  readonly version: number;
  readonly name: string;
  readonly encoding: Encoding;
  readonly precision: string | null;
  readonly method: string;
  readonly interpolation: Interpolation;
  readonly metadata: 'manifest' | 'column' | 'p0-column';
  readonly axes: { readonly metres_per_unit: number };
  /** Largest extent of the bounding box in the rest pose, metres. */
  readonly size: number;
  readonly bounds: Bounds;
  readonly clips: readonly ClipEntry[];
  readonly joints: readonly { readonly name: string; readonly parent: number | null }[];
  readonly skins: readonly { readonly name: string; readonly joints: readonly number[] }[];
  readonly parts: readonly PartEntry[];
  readonly layout: Layout;
  readonly morphs: MorphLayout | null;
  readonly textures: readonly TextureEntry[];
  readonly mesh: string;
  readonly files?: readonly { readonly name: string; readonly digest: string }[];
  /** Largest error that the bake measured, as a fraction of `size`. */
  readonly max_error_of_size?: number | null;
  readonly motion?: { readonly path: string; readonly digest: string } | null;
}

export type Encoding =
  | 'vertex'
  | 'vertex-ray'
  | 'bone-matrix'
  | 'bone-dq'
  | 'bone-qt'
  | 'virtual-bones'
  | 'bone-local';

export type Interpolation = 'linear' | 'nlerp' | 'slerp' | 'slerp-vertices';

/** An axis-aligned box in model space, metres. */
export interface Bounds {
  readonly min: readonly [number, number, number];
  readonly max: readonly [number, number, number];
}

export interface ClipEntry {
  readonly name: string;
  readonly first_frame: number;
  readonly frames: number;
  readonly rate_hz: number;
  readonly duration_secs: number;
  readonly loop: 'wrap' | 'once';
  readonly bounds: Bounds;
}

export interface PartEntry {
  readonly name: string;
  readonly skin: number;
  readonly vertices: number;
  readonly positions: number;
  readonly normals: number;
  readonly first_position: number;
  readonly first_normal: number;
}

export interface Range {
  readonly center: readonly number[];
  readonly half_extent: readonly number[];
}

export interface GridEntry {
  readonly texture: number;
  readonly order: 'rows' | 'columns';
  readonly items: number;
  readonly first_column: number;
  readonly first_row: number;
  readonly columns: number;
  readonly rows_per_frame: number;
  readonly pages?: {
    readonly frame_starts: readonly number[];
    readonly item_starts: readonly number[];
    readonly rows: number;
  } | null;
}

export interface VertexLayout {
  readonly positions: GridEntry;
  readonly normals: GridEntry;
  readonly range: Range | null;
  readonly normal_code: 'xyz' | 'octahedral';
}

export interface BoneEntry {
  readonly joint: number;
  readonly first_value: number;
  readonly scale: number;
  readonly rotation: readonly [number, number, number, number];
  readonly has_scale: boolean;
}

export type BoneCode =
  | 'matrix-rows'
  | 'matrix-columns'
  | 'dual-quaternion'
  | 'rotation-position'
  | 'axes'
  | 'axis-planes';

export interface BoneLayout {
  readonly code: BoneCode;
  readonly grid: GridEntry;
  readonly bones: readonly BoneEntry[];
  readonly ranges: readonly Range[];
  readonly scale_range: Range | null;
  readonly positions: GridEntry | null;
}

export interface JointCurveLayout {
  readonly texture: number;
  readonly clip_table: number;
  readonly joint_table: number;
  readonly record_words: number;
  readonly curves: number;
  readonly bones: readonly number[];
}

export interface VertexCurveLayout {
  readonly texture: number;
  readonly clip_table: number;
  readonly positions: number;
  readonly normals: number;
  readonly center: readonly [number, number, number];
  readonly scale: number;
}

/** Exactly one key is present. */
export interface Layout {
  readonly vertices?: VertexLayout;
  readonly bones?: BoneLayout;
  readonly 'joint-curves'?: JointCurveLayout;
  readonly 'vertex-curves'?: VertexCurveLayout;
}

export interface MorphLayout {
  readonly grid: GridEntry;
  readonly weights: number;
  readonly range: Range | null;
}

export interface TextureEntry {
  readonly name: string;
  readonly texels: string;
  readonly width: number;
  readonly height: number;
  readonly layers: number;
  readonly files: readonly string[];
}

const LAYOUTS = ['vertices', 'bones', 'joint-curves', 'vertex-curves'] as const;

/** Largest side of a texture that a set may have, texels. */
const MAX_SIDE = 16384;

/** Most layers of a texture. */
const MAX_LAYERS = 2048;

/** Most bytes of a texture. */
const MAX_TEXTURE_BYTES = 2 ** 30;

type Json = Record<string, unknown>;

/**
 * Checks the manifest of a set: that every field that is used is present, and that every index is in range.
 *
 * @param json - parsed JSON
 * @param where - path or URL, for messages
 */
export function checkManifest(json: unknown, where: string): Manifest {
  check(isObject(json) && json.format === 'throng-texture-set', `${where}: this is not the manifest of a Throng texture set`);
  check(
    json.version === 3 || json.version === 4,
    `${where}: version ${String(json.version)} of the format is unsupported; expected 3 or 4: bake the set again, or update throng-core`,
  );
  const path: Path = new Path(where, 'manifest');
  for (const name of ['name', 'encoding', 'method', 'interpolation', 'metadata']) {
    path.expect(typeof json[name] === 'string', name, 'a string');
  }
  path.expect(isFileName(json.mesh), 'mesh', 'a file name without folders');
  list(json.files ?? [], path.to('files')).forEach(({ name, digest }, index) => {
    path.expect(typeof name === 'string' && typeof digest === 'string', `files[${index}]`, 'a name and a digest');
  });
  path.expect(isObject(json.axes) && isPositive(json.axes.metres_per_unit), 'axes.metres_per_unit', 'a number above 0');
  path.expect(isPositive(json.size), 'size', 'a number above 0');
  checkBounds(json.bounds, path.to('bounds'));
  const clips = list(json.clips, path.to('clips'));
  path.expect(clips.length > 0, 'clips', 'at least one clip');
  clips.forEach((clip, index) => checkClip(clip, path.to(`clips[${index}]`)));
  const joints = list(json.joints, path.to('joints'));
  joints.forEach((joint, index) => {
    const { parent } = joint;
    const isParent = parent === null || isBelow(parent, index);
    path.expect(typeof joint.name === 'string' && isParent, `joints[${index}]`, 'a name, and a parent with a lower index or null');
  });
  const skins = list(json.skins, path.to('skins'));
  skins.forEach((skin, index) => checkIndices(skin.joints, joints.length, path.to(`skins[${index}].joints`)));
  list(json.parts, path.to('parts')).forEach((part, index) => {
    path.expect(isBelow(part.skin, skins.length), `parts[${index}].skin`, 'the index of a skin');
    for (const name of ['vertices', 'positions', 'normals', 'first_position', 'first_normal']) {
      path.expect(isCount(part[name]), `parts[${index}].${name}`, 'an integer');
    }
  });
  const textures = list(json.textures, path.to('textures'));
  path.expect(textures.length > 0, 'textures', 'at least one texture');
  textures.forEach((texture, index) => checkTexture(texture, path.to(`textures[${index}]`)));
  checkLayout(json.layout, { textures, clips }, joints.length, path.to('layout'));
  if (json.morphs !== null && json.morphs !== undefined) {
    const { morphs } = json;
    path.expect(isObject(morphs) && isCount(morphs.weights), 'morphs', 'an object with a number of weights');
    checkGrid(morphs.grid, { textures, clips }, path.to('morphs.grid'));
    const { items } = morphs.grid as unknown as GridEntry;
    path.expect(morphs.weights <= 4 * items, 'morphs.weights', `at most ${4 * items}, four per texel`);
    checkRange(morphs.range ?? null, morphs.weights, path.to('morphs.range'));
  }
  return json as unknown as Manifest;
}

/** A place in a JSON document, for messages. */
class Path {
  constructor(readonly where: string, readonly path: string) {}

  to(name: string): Path {
    return new Path(this.where, this.path === 'manifest' ? name : `${this.path}.${name}`);
  }

  expect(condition: boolean, name: string, expected: string): asserts condition {
    if (!condition) {
      throw new ThrongError(`${this.where}: the manifest is invalid at '${this.to(name).path}'; expected ${expected}`);
    }
  }

  fail(expected: string): never {
    throw new ThrongError(`${this.where}: the manifest is invalid at '${this.path}'; expected ${expected}`);
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 32;
}

function isBelow(value: unknown, end: number): value is number {
  return isCount(value) && value < end;
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

function isNumbers(value: unknown, length: number): value is number[] {
  return Array.isArray(value) && value.length === length && value.every((x) => Number.isFinite(x));
}

/** True for a name without folders. */
function isFileName(value: unknown): value is string {
  return typeof value === 'string' && /^[^/\\]+$/.test(value) && value !== '.' && value !== '..';
}

function list(value: unknown, path: Path): Json[] {
  return Array.isArray(value) && value.every(isObject) ? value : path.fail('a list of objects');
}

function checkIndices(value: unknown, end: number, path: Path): number {
  const isValid = Array.isArray(value) && value.every((index) => isBelow(index, end));
  return isValid ? value.length : path.fail(`indices below ${end}`);
}

function checkBounds(value: unknown, path: Path): void {
  if (!isObject(value) || !isNumbers(value.min, 3) || !isNumbers(value.max, 3)) {
    path.fail('a box with min and max');
  }
}

function checkClip(clip: Json, path: Path): void {
  path.expect(typeof clip.name === 'string', 'name', 'a string');
  path.expect(isCount(clip.first_frame), 'first_frame', 'an integer');
  path.expect(isCount(clip.frames) && clip.frames >= 1, 'frames', 'an integer from 1');
  for (const name of ['rate_hz', 'duration_secs']) {
    const value = clip[name];
    path.expect(typeof value === 'number' && Number.isFinite(value) && value >= 0, name, 'a number from 0');
  }
  path.expect(clip.loop === 'wrap' || clip.loop === 'once', 'loop', "'wrap' or 'once'");
  checkBounds(clip.bounds, path.to('bounds'));
}

function checkTexture(texture: Json, path: Path): void {
  path.expect(typeof texture.texels === 'string' && texture.texels in TEXEL_BYTES, 'texels', Object.keys(TEXEL_BYTES).join(', '));
  for (const [side, most] of [['width', MAX_SIDE], ['height', MAX_SIDE], ['layers', MAX_LAYERS]] as const) {
    const value = texture[side];
    path.expect(isCount(value) && value >= 1 && value <= most, side, `an integer from 1 to ${most}`);
  }
  const { width, height, layers, texels } = texture as unknown as TextureEntry;
  path.expect(width * height * layers * TEXEL_BYTES[texels as TexelFormat] <= MAX_TEXTURE_BYTES, 'width', `a texture of at most ${MAX_TEXTURE_BYTES} bytes`);
  path.expect(Array.isArray(texture.files) && texture.files.every(isFileName), 'files', 'file names without folders');
}

/** Textures and clips that grids are checked against. */
interface Contents {
  readonly textures: readonly Json[];
  readonly clips: readonly Json[];
}

function checkGrid(grid: unknown, { textures, clips }: Contents, path: Path): void {
  if (!isObject(grid)) {
    path.fail('a grid');
  }
  path.expect(isBelow(grid.texture, textures.length), 'texture', 'the index of a texture');
  path.expect(grid.order === 'rows' || grid.order === 'columns', 'order', "'rows' or 'columns'");
  for (const name of GRID_FIELDS) {
    path.expect(isCount(grid[name]), name, 'an integer');
  }
  path.expect((grid.columns as number) > 0, 'columns', 'an integer from 1');
  if (grid.pages !== null && grid.pages !== undefined) {
    const { pages } = grid;
    const isPaged = isObject(pages) && isStarts(pages.frame_starts) && isStarts(pages.item_starts) && isCount(pages.rows);
    path.expect(isPaged && grid.order === 'columns', 'pages', 'rising frame_starts and item_starts from 0, and rows, with the order columns');
  }
  checkGridSize(grid as unknown as GridEntry, textures[grid.texture] as unknown as TextureEntry, clips as unknown as readonly ClipEntry[], path);
}

/** Checks that the texels of all frames are in the texture. */
function checkGridSize(grid: GridEntry, texture: TextureEntry, clips: readonly ClipEntry[], path: Path): void {
  const rows = texture.height * texture.layers;
  const frames = Math.max(...clips.map((clip) => clip.first_frame + clip.frames));
  let [endColumn, endRow] = [grid.first_column + frames, grid.first_row + grid.items];
  if (grid.order === 'rows') {
    endColumn = grid.first_column + Math.min(grid.columns, grid.items);
    endRow = grid.first_row + (frames - 1) * grid.rows_per_frame + Math.ceil(grid.items / grid.columns);
  } else if (grid.pages) {
    const { frame_starts: starts, item_starts: items } = grid.pages;
    endColumn = grid.first_column + longestRun(starts, frames);
    endRow = (starts.length * items.length - 1) * grid.pages.rows + grid.first_row + longestRun(items, grid.items);
  }
  path.expect(endColumn <= texture.width && endRow <= rows, 'items', `frames within ${texture.width} × ${rows} texels, found ${endColumn} × ${endRow}`);
}

/** Largest distance between a start and the next, or the end. */
function longestRun(starts: readonly number[], end: number): number {
  return Math.max(...starts.map((start, index) => (starts[index + 1] ?? end) - start));
}

/** True for integers that begin with 0 and rise. */
function isStarts(value: unknown): boolean {
  return Array.isArray(value) && value[0] === 0 && value.every((start, index) => isCount(start) && (index === 0 || start > value[index - 1]));
}

function checkLayout(layout: unknown, contents: Contents, joints: number, path: Path): void {
  const { textures } = contents;
  const kinds = isObject(layout) ? LAYOUTS.filter((kind) => kind in layout) : [];
  const [kind] = kinds;
  if (!isObject(layout) || kind === undefined || kinds.length !== 1) {
    path.fail(`exactly one of ${LAYOUTS.join(', ')}`);
  }
  const value = layout[kind];
  const here: Path = path.to(kind);
  if (!isObject(value)) {
    here.fail('an object');
  }
  if (kind === 'vertices') {
    checkGrid(value.positions, contents, here.to('positions'));
    checkGrid(value.normals, contents, here.to('normals'));
    here.expect(value.normal_code === 'xyz' || value.normal_code === 'octahedral', 'normal_code', "'xyz' or 'octahedral'");
    checkRange(value.range ?? null, 3, here.to('range'));
    return;
  }
  if (kind === 'bones') {
    checkGrid(value.grid, contents, here.to('grid'));
    if (value.positions !== null && value.positions !== undefined) {
      checkGrid(value.positions, contents, here.to('positions'));
    }
    list(value.bones, here.to('bones')).forEach((bone, index) => {
      const isBone = isBelow(bone.joint, joints) && isCount(bone.first_value) && isNumbers(bone.rotation, 4);
      here.expect(isBone && typeof bone.scale === 'number', `bones[${index}]`, 'a joint, a first value, a rotation and a scale');
    });
    const components = value.code === 'dual-quaternion' ? 4 : 3;
    list(value.ranges, here.to('ranges')).forEach((range, index) => checkRange(range, components, here.to(`ranges[${index}]`)));
    checkRange(value.scale_range ?? null, 3, here.to('scale_range'));
    return;
  }
  here.expect(isBelow(value.texture, textures.length), 'texture', 'the index of a texture');
  here.expect(textures[value.texture as number]?.texels === 'r32-uint', 'texture', 'the index of a texture of r32-uint');
  const { width } = textures[value.texture as number] as unknown as TextureEntry;
  here.expect(Number.isInteger(Math.log2(width)), 'texture', `a texture whose width is a power of two, found ${width}`);
  const counts = kind === 'joint-curves' ? ['clip_table', 'joint_table', 'record_words', 'curves'] : ['clip_table', 'positions', 'normals'];
  for (const name of counts) {
    here.expect(isCount(value[name]), name, 'an integer');
  }
  if (kind === 'joint-curves') {
    const bones = checkIndices(value.bones, joints, here.to('bones'));
    here.expect([4, 6, 8, 12].includes(value.record_words as number), 'record_words', '4, 6, 8 or 12');
    const curves = bones * (value.record_words === 6 || value.record_words === 12 ? 3 : 2);
    here.expect(value.curves === curves, 'curves', `${curves}, two or three per joint`);
  } else {
    here.expect(isNumbers(value.center, 3) && isPositive(value.scale), 'center', 'three numbers, and a scale');
  }
}

function checkRange(range: unknown, components: number, path: Path): void {
  if (range !== null && !(isObject(range) && isNumbers(range.center, components) && isNumbers(range.half_extent, components))) {
    path.fail(`a range of ${components} components, or null`);
  }
}
