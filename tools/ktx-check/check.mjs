// Reads KTX2 files with the parser and the decompressor that browsers use, and prints what they find: one
// line of JSON a file.
//
// node check.mjs FILE...
//
// `rewritten` says whether the parser, writing what it read, comes to the same bytes.
// Exit codes: 0 all files could be read, 1 one could not, 2 wrong usage.

import { readFile } from 'node:fs/promises';
import * as ktx from 'ktx-parse';
import { ZSTDDecoder } from 'zstddec';

const zstd = new ZSTDDecoder();
await zstd.init();

/** The constant of the parser that has this name's beginning and this value. */
function nameOf(prefix, value) {
  return Object.keys(ktx).find((name) => name.startsWith(prefix) && ktx[name] === value) ?? null;
}

/** What is in the file, in the parser's words. */
function describe(bytes) {
  const container = ktx.read(bytes);
  const { levels, dataFormatDescriptor, globalData, ...header } = container;
  const [{ levelData, uncompressedByteLength }] = levels;
  const [descriptor] = dataFormatDescriptor;
  const compressed = header.supercompressionScheme === ktx.KHR_SUPERCOMPRESSION_ZSTD;
  const texels = compressed ? zstd.decode(levelData, uncompressedByteLength) : levelData;
  return {
    ...header,
    vkFormat: nameOf('VK_FORMAT_', header.vkFormat),
    levels: levels.length,
    levelAt: levelData.byteOffset - bytes.byteOffset,
    texels: Buffer.from(texels).toString('hex'),
    descriptor: {
      ...descriptor,
      colorModel: nameOf('KHR_DF_MODEL_', descriptor.colorModel),
      colorPrimaries: nameOf('KHR_DF_PRIMARIES_', descriptor.colorPrimaries),
      transferFunction: nameOf('KHR_DF_TRANSFER_', descriptor.transferFunction),
    },
    rewritten: Buffer.compare(bytes, ktx.write(container, { keepWriter: true })) === 0,
  };
}

const paths = process.argv.slice(2);
if (paths.length === 0) {
  console.error('usage: node check.mjs FILE...');
  process.exit(2);
}
for (const path of paths) {
  try {
    console.log(JSON.stringify({ path, ...describe(await readFile(path)) }));
  } catch (error) {
    console.error(`${path}: cannot be read: ${error.message ?? error}`);
    process.exitCode = 1;
  }
}
