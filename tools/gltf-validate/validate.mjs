// Runs the Khronos glTF validator on .glb files: one line a file, then its errors and warnings.
//
// node validate.mjs FILE...
//
// Exit codes: 0 no file has an error, 1 one has, 2 wrong usage. Warnings are printed and do not fail.

import { readFile } from 'node:fs/promises';
import validator from 'gltf-validator';

const SEVERITIES = ['error', 'warning'];

/** Prints what is wrong with a file; true when it has no error. */
async function validate(path) {
  const bytes = new Uint8Array(await readFile(path));
  const { issues } = await validator.validateBytes(bytes, { uri: path, maxIssues: 0 });
  console.log(`${path}: ${issues.numErrors} errors, ${issues.numWarnings} warnings`);
  for (const { severity, code, message, pointer } of issues.messages) {
    const name = SEVERITIES[severity];
    if (name) console.log(`  ${name} ${code} at ${pointer ?? 'the file'}: ${message}`);
  }
  return issues.numErrors === 0;
}

const paths = process.argv.slice(2);
if (paths.length === 0) {
  console.error('usage: node validate.mjs FILE...');
  process.exit(2);
}
for (const path of paths) {
  try {
    if (!(await validate(path))) process.exitCode = 1;
  } catch (error) {
    console.log(`${path}: cannot be validated: ${error.message ?? error}`);
    process.exitCode = 1;
  }
}
