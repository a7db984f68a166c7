import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { launch, openPage, ORIGIN } from '../../scripts/browser.mjs';
import { buildDemo } from '../demo/build.mjs';

let browser, folder;

before(async () => {
  folder = await buildDemo();
  browser = await launch();
});

after(() => browser?.close());

describe('the demo', () => {
  for (const [width, height, colorScheme] of [
    [1600, 900, 'dark'],
    [400, 800, 'light'],
  ]) {
    test(`shows a crowd, its bytes and its error at ${width} pixels, ${colorScheme}`, async () => {
      const { page, check } = await openPage(browser, [['/', folder]], { viewport: { width, height }, colorScheme });
      await page.goto(`${ORIGIN}/index.html?count=20`);
      await page.waitForSelector('body[data-ready]');
      const text = (id) => page.textContent(`#${id}`);
      assert.match(await text('bytes'), /^\d+ KiB$/);
      assert.match(await text('error'), /^0\.\d+ mm$/);
      await page.check('input[value=dance]');
      const before = await text('bytes');
      await page.check('input[value=bone-qt]');
      await page.waitForFunction((bytes) => document.getElementById('bytes').textContent !== bytes, before);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
      check();
      await page.close();
    });
  }

  test('reports a set that cannot be loaded', async () => {
    const { page } = await openPage(browser, [['/', folder]]);
    await page.goto(`${ORIGIN}/index.html?count=20&encoding=none`);
    await page.waitForSelector('body[data-ready]');
    assert.match(await page.textContent('#headline'), /sets\/none\.glb: cannot be read \(404/);
    await page.check('input[value=bone-qt]');
    await page.waitForFunction(() => document.getElementById('headline').textContent.includes('characters'));
    await page.close();
  });

  test('shows the last choice, whichever set loads first', async () => {
    const { page } = await openPage(browser, [['/', folder]]);
    await page.route('**/bone-local.glb', async (route) => {
      await new Promise((done) => setTimeout(done, 1000));
      await route.fallback();
    });
    await page.goto(`${ORIGIN}/index.html?count=20&encoding=bone-qt`);
    await page.waitForSelector('body[data-ready]');
    const bytes = await page.textContent('#bytes');
    await page.check('input[value=bone-local]');
    await page.check('input[value=bone-qt]');
    await page.waitForTimeout(2500);
    assert.equal(await page.textContent('#bytes'), bytes);
    await page.close();
  });

  test('has under 60 lines of user code', () => {
    const lines = readFileSync(join(import.meta.dirname, '../demo/crowd.js'), 'utf8').split('\n');
    const code = lines.filter((line) => line.trim() !== '' && !/^\s*(\/\/|\/\*\*)/.test(line));
    assert.ok(code.length < 60, `${code.length} lines`);
  });
});
