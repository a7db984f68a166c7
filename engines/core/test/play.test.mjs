import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fadeWeight, InstanceRecords, INSTANCE_WORDS, playTime, startFor, ticksFromSecs } from 'throng-core';

const clip = (loop, duration_secs = 2) => ({ name: 'clip', first_frame: 0, frames: 61, rate_hz: 30, duration_secs, loop });

describe('time', () => {
  const start = ticksFromSecs(1);
  const time = (play, loop, now) => playTime(play, clip(loop), ticksFromSecs(now));

  test('wraps or stops at the end by loop policy', () => {
    const play = { kind: 'running', clip: 0, start, speed: 1 };
    assert.equal(time(play, 'wrap', 1.5), 0.5);
    assert.equal(time(play, 'wrap', 3.25), 0.25);
    assert.equal(time(play, 'once', 3.25), 2);
    assert.equal(time(play, 'once', 0.5), 0);
    assert.equal(time({ ...play, speed: -2 }, 'wrap', 1.25), 1.5);
    assert.equal(time({ kind: 'held', clip: 0, timeSecs: 0.75 }, 'wrap', 9), 0.75);
  });

  test('stays at the start at a speed of 0', () => {
    assert.equal(time({ kind: 'running', clip: 0, start, speed: 0 }, 'wrap', 9), 0);
  });

  test('wraps after 18 hours', () => {
    assert.equal(ticksFromSecs(65536 + 1), ticksFromSecs(1));
    assert.equal(ticksFromSecs(-1), 2 ** 32 - 65536);
  });

  test('of a start is the time asked for', () => {
    for (const speed of [1, -1, 0.5, 3]) {
      const now = ticksFromSecs(100.125);
      const found = startFor(clip('wrap'), speed, 0.5, now);
      assert.ok(Math.abs(playTime({ kind: 'running', clip: 0, start: found, speed }, clip('wrap'), now) - 0.5) < 1e-4);
    }
  });

  test('of a start outside the clip is wrapped where the clip loops', () => {
    const now = ticksFromSecs(7);
    const timeFrom = (loop, speed, secs) => {
      const entry = clip(loop, 1.1);
      return playTime({ kind: 'running', clip: 0, start: startFor(entry, speed, secs, now), speed }, entry, now);
    };
    for (const [loop, speed, secs, expected] of [
      ['wrap', 1, -0.1, 1],
      ['wrap', -1, 1.5, 0.4],
      ['wrap', -1, -0.1, 1],
      ['wrap', 1, 111.5, 0.4],
      ['once', 1, -0.1, 0],
      ['once', 1, 1.5, 1.1],
      ['once', -1, 1.5, 1.1],
    ]) {
      const found = timeFrom(loop, speed, secs);
      assert.ok(Math.abs(found - expected) < 1e-3, `${loop}, speed ${speed}, ${secs} s: ${found}, expected ${expected}`);
    }
  });

  test('raises the weight of a fade from 0 to 1', () => {
    const fade = { to: { kind: 'running', clip: 1, start: 0, speed: 1 }, start: ticksFromSecs(2), duration: ticksFromSecs(0.5) };
    assert.deepEqual([1, 2, 2.25, 2.5, 9].map((now) => fadeWeight(fade, ticksFromSecs(now))), [0, 0, 0.5, 1, 1]);
  });
});

describe('instance records', () => {
  test('hold transform, tint, playback, fade, fraction and user word', () => {
    const words = new Uint32Array(2 * INSTANCE_WORDS);
    const records = new InstanceRecords(words, [clip('wrap'), clip('once', 1)]);
    records.reset(1);
    records.setTransform(1, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    records.setTint(1, 1, 0.5, 0, 1);
    records.setPlay(1, { kind: 'running', clip: 1, start: 77, speed: -2 });
    records.setFade(1, { to: { kind: 'held', clip: 0, timeSecs: 1.5 }, start: 5, duration: 6 });
    records.setFraction(1, 0.25);
    records.setUser(1, 42);
    assert.deepEqual([...records.transform(1)], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    const bits = (value) => new Uint32Array(Float32Array.of(value).buffer)[0];
    const expected = [0xff0080ff, 0x80000001, 77, 32768, 0, bits(1.5), 0, 5, 6, bits(0.25), 42, 0];
    assert.deepEqual([...words.subarray(INSTANCE_WORDS + 12)], expected);
    assert.ok(words.subarray(0, INSTANCE_WORDS).every((word) => word === 0));
  });
});
