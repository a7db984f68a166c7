// Vertices as the vertex shader of a crowd computes them, read back from a float texture.

import * as THREE from 'three';

const COLUMNS = 2048;

/** A material that draws each vertex as a point onto its own texel. It changes the shader as users do. */
export function captureMaterial(vertices, rows) {
  const material = new THREE.MeshBasicMaterial({ blending: THREE.NoBlending, depthTest: false });
  material.userData.what = { value: 0 };
  material.onBeforeCompile = (shader) => {
    shader.uniforms.capturedWhat = material.userData.what;
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nuniform int capturedWhat;\nvarying vec3 captured;')
      .replace(
        '#include <project_vertex>',
        `#include <project_vertex>
         vec4 placed = modelMatrix * instanceMatrix * vec4(transformed, 1.0);
         captured = capturedWhat == 0 ? placed.xyz : throngVertex.normal;
         int texel = gl_VertexID + gl_InstanceID * ${vertices};
         vec2 centre = (vec2(ivec2(texel % ${COLUMNS}, texel / ${COLUMNS})) + 0.5) / vec2(${COLUMNS}.0, ${rows}.0);
         gl_Position = vec4(2.0 * centre - 1.0, 0.0, 1.0);
         gl_PointSize = 1.0;`,
      );
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nvarying vec3 captured;')
      .replace('#include <dithering_fragment>', '#include <dithering_fragment>\ngl_FragColor = vec4(captured, 1.0);');
  };
  return material;
}

/** Positions and normals of all vertices of all instances of each part of a crowd. */
export function capture(renderer, crowd, what, rows) {
  return crowd.children.map((mesh) => {
    const points = new THREE.Points(mesh.geometry, mesh.material);
    points.frustumCulled = false;
    points.onBeforeRender = mesh.onBeforeRender;
    const scene = new THREE.Scene();
    scene.add(points);
    const target = new THREE.WebGLRenderTarget(COLUMNS, rows, { type: THREE.FloatType, minFilter: THREE.NearestFilter, magFilter: THREE.NearestFilter });
    const found = [0, 1].map((value) => {
      what.value = value;
      renderer.setRenderTarget(target);
      renderer.clear();
      renderer.render(scene, new THREE.PerspectiveCamera());
      const pixels = new Float32Array(4 * COLUMNS * rows);
      renderer.readRenderTargetPixels(target, 0, 0, COLUMNS, rows, pixels);
      renderer.setRenderTarget(null);
      const count = mesh.geometry.attributes.position.count * crowd.count;
      return Array.from({ length: 3 * count }, (_, k) => pixels[4 * Math.floor(k / 3) + (k % 3)]);
    });
    target.dispose();
    return { positions: found[0], normals: found[1] };
  });
}
