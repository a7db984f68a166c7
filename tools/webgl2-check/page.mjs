// Runs generated GLSL on plain WebGL2: uploads a case, fills its palette if it has one, draws every vertex as a point
// onto its own texel, and reads the texels back. Bindings are taken from the comments above the shaders.

const gl = new OffscreenCanvas(1, 1).getContext('webgl2');

/** Texture formats: internal format, format, type, and the array type of the components. */
const TEXEL_FORMATS = {
  rgba16ui: ['RGBA16UI', 'RGBA_INTEGER', 'UNSIGNED_SHORT', Uint16Array],
  r32ui: ['R32UI', 'RED_INTEGER', 'UNSIGNED_INT', Uint32Array],
  rg32ui: ['RG32UI', 'RG_INTEGER', 'UNSIGNED_INT', Uint32Array],
  rgba32ui: ['RGBA32UI', 'RGBA_INTEGER', 'UNSIGNED_INT', Uint32Array],
};

/** Attribute formats: number of components, type, whether shaders read integers, whether integers are normalised. */
const ATTRIBUTE_FORMATS = {
  float32x2: [2, 'FLOAT', false, false],
  float32x3: [3, 'FLOAT', false, false],
  float32x4: [4, 'FLOAT', false, false],
  unorm16x4: [4, 'UNSIGNED_SHORT', false, true],
  uint32x4: [4, 'UNSIGNED_INT', true, false],
};

/** Runs every case, in order. */
export function run({ columns, cases }) {
  if (gl === null) {
    throw new Error('this browser has no WebGL2: start it with --use-angle=swiftshader --enable-unsafe-swiftshader');
  }
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const renderer = gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
  return { renderer, cases: cases.map((one) => runCase(one, columns)) };
}

function runCase({ name, ...data }, columns) {
  try {
    const blocks = mapValues(data.blocks, uniformBuffer);
    let textures = mapValues(data.textures, texture);
    if (data.palette) {
      const target = wordTarget(columns, data.palette.rows);
      fillPalette(data.palette, target, blocks, textures, columns);
      // Vertex shaders bind the palette in the slot where the palette pass binds the set.
      textures = { ...textures, [data.palette.binding]: target };
    }
    return { name, ...capture(data, blocks, textures, columns) };
  } catch (error) {
    throw new Error(`case '${name}': ${error.message}`);
  }
}

/** Draws one triangle that covers the target. Each texel is a row of a joint's matrix. */
function fillPalette({ vertex, fragment, rows }, target, blocks, textures, columns) {
  drawInto([target], columns, rows);
  bind(program(vertex, fragment), blocks, textures);
  gl.bindVertexArray(gl.createVertexArray());
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  checkNoError('the palette pass');
}

/** Captures the positions and normals of all vertices of all instances. */
function capture({ vertices, instances, rows, buffers, attributes, draws }, blocks, textures, columns) {
  const targets = [wordTarget(columns, rows), wordTarget(columns, rows)];
  drawInto(targets, columns, rows);
  bindAttributes(attributes, mapValues(buffers, (bytes) => buffer(gl.ARRAY_BUFFER, bytes)));
  for (const { vertex, fragment, parts } of draws) {
    bind(program(vertex, fragment), blocks, textures);
    for (const { first, count } of parts) {
      gl.drawArraysInstanced(gl.POINTS, first, count, instances);
    }
  }
  checkNoError('the draws');
  const [positions, normals] = targets.map((_, index) => readVectors(index, vertices * instances, columns, rows));
  return { positions, normals };
}

/** Reads the first three floats of each texel. GL counts rows from the bottom, captures from the top. */
function readVectors(attachment, count, columns, rows) {
  const words = new Uint32Array(columns * rows * 4);
  gl.readBuffer(gl.COLOR_ATTACHMENT0 + attachment);
  gl.readPixels(0, 0, columns, rows, gl.RGBA_INTEGER, gl.UNSIGNED_INT, words);
  checkNoError('reading back');
  const floats = new Float32Array(words.buffer);
  const vectors = [];
  for (let texel = 0; texel < count; texel++) {
    const row = rows - 1 - Math.floor(texel / columns);
    const at = 4 * (row * columns + (texel % columns));
    // The fourth word of positions is the tangent.
    if (attachment === 1 && words[at + 3] !== 1) {
      throw new Error(`vertex ${texel} of all instances together was not drawn`);
    }
    vectors.push(floats[at], floats[at + 1], floats[at + 2]);
  }
  return vectors;
}

function program(vertex, fragment) {
  const made = gl.createProgram();
  for (const [stage, source] of [['VERTEX_SHADER', vertex], ['FRAGMENT_SHADER', fragment]]) {
    const shader = gl.createShader(gl[stage]);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) {
      const title = source.split('\n', 2)[1];
      throw new Error(`${stage} does not compile (${title}):\n${gl.getShaderInfoLog(shader)}`);
    }
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) {
    throw new Error(`the program does not link:\n${gl.getProgramInfoLog(made)}`);
  }
  return { made, bound: [...boundIn(vertex), ...boundIn(fragment)] };
}

