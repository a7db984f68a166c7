import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';
import { loadSet, partDeform, readSetFile, ThrongError } from 'throng-core';
import { fixtures } from '../../scripts/fixtures.mjs';
import { openSet } from '../../scripts/read.mjs';
import { throng } from '../../scripts/throng.mjs';

let sets;
before(() => {
  sets = Object.fromEntries(fixtures().map((set) => [set.name, set]));
});

async function rejects(promise, message) {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof ThrongError, `${error}`);
    assert.match(error.message, message);
    return true;
  });
}

/** Opens a set with a change of its manifest. */
function withManifest(name, change) {
  return openSet(sets[name].path, (file, bytes) => {
    if (file !== 'manifest.json') {
      return bytes;
    }
    const manifest = JSON.parse(new TextDecoder().decode(bytes));
    change(manifest);
    return new TextEncoder().encode(JSON.stringify(manifest));
  });
}

/** Opens a set without digests, with a change of one of its files. */
function withFile(name, changed, change) {
  return openSet(sets[name].path, (file, bytes) => {
    if (file === 'manifest.json') {
      const manifest = JSON.parse(new TextDecoder().decode(bytes));
      delete manifest.files;
      return new TextEncoder().encode(JSON.stringify(manifest));
    }
    return file === changed ? change(bytes) : bytes;
  });
}

/** Returns a GLB with a change of its JSON. */
function withJson(file, change) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const end = 20 + view.getUint32(12, true);
  const text = JSON.stringify(change(JSON.parse(new TextDecoder().decode(file.subarray(20, end)))));
  const json = new TextEncoder().encode(text.padEnd(Math.ceil(text.length / 4) * 4));
  const out = new Uint8Array(20 + json.length + file.length - end);
  out.set(file.subarray(0, 20));
  out.set(json, 20);
  out.set(file.subarray(end), 20 + json.length);
  const header = new DataView(out.buffer);
  header.setUint32(8, out.length, true);
  header.setUint32(12, json.length, true);
  return out;
}

/** Returns a PNG with other image data. */
function withImageData(file, data) {
  const source = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const chunk = (kind, body) => {
    const out = Buffer.alloc(12 + body.length);
    out.writeUInt32BE(body.length);
    out.write(kind, 4, 'latin1');
    body.copy(out, 8);
    // The checksum is not read.
    return out;
  };
  return new Uint8Array(Buffer.concat([source.subarray(0, 33), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]));
}

