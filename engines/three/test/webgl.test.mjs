import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fixtures } from '../../scripts/fixtures.mjs';
import { compareVertices, openTests } from './harness.mjs';

/** Share of pixels that may differ visibly from three's SkinnedMesh: edges of triangles. The largest found is 0.00035. */
const MAX_DIFFERENCE = 0.001;

/** Sets of every kind of bones, to draw by the default, which is palettes. One has no palettes: slerp-vertices. */
const WITH_PALETTES = ['bone-qt', 'bone-qt-slerp', 'bone-qt-dqs', 'bone-matrix', 'bone-matrix-arc', 'bone-dq-dqs', 'virtual-bones', 'box-parts', 'tube-morphs', 'tube-scaled', 'vertex'];

let browser, page, check, run;

before(async () => {
  ({ browser, page, check, run } = await openTests('webgl_page'));
});

after(() => browser?.close());

describe('vertices decoded in the vertex shader on WebGL2 equal the reference decoder', () => {
  for (const set of fixtures()) {
    test(set.name, (context) => compareVertices(context, run, set, undefined, { palettes: false }));
  }
});

describe('vertices with palettes on WebGL2 equal the reference decoder', () => {
  for (const set of fixtures().filter(({ name }) => WITH_PALETTES.includes(name))) {
    test(set.name, (context) => compareVertices(context, run, set));
  }
});

describe('the picture equals that of SkinnedMesh and AnimationMixer', () => {
  const moment = { reference: '/sets/bone-matrix-f32', clip: 'walk', secs: 20 / 64, turn: null };
  for (const [file, kind] of [
    ['bone-qt', 'standard'],
    ['bone-qt', 'physical'],
    ['bone-matrix', 'lambert'],
    ['bone-dq', 'toon'],
    ['virtual-bones', 'basic'],
    ['bone-local', 'standard'],
    ['vertex-curves', 'lambert'],
  ]) {
    test(`${file}, ${kind} material`, async (context) => {
      const { difference, covered } = await run('againstSkinnedMesh', { ...moment, url: `/sets/${file}`, kind });
      context.diagnostic(`${difference} of the pixels differ`);
      assert.ok(covered > 0.03, `the character covers ${covered} of the picture`);
      assert.ok(difference <= MAX_DIFFERENCE, `${difference} of the pixels differ`);
    });
  }

  test('and differs from one with a forearm turned by 3°', async (context) => {
    const turn = { joint: 'right_forearm', degrees: 3 };
    const { difference } = await run('againstSkinnedMesh', { ...moment, url: '/sets/bone-qt', kind: 'standard', turn });
    context.diagnostic(`${difference} of the pixels differ`);
    assert.ok(difference > MAX_DIFFERENCE, `${difference} of the pixels differ`);
  });
});

describe('shadows move with the character', () => {
  for (const [file, light] of [
    ['bone-qt', 'directional'],
    ['bone-qt', 'point'],
    ['bone-local', 'directional'],
    ['bone-local', 'point'],
    ['vertex', 'directional'],
  ]) {
    test(`${file}, ${light} light`, async () => {
      const { cast, moved } = await run('shadows', `/sets/${file}`, light);
      assert.ok(cast > 0.004, `the shadow covers ${cast} of the picture`);
      assert.ok(moved > 0.001, `${moved} of the pixels changed`);
    });
  }
});

