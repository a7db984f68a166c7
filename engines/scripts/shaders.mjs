// Writes the generated shader functions as modules: browsers do not import JSON everywhere.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = join(import.meta.dirname, '../core/src');

for (const language of ['glsl', 'wgsl']) {
  const json = readFileSync(join(SOURCE, `shaders/${language}.json`), 'utf8').trim();
  const name = `${language.toUpperCase()}_LIBRARY`;
  const text = `// Written by scripts/shaders.mjs from shaders/${language}.json: do not edit.

import type { ShaderLibrary } from './library.js';

/** Functions of Throng in ${language.toUpperCase()}, every variant. */
export const ${name}: ShaderLibrary = ${json};
`;
  writeFileSync(join(SOURCE, `${language}.ts`), text);
}
