// Runs the Khronos glTF validator on .glb files. Prints one line per file, then its errors and warnings.
//
// node validate.mjs FILE...
//
// Exit codes: 0 no file has errors, 1 a file has errors or cannot be read, 2 wrong usage. Warnings do not fail.

import { readFile } from 'node:fs/promises';
import validator from 'gltf-validator';

const SEVERITIES = ['error', 'warning'];

/** Prints the errors and warnings of a file. Returns true if it has no errors. */
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
