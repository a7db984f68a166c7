// The whole of what a page needs: load a set, place a crowd, play it.

import { Color, DirectionalLight, Fog, HemisphereLight, Matrix4, Mesh, MeshStandardMaterial, PerspectiveCamera, PlaneGeometry, Scene, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { loadThrong, ThrongCrowd } from 'throng-three';

export const scene = new Scene();
export const camera = new PerspectiveCamera(38, 1, 0.5, 400);
export const renderer = new WebGLRenderer({ canvas: document.getElementById('view'), antialias: true });
export const controls = new OrbitControls(camera, renderer.domElement);
camera.position.set(9, 6.5, 17);
controls.target.set(0, 0.6, 0);
controls.maxPolarAngle = 1.5;
controls.enableDamping = true;

const sun = new DirectionalLight(0xfff2e0, 2.6);
sun.position.set(-30, 50, 20);
sun.castShadow = renderer.shadowMap.enabled = true;
sun.shadow.mapSize.setScalar(2048);
Object.assign(sun.shadow.camera, { left: -32, right: 32, top: 32, bottom: -32, far: 140 });
scene.add(sun, new HemisphereLight(0xdfeaf5, 0x8a8378, 1.6));
export const ground = new Mesh(new PlaneGeometry(800, 800).rotateX(-Math.PI / 2), new MeshStandardMaterial({ roughness: 1 }));
ground.receiveShadow = true;
scene.add(ground);

let crowd = null;

/** Replaces the crowd: characters on a grid, each a little off its place, with its own tint, speed and time. */
export async function showCrowd(url, count, clip) {
  const set = await loadThrong(url);
  crowd?.removeFromParent();
  crowd?.dispose();
  crowd = new ThrongCrowd(set, { count });
  crowd.castShadow = true;
  const side = Math.ceil(Math.sqrt(count));
  const random = (k) => (Math.sin(k * 127.1) * 43758.5453) % 1;
  for (let i = 0; i < count; i++) {
    const [x, z] = [(i % side) - side / 2, Math.floor(i / side) - side / 2];
    const turn = new Matrix4().makeRotationY(0.5 * random(i + 0.5));
    crowd.setMatrixAt(i, turn.setPosition(1.3 * x + 0.45 * random(i), 0, 1.3 * z + 0.45 * random(i + 0.3)));
    crowd.setColorAt(i, new Color().setHSL(Math.abs(random(i + 0.7)), 0.35, 0.72 + 0.2 * random(i + 0.2)));
    crowd.setClip(i, clip, { offset: 4 * Math.abs(random(i + 0.9)), speed: 1 + 0.15 * random(i + 0.1) });
  }
  scene.add(crowd);
  return { set, crowd };
}

/** Lets everyone change to another clip. */
export function playClip(clip) {
  for (let i = 0; i < crowd.count; i++) {
    crowd.setClip(i, clip, { fade: 0.4, offset: Math.random() * 2 });
  }
}

export function paint(background, floor) {
  scene.background = new Color(background);
  scene.fog = new Fog(background, 30, 110);
  ground.material.color.set(floor);
}

export function frame(secs) {
  crowd?.update(secs);
  controls.update();
  renderer.render(scene, camera);
}
