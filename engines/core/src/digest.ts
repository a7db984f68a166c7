import { check } from './error.js';

/** Checks a file against its digest, where the platform has SHA-256: browsers have it on secure origins only. */
export async function checkDigest(file: Uint8Array, expected: string, where: string): Promise<void> {
  const subtle = globalThis.crypto?.subtle;
  if (subtle === undefined) {
    return;
  }
  const hash = new Uint8Array(await subtle.digest('SHA-256', file as BufferSource));
  const found = `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  check(found === expected, `${where}: the file differs from the one that was baked: its digest is ${found}, expected ${expected}`);
}
