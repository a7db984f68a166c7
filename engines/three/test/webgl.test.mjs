import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fixtures } from '../../scripts/fixtures.mjs';
import { compareVertices, openTests } from './harness.mjs';

/** Share of pixels that may differ visibly from three's SkinnedMesh: edges of triangles. The largest found is 0.00035. */
const MAX_DIFFERENCE = 0.001;

/** Sets of every kind of bones, to draw with the option `palettes`. One has no palettes: slerp-vertices. */
const WITH_PALETTES = ['bone-qt', 'bone-qt-slerp', 'bone-qt-dqs', 'bone-matrix', 'bone-matrix-arc', 'bone-dq-dqs', 'virtual-bones', 'box-parts', 'tube-morphs', 'tube-scaled', 'vertex'];

let browser, page, check, run;

before(async () => {
  ({ browser, page, check, run } = await openTests('webgl_page'));
});

after(() => browser?.close());

describe('vertices on WebGL2 equal the reference decoder', () => {
  for (const set of fixtures()) {
    test(set.name, (context) => compareVertices(context, run, set));
  }
});

describe('vertices with palettes on WebGL2 equal the reference decoder', () => {
  for (const set of fixtures().filter(({ name }) => WITH_PALETTES.includes(name))) {
    test(set.name, (context) => compareVertices(context, run, set, undefined, { palettes: true }));
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

  test('keep textures, alpha and sides of the source', async () => {
    const { hasMap, alphaTest, isDouble, green, other } = await run('textured', '/sets/tube-morphs');
    assert.deepEqual({ hasMap, alphaTest, isDouble }, { hasMap: true, alphaTest: 0.5, isDouble: true });
    assert.ok(green > 500 && other < green / 10, `${green} green pixels, ${other} others`);
  });
});

describe('sets that cannot be loaded', () => {
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
