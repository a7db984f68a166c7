// Reads KTX2 files with ktx-parse and zstddec, which web engines use. Prints one line of JSON per file: the header, the
// data format descriptor and the texels.
//
// node check.mjs FILE...
//
// `rewritten` is true if ktx-parse writes the same bytes again.
// Exit codes: 0 all files were read, 1 a file cannot be read, 2 wrong usage.

import { readFile } from 'node:fs/promises';
import * as ktx from 'ktx-parse';
import { ZSTDDecoder } from 'zstddec';

const zstd = new ZSTDDecoder();
await zstd.init();

/** Name of the ktx-parse constant with this prefix and value. */
function nameOf(prefix, value) {
  return Object.keys(ktx).find((name) => name.startsWith(prefix) && ktx[name] === value) ?? null;
}

/** Content of a file, with enums as names of constants. */
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
