// Reads files of a set from the disk.

import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { loadSet } from 'throng-core';

/** Loads a set from a path. `change` may replace the bytes of a file, given its name. */
export function openSet(path, change = (_, bytes) => bytes) {
  const read = async (url) => {
    const name = new URL(url).pathname.split('/').pop();
    return change(name, new Uint8Array(await readFile(new URL(url))));
  };
  return loadSet(pathToFileURL(path), { read });
}