describe('folders', () => {
  test('reject a manifest of another format, version or shape', async () => {
    await rejects(withManifest('bone-qt', (m) => (m.format = 'x')), /not the manifest of a Throng texture set/);
    await rejects(withManifest('bone-qt', (m) => (m.version = 9)), /version 9 of the format is unsupported; expected 3 or 4/);
    await rejects(withManifest('bone-qt', (m) => (m.clips = [])), /'clips'; expected at least one clip/);
    await rejects(withManifest('bone-qt', (m) => (m.joints[3].parent = 7)), /'joints\[3\]'/);
    await rejects(withManifest('bone-qt', (m) => (m.skins[0].joints[0] = 999)), /'skins\[0\].joints'/);
    await rejects(withManifest('bone-qt', (m) => (m.textures[0].width = 1e6)), /'textures\[0\].width'; expected an integer from 1 to 16384/);
    await rejects(withManifest('bone-qt', (m) => (m.textures[0].files = ['../x'])), /'textures\[0\].files'; expected file names without folders/);
    await rejects(withManifest('bone-qt', (m) => (m.layout = {})), /'layout'; expected exactly one of/);
    await rejects(withManifest('bone-local', (m) => (m.layout['joint-curves'].record_words = 5)), /record_words'; expected 4, 6, 8 or 12/);
    await rejects(openSet(sets['bone-qt'].path, (file, bytes) => (file === 'manifest.json' ? bytes.subarray(0, 99) : bytes)), /not JSON/);
  });

  test('reject sizes, names and tables that do not fit each other', async () => {
    for (const [name, change, message] of [
      ['bone-qt', (m) => (m.textures[0].layers = 2049), /'textures\[0\]\.layers'; expected an integer from 1 to 2048/],
      ['bone-qt', (m) => Object.assign(m.textures[0], { width: 16384, height: 16384 }), /a texture of at most 1073741824 bytes/],
      ['bone-qt', (m) => (m.mesh = '../mesh.glb'), /'mesh'; expected a file name without folders/],
      ['bone-qt', (m) => (m.textures[0].files = ['..']), /'textures\[0\]\.files'; expected file names without folders/],
      ['bone-qt', (m) => (m.files = {}), /'files'; expected a list of objects/],
      ['bone-qt', (m) => (m.files[0].digest = 7), /'files\[0\]'; expected a name and a digest/],
      ['bone-qt', (m) => (m.layout.bones.positions = {}), /'layout\.bones\.positions\.texture'/],
      ['bone-qt', (m) => (m.layout.bones.grid.pages = { frame_starts: 1 }), /'layout\.bones\.grid\.pages'/],
      ['bone-qt', (m) => (m.layout.bones.grid.items = 70), /frames within 69 × 438 texels/],
      ['bone-qt', (m) => m.clips[4].frames++, /frames within 69 × 438 texels, found 69 × 439/],
      ['p0-matrix8', (m) => (m.clips[1].frames = 500), /'layout\.bones\.grid\.items'; expected frames within 256 × 512 texels, found 501 ×/],
      ['p0-matrix8', (m) => (m.layout.bones.grid.pages.frame_starts = [0, 0]), /'layout\.bones\.grid\.pages'/],
      ['bone-local', (m) => m.layout['joint-curves'].curves++, /'layout\.joint-curves\.curves'; expected 104/],
      ['bone-local', (m) => (m.textures[0].width = 65), /a texture whose width is a power of two, found 65/],
      ['tube-morphs', (m) => (m.morphs.range.center = []), /'morphs\.range'; expected a range of 1 components/],
      ['tube-morphs', (m) => (m.morphs.weights = 9), /'morphs\.weights'; expected at most 4/],
      ['tube-morphs', (m) => Object.assign(m.morphs, { weights: 2, range: null }), /the model has 1 morph targets, and the manifest weights of 2/],
    ]) {
      await rejects(withManifest(name, change), message);
    }
  });

  test('reject skinning methods of bones that no shader function has', async () => {
    for (const method of ['cor', 'sclerp', 'dqs-bulge-free']) {
      const set = await withManifest('bone-qt', (m) => (m.method = method));
      assert.throws(() => partDeform(set, set.model.parts[0]), new RegExp(`the skinning method ${method} of bones is unsupported: bake with`));
    }
  });

  test('reject images and frames that expand to another size', async () => {
    const change = (at) => (bytes) => {
      const changed = bytes.slice();
      changed[at(new DataView(changed.buffer))] ^= 1;
      return changed;
    };
    await rejects(withFile('bone-qt-zstd', 'bones.ktx2', change(() => 96)), /the Zstandard data expand to \d+ bytes, expected 241776/);
    await rejects(withFile('bone-qt-zstd', 'bones.ktx2', change((view) => Number(view.getBigUint64(80, true)) + 5)), /the Zstandard data expand to \d+ bytes, expected 241776/);
    const png = (bytes) => (file) => withImageData(file, deflateSync(Buffer.alloc(bytes)));
    await rejects(withFile('bone-qt-png', 'bones.png', png(1e8)), /the image has more bytes, expected 242214/);
    await rejects(withFile('bone-qt-png', 'bones.png', png(1000)), /the image has 1000 bytes, expected 242214/);
    assert.ok(await withFile('bone-qt-png', 'bones.png', png(242214)));
  });

  test('keep the query of their address', async () => {
    const read = [];
    const url = pathToFileURL(join(sets['bone-qt'].path, 'manifest.json'));
    url.search = '?v=2';
    await loadSet(url, {
      read: async (address) => {
        read.push(address);
        return new Uint8Array(readFileSync(new URL(address)));
      },
    });
    assert.deepEqual(read.sort().map((address) => address.split('/').pop()), ['bones.ktx2?v=2', 'manifest.json?v=2', 'mesh.glb?v=2']);
  });

  test('reject files that differ from their digests', async () => {
    const flip = (name) => (file, bytes) => {
      if (file === name) {
        bytes[bytes.length - 1] ^= 1;
      }
      return bytes;
    };
    await rejects(openSet(sets['bone-qt'].path, flip('bones.ktx2')), /bones\.ktx2: the file differs from the one that was baked/);
    await rejects(openSet(sets['bone-qt'].path, flip('mesh.glb')), /mesh\.glb: the file differs/);
  });

  test('reject truncated files where digests are absent', async () => {
    const cut = (name, end) => (file, bytes) => {
      if (file === 'manifest.json') {
        const manifest = JSON.parse(new TextDecoder().decode(bytes));
        delete manifest.files;
        return new TextEncoder().encode(JSON.stringify(manifest));
      }
      return file === name ? bytes.subarray(0, end) : bytes;
    };
    await rejects(openSet(sets['bone-qt'].path, cut('bones.ktx2', 1000)), /truncated/);
    await rejects(openSet(sets['bone-qt'].path, cut('bones.ktx2', 50)), /not a KTX2 file, or it is truncated/);
    await rejects(openSet(sets['bone-qt-zstd'].path, cut('bones.ktx2', 1000)), /truncated/);
    await rejects(openSet(sets['bone-qt-png'].path, cut('bones.png', 1000)), /the PNG file is truncated/);
    await rejects(openSet(sets['bone-qt'].path, cut('mesh.glb', 1000)), /mesh\.glb: the file has 1000 bytes, expected \d+: it is truncated/);
  });

  test('name the remedy for EXR', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'throng-')), 'exr');
    throng(['bake', 'builtin:bar', '--encoding', 'bone-qt', '--precision', 'f32', '--format', 'exr', '-o', folder]);
    await rejects(openSet(folder), /EXR textures are unsupported in the browser: bake the set with --format ktx2 or to one \.glb file/);
  });

  test('say which file is missing', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'throng-')), 'set');
    cpSync(sets['bone-qt'].path, folder, { recursive: true });
    writeFileSync(join(folder, 'mesh.glb'), '');
    await rejects(openSet(folder), /mesh\.glb/);
  });
});

