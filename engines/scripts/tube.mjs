// A small character with all that the built-in ones lack: a texture with alpha, a morph target and a joint with scale.

import { deflateSync, crc32 } from './png.mjs';

const RINGS = 9;
const SIDES = 8;

function tube() {
  const [positions, normals, uvs, joints, weights, deltas, indices] = [[], [], [], [], [], [], []];
  for (let ring = 0; ring < RINGS; ring++) {
    const y = ring / (RINGS - 1);
    for (let side = 0; side <= SIDES; side++) {
      const angle = (2 * Math.PI * side) / SIDES;
      const [x, z] = [Math.cos(angle), Math.sin(angle)];
      positions.push(0.2 * x, y, 0.2 * z);
      normals.push(x, 0, z);
      uvs.push(side / SIDES, y);
      const upper = Math.min(Math.max(2 * y - 0.5, 0), 1);
      const isUpper = upper >= 0.5;
      joints.push(isUpper ? 1 : 0, isUpper ? 0 : 1, 0, 0);
      weights.push(isUpper ? upper : 1 - upper, isUpper ? 1 - upper : upper, 0, 0);
      const bulge = Math.sin(Math.PI * y);
      deltas.push(0.1 * x * bulge, 0, 0.1 * z * bulge);
      if (ring > 0 && side > 0) {
        const [a, b] = [(ring - 1) * (SIDES + 1) + side - 1, ring * (SIDES + 1) + side - 1];
        indices.push(a, b, a + 1, a + 1, b, b + 1);
      }
    }
  }
  return { positions, normals, uvs, joints, weights, deltas, indices };
}

/** A checkerboard of opaque green and clear texels. */
function image() {
  const side = 16;
  const rows = Buffer.alloc(side * (1 + 4 * side));
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const isClear = ((x >> 2) + (y >> 2)) % 4 === 0;
      rows.set([40, 200, 80, isClear ? 0 : 255], y * (1 + 4 * side) + 1 + 4 * x);
    }
  }
  const chunk = (kind, data) => {
    const body = Buffer.concat([Buffer.from(kind), data]);
    const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    crc.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, crc]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/**
 * The character as glTF with its buffer inside.
 *
 * @param {{ scale: boolean, morphs: boolean }} options - joints with animated scale, an animated morph target
 */
export function tubeGltf({ scale, morphs }) {
  const mesh = tube();
  const buffers = [];
  const bufferViews = [];
  const accessors = [];
  let length = 0;
  const view = (bytes) => {
    const data = Buffer.from(bytes.buffer ?? bytes, bytes.byteOffset, bytes.byteLength);
    const pad = Buffer.alloc((4 - (data.length % 4)) % 4);
    bufferViews.push({ buffer: 0, byteOffset: length, byteLength: data.length });
    buffers.push(data, pad);
    length += data.length + pad.length;
    return bufferViews.length - 1;
  };
  const accessor = (array, componentType, type, width) => {
    const extreme = (pick) => Array.from({ length: width }, (_, k) => array.filter((_, i) => i % width === k).reduce((a, b) => pick(a, b)));
    accessors.push({ bufferView: view(array), componentType, type, count: array.length / width, min: extreme(Math.min), max: extreme(Math.max) });
    return accessors.length - 1;
  };
  const floats = (numbers, type, width) => accessor(Float32Array.from(numbers), 5126, type, width);
  const attributes = {
    POSITION: floats(mesh.positions, 'VEC3', 3),
    NORMAL: floats(mesh.normals, 'VEC3', 3),
    TEXCOORD_0: floats(mesh.uvs, 'VEC2', 2),
    JOINTS_0: accessor(Uint8Array.from(mesh.joints), 5121, 'VEC4', 4),
    WEIGHTS_0: floats(mesh.weights, 'VEC4', 4),
  };
  const indices = accessor(Uint16Array.from(mesh.indices), 5123, 'SCALAR', 1);
  const targets = morphs ? [{ POSITION: floats(mesh.deltas, 'VEC3', 3) }] : undefined;
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
  const inverseBindMatrices = floats([...identity, 0, 0, 0, 1, ...identity, 0, -0.5, 0, 1], 'MAT4', 16);
  const keys = Array.from({ length: 17 }, (_, k) => k / 16);
  const input = floats(keys, 'SCALAR', 1);
  const wave = (f) => keys.flatMap((t) => f(Math.sin(2 * Math.PI * t)));
  const channel = (path, values, type, width, node = 1) => ({ target: { node, path }, output: floats(values, type, width) });
  const channels = [channel('rotation', wave((s) => [0, 0, Math.sin(0.4 * s), Math.cos(0.4 * s)]), 'VEC4', 4)];
  if (scale) {
    channels.push(channel('scale', wave((s) => [1 + 0.2 * s, 1 - 0.2 * s, 1]), 'VEC3', 3));
  }
  if (morphs) {
    channels.push(channel('weights', keys.map((t) => 0.5 - 0.5 * Math.cos(2 * Math.PI * t)), 'SCALAR', 1, 2));
  }
  const picture = view(image());
  const uri = `data:application/octet-stream;base64,${Buffer.concat(buffers).toString('base64')}`;
  return {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0, 2] }],
    nodes: [{ name: 'lower', children: [1] }, { name: 'upper', translation: [0, 0.5, 0] }, { name: 'tube', mesh: 0, skin: 0 }],
    meshes: [{ primitives: [{ attributes, indices, material: 0, targets }], weights: morphs ? [0] : undefined }],
    skins: [{ joints: [0, 1], inverseBindMatrices }],
    materials: [
      {
        name: 'checks',
        pbrMetallicRoughness: { baseColorTexture: { index: 0 }, metallicFactor: 0 },
        alphaMode: 'MASK',
        alphaCutoff: 0.5,
        doubleSided: true,
      },
    ],
    textures: [{ source: 0 }],
    images: [{ bufferView: picture, mimeType: 'image/png' }],
    animations: [
      {
        name: 'sway',
        channels: channels.map(({ target }, sampler) => ({ target, sampler })),
        samplers: channels.map(({ output }) => ({ input, output })),
      },
    ],
    buffers: [{ uri, byteLength: length }],
    bufferViews,
    accessors,
  };
}
