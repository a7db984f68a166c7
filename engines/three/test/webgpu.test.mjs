import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fixtures } from '../../scripts/fixtures.mjs';
import { compareVertices, openTests } from './harness.mjs';

/** Share of pixels that may differ visibly from three's SkinnedMesh, shadows included. */
const MAX_DIFFERENCE = 0.001;

let browser, run;

before(async () => {
  ({ browser, run } = await openTests('webgpu_page'));
  assert.ok(await run('isWebGpu'), 'the browser has no WebGPU');
});

after(() => browser?.close());

/** Sets whose shaders are those of another set, and one whose shader takes Chromium's software driver a minute to compile. */
const LEFT_OUT = ['bone-qt-zstd', 'bone-qt-png', 'bone-qt-f16', 'vertex-f32', 'tube-scaled'];

/** Millimetres. The software driver computes atan2 to 14 bits or so, and `slerp-vertices` depends on it: the error is 0.2. */
const TOLERANCES = { 'bone-matrix-arc': 0.3 };

describe('vertices on WebGPU equal the reference decoder', () => {
  for (const set of fixtures().filter(({ name }) => !LEFT_OUT.includes(name))) {
    test(set.name, (context) => compareVertices(context, run, set, TOLERANCES[set.name]));
  }
});

describe('the picture on WebGPU equals that of SkinnedMesh and AnimationMixer', () => {
  const compare = async (context, file, turn) => {
    const difference = await run('againstSkinnedMesh', `/sets/${file}`, '/sets/bone-matrix-f32', 20 / 64, turn);
    context.diagnostic(`${difference} of the pixels differ`);
    return difference;
  };
  for (const file of ['bone-qt', 'bone-local', 'vertex-curves']) {
    test(file, async (context) => {
      const difference = await compare(context, file, null);
      assert.ok(difference <= MAX_DIFFERENCE, `${difference} of the pixels differ`);
    });
  }

  test('and differs from one with a forearm turned by 3°', async (context) => {
    const difference = await compare(context, 'bone-qt', { joint: 'right_forearm', degrees: 3 });
    assert.ok(difference > MAX_DIFFERENCE, `${difference} of the pixels differ`);
  });
});

describe('shadows on WebGPU move with the character', () => {
  for (const file of ['bone-qt', 'bone-local', 'vertex-curves']) {
    test(file, async () => {
      const { cast, moved } = await run('shadows', `/sets/${file}`);
      assert.ok(cast > 0.004, `the shadow covers ${cast} of the picture`);
      assert.ok(moved > 0.004, `${moved} of the pixels changed`);
    });
  }
});

test('crowds on WebGPU draw the instances that a camera sees', async () => {
  const { drawn, covered, changed } = await run('culled', '/sets/bone-local');
  assert.equal(drawn, 1);
  assert.ok(covered > 0.03, `${covered} of the picture`);
  assert.equal(changed, 0);
});

describe('crowds on WebGPU free everything with the last crowd of a set', () => {
  for (const file of ['bone-qt', 'bone-local', 'tube-morphs']) {
    test(file, async () => {
      const { before, during, after } = await run('disposal', `/sets/${file}`);
      assert.ok(during.textures > before.textures);
      assert.deepEqual(after, before);
    });
  }
});

for (const file of ['bone-qt', 'bone-local']) {
  test(`crowds on WebGPU grow to their capacity and shrink: ${file}`, async () => {
    const { counts, before, grown, culled, shrunk, message } = await run('resized', `/sets/${file}`);
    assert.deepEqual(counts, [0, 3, 1, 2]);
    assert.deepEqual([before, shrunk], [0, 0]);
    assert.ok(grown > 0.03 && culled > 0.03, `${grown} and ${culled} of the picture`);
    assert.match(message, /the crowd has room for 3 instances: make it with a larger option capacity/);
  });
}