describe('one file', () => {
  test('rejects every truncation', async () => {
    const file = new Uint8Array(readFileSync(sets['bone-local-dqs'].path));
    for (let end = 0; end < file.length; end += 997) {
      await assert.rejects(readSetFile(file.subarray(0, end), 'cut.glb'), ThrongError, `${end} bytes`);
    }
  });

  test('fails cleanly on damaged bytes, or loads', async () => {
    const file = new Uint8Array(readFileSync(sets['box-parts'].path));
    let state = 1;
    for (let round = 0; round < 200; round++) {
      const damaged = file.slice();
      for (let k = 0; k < 8; k++) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        damaged[state % damaged.length] = state >>> 24;
      }
      try {
        await readSetFile(damaged, 'damaged.glb');
      } catch (error) {
        assert.ok(error instanceof ThrongError, `round ${round}: ${error.stack}`);
      }
    }
  });

  test('rejects JSON that is not an object, and accessors without a valid size', async () => {
    const file = new Uint8Array(readFileSync(sets['box-parts'].path));
    await rejects(readSetFile(withJson(file, () => null), 'null.glb'), /null\.glb: the JSON of the GLB is not an object/);
    await rejects(readSetFile(withJson(file, (json) => ({ ...json, extensions: { THRONG_animation_textures: null } })), 'x.glb'), /holds no texture set/);
    for (const [key, value] of [['count', 1e9], ['count', -1], ['count', 1.5]]) {
      const change = (json) => ({ ...json, accessors: json.accessors.map((accessor) => ({ ...accessor, [key]: value })) });
      await rejects(readSetFile(withJson(file, change), 'x.glb'), /x\.glb: accessor \d+ has/);
    }
    for (const byteStride of [0, -4, 4.5]) {
      const change = (json) => ({ ...json, bufferViews: json.bufferViews.map((view) => ({ ...view, byteStride })) });
      await rejects(readSetFile(withJson(file, change), 'x.glb'), /x\.glb: accessor \d+ has \d+ elements, one every/);
    }
  });

  test('says that a GLB holds no set', async () => {
    const mesh = new Uint8Array(readFileSync(join(sets['bone-qt'].path, 'mesh.glb')));
    await rejects(readSetFile(mesh, 'mesh.glb'), /the GLB holds no texture set: bake one with/);
  });
});

describe('models', () => {
  test('keep parts, materials, textures and alpha', async () => {
    const box = await openSet(sets['box-parts'].path);
    assert.deepEqual(box.model.parts.map(({ name }) => name), ['ball', 'box']);
    assert.ok(Math.abs(box.model.materials[box.model.parts[0].material].baseColor[2] - 0.58) < 0.01);
    const tube = await openSet(sets['tube-morphs'].path);
    const [material] = tube.model.materials;
    assert.deepEqual([material.alphaMode, material.alphaCutoff, material.doubleSided], ['mask', 0.5, true]);
    assert.deepEqual([...tube.model.images[material.texture.image].bytes.subarray(1, 4)], [0x50, 0x4e, 0x47]);
  });

  test('name clips and joints that do not exist', async () => {
    const set = await openSet(sets['bone-qt'].path);
    assert.throws(() => set.clipIndex('swim'), /has no clip 'swim'; expected one of idle, walk/);
    assert.throws(() => set.jointIndex('tail'), /has no joint 'tail'/);
    const vertex = await openSet(sets.vertex.path);
    assert.throws(() => vertex.pose({ clip: 0, secs: 0 }), /stores no joints: bake it with --encoding bone-local/);
  });
});
