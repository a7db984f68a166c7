import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { readSetFile, ThrongError } from 'throng-core';
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