describe('crowds', () => {
  for (const [file, palettes] of [['bone-qt', false], ['bone-qt', true], ['bone-local', false]]) {
    test(`cull, tint, fade, hit, grow and shrink: ${file}${palettes ? ', palettes' : ''}`, async () => {
      const found = await run('crowdBehaviour', `/sets/${file}`, { palettes });
      assert.ok(found.covered > 0.03, 'one instance is in view');
      assert.equal(found.drawn, 1, 'instances out of view are not drawn');
      assert.ok(found.reddened > 0.02, 'the tint shows');
      assert.deepEqual(found.hits.map(({ instanceId }) => instanceId), [0]);
      assert.ok(found.faded > 0.001 && found.moved > 0.001, 'cross-fades show');
      assert.ok(Math.hypot(...found.hand) < 2.5 && found.hand[1] > 0.3, `the hand is at ${found.hand}`);
      assert.equal(found.left, 0, 'the removed instance is gone');
      assert.equal(found.grown.count, 202);
      assert.ok(found.grown.covered > 0.03, 'added instances are drawn');
      assert.deepEqual(found.memory[1], found.memory[0], 'dispose frees all textures and geometries');
    });
  }

  test('keep the speed of held instances, and hold clips that play once', async () => {
    const { held, wrapped, early, end, back, hours, again, errors } = await run('playback', '/sets/bone-qt');
    const distance = (a, b) => Math.hypot(...a.map((x, k) => x - b[k]));
    for (const [name, [first, later]] of Object.entries(held)) {
      assert.deepEqual(later, first, `${name} of a held instance`);
    }
    assert.ok(distance(...wrapped) < 1e-3, 'a held time before the start is wrapped');
    assert.ok(distance(early, end) > 0.01, 'the clip plays');
    assert.ok(distance(early, back) < 1e-6, 'time goes back');
    hours.forEach((hand, hour) => assert.ok(distance(hand, end) < 1e-3, `after ${hour} hours the hand is at ${hand}, expected ${end}`));
    assert.ok(distance(early, again) < 1e-3, 'a held clip plays again');
    assert.deepEqual(errors, ['RangeError', 'RangeError', 'RangeError', 'RangeError']);
  });

  test('draw sheared instances whose bounding box is in view', async () => {
    const { inView, missing, drawn } = await run('culledShears', '/sets/bone-qt');
    assert.ok(inView > 50 && drawn < 2000, `${inView} in view, ${drawn} drawn`);
    assert.equal(missing, 0);
  });

  for (const file of ['bone-qt', 'bone-local', 'tube-morphs']) {
    test(`free everything with the last crowd of a set, once: ${file}`, async () => {
      const { before, during, after, changed } = await run('disposal', `/sets/${file}`);
      assert.ok(during.textures > before.textures, 'a crowd keeps what it shares');
      assert.equal(changed, 0);
      assert.deepEqual(after, before);
    });
  }

  test('count their draw calls with those of the frame', async () => {
    const { calls, autoReset } = await run('drawCalls', '/sets/bone-local');
    assert.equal(calls[1], calls[0] + 1, `${calls} draw calls`);
    assert.equal(autoReset, true);
  });

  test('keep textures, alpha and sides of the source', async () => {
    const { hasMap, alphaTest, isDouble, green, other } = await run('textured', '/sets/tube-morphs');
    assert.deepEqual({ hasMap, alphaTest, isDouble }, { hasMap: true, alphaTest: 0.5, isDouble: true });
    assert.ok(green > 500 && other < green / 10, `${green} green pixels, ${other} others`);
  });

  test('keep the alpha of the base colour of masks, and ask the user\'s material for its key', async () => {
    assert.deepEqual(await run('copiedMaterial', '/sets/tube-morphs', 0.75), { opacity: 0.75, transparent: false, key: 'changed later' });
  });
});

describe('sets that cannot be loaded', () => {
  test('are rejected with the image that cannot be decoded', async () => {
    const { name, message } = await run('imageError', '/sets/tube-morphs');
    assert.equal(name, 'ThrongError');
    assert.match(message, /sets\/tube-morphs: image 0 cannot be decoded \(/);
  });

  test('are rejected with the file and the reason', async () => {
    const missing = await page.evaluate(() => window.tests.loadError('/sets/none'));
    assert.equal(missing.name, 'ThrongError');
    assert.match(missing.message, /sets\/none\/manifest\.json: cannot be read \(404/);
    const wrong = await page.evaluate(() => window.tests.loadError('/sets/bone-qt/mesh.glb'));
    assert.match(wrong.message, /the GLB holds no texture set/);
    try {
      check();
    } catch {
      // The browser reports the missing file on its console too.
    }
  });
});
