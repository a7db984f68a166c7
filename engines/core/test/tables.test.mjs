import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { printSetInfo, setTables } from 'throng-core';
import { fixtures } from '../../scripts/fixtures.mjs';
import { openSet } from '../../scripts/read.mjs';
import { throng } from '../../scripts/throng.mjs';

/** Largest difference between floats, relative to the larger or to a quarter: the last bits may round to another float32. */
const TOLERANCE = 2 ** -22;

/** Words below are integers, or floats that are as good as 0. */
const FIRST_FLOAT = 0x00800000;

/** Numbers of a constructor, in order, without names. */
function numbers(text) {
  return [...text.matchAll(/(?<![\w.])-?\d[\d.]*(?:e-?\d+)?(?=[uf]?\b)/g)].map(([number]) => Number(number));
}

const view = new DataView(new ArrayBuffer(4));

function floatOf(word) {
  view.setUint32(0, word);
  return view.getFloat32(0);
}

function isClose(a, b) {
  return Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b), 0.25);
}

describe('tables equal those of the wgpu renderer', () => {
  for (const { name, path } of fixtures()) {
    test(name, async () => {
      const set = await openSet(path);
      const stage = set.jointCurves ? 'palette-fragment' : 'vertex';
      const text = throng(['shader', '--constants', path, '--stage', stage]);
      const { info, records } = setTables(set);
      const expectedInfo = numbers(/const set_info: SetInfo = SetInfo\(([\s\S]*?)\n\);/.exec(text)[1]);
      const foundInfo = numbers(printSetInfo(info));
      assert.equal(foundInfo.length, expectedInfo.length);
      foundInfo.forEach((x, k) => assert.ok(isClose(x, expectedInfo[k]), `number ${k} of the description is ${x}, expected ${expectedInfo[k]}`));
      const expected = numbers(/const TABLES = array<vec4<u32>, \d+>\(([\s\S]*?)\n\);/.exec(text)[1].replaceAll('vec4', ''));
      assert.ok(expected.length <= records.length, `${records.length} words, expected at least ${expected.length}`);
      // Functions for engines read further records of the clips of compressed curves, at the end.
      records.slice(0, expected.length).forEach((word, k) => {
        const areFloats = Math.max(word, expected[k]) >= FIRST_FLOAT;
        const isEqual = word === expected[k] || (areFloats && isClose(floatOf(word), floatOf(expected[k])));
        assert.ok(isEqual, `word ${k % 4} of record ${Math.floor(k / 4)} is ${word}, expected ${expected[k]}`);
      });
    });
  }
});
