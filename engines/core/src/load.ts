import { checkDigest } from './digest.js';
import { check, ThrongError } from './error.js';
import { parseJson, readGlb, type Glb } from './glb.js';
import { readKtx2 } from './ktx2.js';
import { checkManifest, type Manifest, type TextureEntry } from './manifest.js';
import { readModel } from './model.js';
import { readPng } from './png.js';
import { TextureSet } from './set.js';
import { Texels } from './texels.js';

/** Options of {@link loadSet}. */
export interface LoadOptions {
  /** Reads a file; by default `fetch`, and an error for any status but success. */
  readonly read?: (url: string) => Promise<Uint8Array>;
  /** False leaves the digests of files unchecked. Default: true. */
  readonly checkDigests?: boolean;
}

/**
 * Loads a texture set: a folder with `manifest.json`, or one GLB file that holds the set.
 *
 * @param url - the folder, its `manifest.json`, or the GLB file
 */
export async function loadSet(url: string | URL, options: LoadOptions = {}): Promise<TextureSet> {
  const address = absolute(String(url));
  const read = options.read ?? fetchBytes;
  if (/\.glb$/i.test(address.split(/[?#]/)[0]!)) {
    return readSetFile(await read(address), address);
  }
  const folder = folderOf(address);
  const manifestUrl = fileUrl(folder, 'manifest.json');
  const manifest = checkManifest(parseJson(await read(manifestUrl), manifestUrl), manifestUrl);
  const isChecked = options.checkDigests !== false;
  const files = { read, isChecked };
  const glb = readFile(folder, manifest.mesh, manifest, files).then((bytes) => readGlb(bytes, fileUrl(folder, manifest.mesh)));
  const textures = readTextures(folder, manifest, files);
  const [mesh, texels] = await Promise.all([glb, textures]);
  return makeSet(manifest, texels, mesh);
}

/** Reads a set of one GLB file. */
export async function readSetFile(file: Uint8Array, where: string): Promise<TextureSet> {
  const glb = await readGlb(file, where);
  const extension = glb.json.extensions?.THRONG_animation_textures;
  check(extension?.manifest !== undefined, `${where}: the GLB holds no texture set: bake one with 'throng bake … -o ${nameOf(where)}'`);
  const manifest = checkManifest(extension.manifest, where);
  const textures = manifest.textures.map((entry, index) => {
    const view = extension.bufferViews?.[index];
    check(view !== undefined, `${where}: texture ${index} has no buffer view`);
    return new Texels(entry, glb.view(view), `${where}, texture '${entry.name}'`);
  });
  return makeSet(manifest, textures, glb);
}

/** The JSON of a mesh is not checked field by field: anything that it lacks is reported as damage. */
function makeSet(manifest: Manifest, textures: readonly Texels[], glb: Glb): TextureSet {
  try {
    const model = readModel(glb, manifest);
    const { morphs } = manifest;
    const weights = model.morphSets.flat().length;
    check(!morphs || morphs.weights === weights, `${glb.where}: the model has ${weights} morph targets, and the manifest weights of ${morphs?.weights}`);
    return new TextureSet(manifest, textures, model);
  } catch (error) {
    if (error instanceof ThrongError) {
      throw error;
    }
    throw new ThrongError(`${glb.where}: the mesh is damaged (${error instanceof Error ? error.message : String(error)})`);
  }
}

interface Files {
  readonly read: (url: string) => Promise<Uint8Array>;
  readonly isChecked: boolean;
}

async function readTextures(folder: URL, manifest: Manifest, files: Files): Promise<Texels[]> {
  const [home, owner] = manifest.motion ? await motionSet(folder, manifest, files) : [folder, manifest];
  return Promise.all(owner.textures.map((entry) => readTexture(home, entry, owner, files)));
}

async function readTexture(folder: URL, entry: TextureEntry, owner: Manifest, files: Files): Promise<Texels> {
  const [first] = entry.files;
  check(first !== undefined, `${folder.href}: texture '${entry.name}' has no file`);
  const parts = await Promise.all(
    entry.files.map(async (name) => {
      const where = fileUrl(folder, name);
      check(!/\.exr$/i.test(name), `${where}: EXR textures are unsupported in the browser: bake the set with --format ktx2 or to one .glb file`);
      const bytes = await readFile(folder, name, owner, files);
      return /\.png$/i.test(name) ? readPng(bytes, entry, where) : readKtx2(bytes, entry, where);
    }),
  );
  return new Texels(entry, joined(parts), fileUrl(folder, first));
}

async function readFile(folder: URL, name: string, owner: Manifest, { read, isChecked }: Files): Promise<Uint8Array> {
  const url = fileUrl(folder, name);
  const bytes = await read(url);
  const digest = owner.files?.find((file) => file.name === name)?.digest;
  if (isChecked && digest !== undefined) {
    await checkDigest(bytes, digest, url);
  }
  return bytes;
}

/** Fields of both manifests that must be equal. */
const SHARED_FIELDS = ['encoding', 'precision', 'interpolation', 'metadata', 'axes', 'joints', 'layout', 'morphs'] as const;

/** Folder and manifest of the set that holds the textures. */
async function motionSet(folder: URL, manifest: Manifest, { read, isChecked }: Files): Promise<[URL, Manifest]> {
  const { path, digest } = manifest.motion!;
  const name = /^\.\.\/([^/\\]+)$/.exec(path)?.[1];
  check(name !== undefined && name !== '.' && name !== '..', `${folder.href}: expected ../NAME as the path of the motion set, found '${path}'`);
  const home = new URL(`../${encodeURIComponent(name)}/`, folder);
  home.search = folder.search;
  const url = fileUrl(home, 'manifest.json');
  const bytes = await read(url);
  if (isChecked) {
    await checkDigest(bytes, digest, url);
  }
  const motion = checkManifest(parseJson(bytes, url), url);
  const different = SHARED_FIELDS.filter((field) => JSON.stringify(motion[field]) !== JSON.stringify(manifest[field]));
  check(different.length === 0, `${url}: the motion set does not fit ${folder.href}: ${different.join(', ')} differ`);
  return [home, motion];
}

async function fetchBytes(url: string): Promise<Uint8Array> {
  let response: Response;
  try {
    response = await fetch(url);
  } catch (error) {
    throw new ThrongError(`${url}: cannot be read (${error instanceof Error ? error.message : String(error)})`);
  }
  check(response.ok, `${url}: cannot be read (${response.status} ${response.statusText})`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Resolves an address against the page, where there is one. */
function absolute(url: string): string {
  const base = (globalThis as { document?: { baseURI?: string } }).document?.baseURI;
  return new URL(url, base).href;
}

/** Folder of a set by its own address or that of its manifest. A query is kept. */
function folderOf(address: string): URL {
  const url = new URL(address);
  const folder = url.pathname.replace(/\/manifest\.json$/, '/');
  url.pathname = folder.endsWith('/') ? folder : `${folder}/`;
  url.hash = '';
  return url;
}

/** Address of a file of a set, with the query of the set's address. */
function fileUrl(folder: URL, name: string): string {
  const url = new URL(encodeURIComponent(name), folder);
  url.search = folder.search;
  return url.href;
}

function nameOf(url: string): string {
  return url.split('/').pop() ?? url;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) {
    return parts[0]!;
  }
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.byteLength;
  }
  return out;
}
