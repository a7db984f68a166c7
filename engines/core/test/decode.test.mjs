import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { decodeVertices } from 'throng-core';
import { fixtures, sharedFixture } from '../../scripts/fixtures.mjs';
import { openSet } from '../../scripts/read.mjs';
import { referencePoses } from '../../scripts/throng.mjs';

/** Metres. Both decoders compute in float64; rest positions are float32. */
const TOLERANCE = 1e-7;

function assertClose(found, expected, what) {
  assert.equal(found.length, expected.length, what);
  found.forEach((x, k) => assert.ok(Math.abs(x - expected[k]) <= TOLERANCE, `${what}: number ${k} is ${x}, expected ${expected[k]}`));
}

function compare(set, path, times) {
  for (const [clip, secs] of times) {
    const index = set.clipIndex(clip);
    referencePoses(path, clip, secs).forEach((expected, k) => {
      const where = `${clip} at ${secs[k]} s`;
      if (set.hasJoints) {
        const joints = set.pose({ clip: index, secs: secs[k] });
        joints.forEach((joint, j) => assertClose(joint, expected.model_from_joint[j], `${where}, joint ${j}`));
        return;
      }
      decodeVertices(set, index, secs[k]).forEach((part, p) => {
        assertClose(part.positions, expected.parts[p].positions.flat(), `${where}, positions of part ${p}`);
        assertClose(part.normals, expected.parts[p].normals.flat(), `${where}, normals of part ${p}`);
      });
    });
  }
}

describe('decoded sets equal the reference decoder', () => {
  for (const { name, path, reference, times } of fixtures()) {
    test(name, async () => compare(await openSet(path), reference, times));
  }
});

describe('sets that share a motion set', () => {
  let folder;
  before(() => {
    folder = sharedFixture();
  });

  test('use its textures', async () => {
    const characters = readdirSync(folder).filter((name) => !name.startsWith('motion'));
    assert.equal(characters.length, 2);
    for (const name of characters) {
      const path = join(folder, name);
      compare(await openSet(path), path, [['walk', [0.3]]]);
    }
  });

  test('reject another motion set', async () => {
    const [name] = readdirSync(folder).filter((name) => !name.startsWith('motion'));
    let manifests = 0;
    const change = (file, bytes) => {
      manifests += file === 'manifest.json' ? 1 : 0;
      return file === 'manifest.json' && manifests === 2 ? Uint8Array.from([...bytes, 32]) : bytes;
    };
    await assert.rejects(openSet(join(folder, name), change), /the file differs from the one that was baked/);
  });
});