/** Bindings in the comment above a shader: the name in GLSL, and the slot as `group.binding`. */
function boundIn(source) {
  const line = /^\/\/ +(uniform block|texture) (\S+) +.*\(group (\d+), binding (\d+)\)(?::.*)?$/gm;
  return [...source.matchAll(line)].map(([, kind, name, group, binding]) => ({
    kind,
    name,
    slot: `${group}.${binding}`,
  }));
}

/** Uses a program and binds its resources. Both stages share the slots. */
function bind({ made, bound }, blocks, textures) {
  gl.useProgram(made);
  const slots = [...new Set(bound.map(({ slot }) => slot))];
  for (const { kind, name, slot } of bound) {
    const number = slots.indexOf(slot);
    const resource = (kind === 'texture' ? textures : blocks)[slot];
    if (!resource) {
      throw new Error(`the shader reads ${kind} '${name}' at ${slot}, which the case does not provide`);
    }
    if (kind === 'texture') {
      gl.activeTexture(gl.TEXTURE0 + number);
      gl.bindTexture(resource.target, resource.texture);
      gl.uniform1i(gl.getUniformLocation(made, name), number);
      continue;
    }
    const index = gl.getUniformBlockIndex(made, name);
    if (index !== gl.INVALID_INDEX) {
      gl.uniformBlockBinding(made, index, number);
      gl.bindBufferBase(gl.UNIFORM_BUFFER, number, resource);
    }
  }
}

function bindAttributes(attributes, buffers) {
  gl.bindVertexArray(gl.createVertexArray());
  for (const { buffer: name, location, format, offset, stride, instanced } of attributes) {
    const [components, type, isInteger, isNormalized] = ATTRIBUTE_FORMATS[format];
    gl.bindBuffer(gl.ARRAY_BUFFER, buffers[name]);
    gl.enableVertexAttribArray(location);
    if (isInteger) {
      gl.vertexAttribIPointer(location, components, gl[type], stride, offset);
    } else {
      gl.vertexAttribPointer(location, components, gl[type], isNormalized, stride, offset);
    }
    gl.vertexAttribDivisor(location, instanced ? 1 : 0);
  }
}

function buffer(target, bytes) {
  const made = gl.createBuffer();
  gl.bindBuffer(target, made);
  gl.bufferData(target, Uint8Array.fromBase64(bytes), gl.STATIC_DRAW);
  return made;
}

function uniformBuffer(bytes) {
  return buffer(gl.UNIFORM_BUFFER, bytes);
}

/** Uploads a texture of a case: an array texture if it has layers. */
function texture({ format, size: [width, height, layers], texels }) {
  const [internal, external, type, Words] = TEXEL_FORMATS[format];
  const words = new Words(Uint8Array.fromBase64(texels).buffer);
  const target = layers ? gl.TEXTURE_2D_ARRAY : gl.TEXTURE_2D;
  const made = emptyTexture(target);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  if (layers) {
    gl.texImage3D(target, 0, gl[internal], width, height, layers, 0, gl[external], gl[type], words);
  } else {
    gl.texImage2D(target, 0, gl[internal], width, height, 0, gl[external], gl[type], words);
  }
  checkNoError(`uploading a ${format} texture`);
  return { target, texture: made };
}

/** Creates an RGBA32UI texture that a pass fills. */
function wordTarget(columns, rows) {
  const made = emptyTexture(gl.TEXTURE_2D);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32UI, columns, rows);
  return { target: gl.TEXTURE_2D, texture: made };
}

/** Creates a texture without filtering, which integer textures require, and without mip levels. */
function emptyTexture(target) {
  const made = gl.createTexture();
  gl.bindTexture(target, made);
  gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(target, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  return made;
}

function drawInto(targets, columns, rows) {
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  const attachments = targets.map((_, index) => gl.COLOR_ATTACHMENT0 + index);
  attachments.forEach((attachment, index) => {
    gl.framebufferTexture2D(gl.FRAMEBUFFER, attachment, gl.TEXTURE_2D, targets[index].texture, 0);
  });
  gl.drawBuffers(attachments);
  const status = gl.checkFramebufferStatus(gl.FRAMEBUFFER);
  if (status !== gl.FRAMEBUFFER_COMPLETE) {
    throw new Error(`cannot draw into RGBA32UI textures: framebuffer status 0x${status.toString(16)}`);
  }
  attachments.forEach((_, index) => gl.clearBufferuiv(gl.COLOR, index, [0, 0, 0, 0]));
  gl.viewport(0, 0, columns, rows);
}

function checkNoError(what) {
  const error = gl.getError();
  if (error !== gl.NO_ERROR) {
    throw new Error(`${what}: GL error 0x${error.toString(16)}`);
  }
}

function mapValues(object, make) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, make(value)]));
}
