// Builds and checks the packages: types, tests in Node and in Chromium, contents of the packages, the demo page. The last
// line has the form of Rust's test programs.
//
// node scripts/test.mjs
//
// THRONG is the path of the `throng` program; without it cargo builds one. Under CI=true a check that cannot run fails.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fixtures, sharedFixture } from './fixtures.mjs';

const FOLDER = join(import.meta.dirname, '..');
const PACKAGES = ['core', 'three'];

/** Time limit of test files that run together. */
const LIMIT_MS = 600_000;

const start = Date.now();
let [passed, failed] = [0, 0];

function skip(reason) {
  if (process.env.CI === 'true') {
    console.log(`engines: ${reason}`);
    finish(1);
  }
  console.log(`skipped: engines: ${reason}`);
  finish(0);
}

function finish(moreFailed = 0) {
  failed += moreFailed;
  const secs = ((Date.now() - start) / 1000).toFixed(2);
  console.log(`test result: ${failed === 0 ? 'ok' : 'FAILED'}. ${passed} passed; ${failed} failed; 0 ignored; finished in ${secs}s`);
  process.exit(failed === 0 ? 0 : 1);
}

/** Runs a program in the folder of the packages. Returns its output; null where it fails. */
function run(program, ...args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: FOLDER, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (error || status !== 0) {
    console.log(`${program} ${args.join(' ')} failed\n${error?.message ?? ''}${stdout}${stderr}`);
    return null;
  }
  return stdout;
}

/** Counts a check. */
function check(name, isOk) {
  console.log(`${isOk ? 'ok' : 'FAILED'}: ${name}`);
  isOk ? passed++ : failed++;
}

/** Runs test files one after another, and adds their counts. */
function nodeTests(...files) {
  const { stdout } = spawnSync('node', ['--test', '--test-reporter=tap', '--test-concurrency=1', ...files], { cwd: FOLDER, encoding: 'utf8', maxBuffer: 1 << 28, timeout: LIMIT_MS });
  const count = (name) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(stdout)?.[1] ?? NaN);
  const [ok, notOk] = [count('pass'), count('fail') + count('cancelled')];
  if (!(ok > 0) || notOk > 0) {
    console.log(stdout);
  }
  passed += ok || 0;
  failed += Number.isNaN(ok + notOk) ? 1 : notOk;
  console.log(`${files.join(', ')}: ${ok} passed, ${notOk} failed`);
}

if (!existsSync(join(FOLDER, 'node_modules/.package-lock.json'))) {
  skip("node_modules is missing: run 'npm ci' in engines");
}
if (!existsSync(process.env.CHROMIUM ?? '/usr/bin/chromium')) {
  skip('Chromium is missing: install the package chromium, or set CHROMIUM');
}

check('types and build', run('npm', 'run', '--silent', 'build') !== null);
if (failed > 0) {
  finish();
}
// Here, so that the time limit of the tests does not count the bakes.
fixtures();
sharedFixture();
nodeTests('core/test/decode.test.mjs', 'core/test/load.test.mjs', 'core/test/play.test.mjs', 'core/test/tables.test.mjs');
nodeTests('three/test/webgl.test.mjs', 'three/test/webgpu.test.mjs');
nodeTests('three/test/demo.test.mjs');
for (const name of PACKAGES) {
  const files = JSON.parse(run('npm', 'pack', '--dry-run', '--json', '--ignore-scripts', `./${name}`) ?? '[]')[0]?.files ?? [];
  const paths = files.map(({ path }) => path);
  const isWhole = ['package.json', 'README.md', 'dist/index.js', 'dist/index.d.ts'].every((path) => paths.includes(path));
  check(`npm pack ${name}: ${paths.length} files`, isWhole && paths.every((path) => /^(dist\/|package\.json$|README\.md$|LICENSE)/.test(path)));
  check(`publint ${name}`, run('npx', 'publint', '--strict', name) !== null);
}
finish();
