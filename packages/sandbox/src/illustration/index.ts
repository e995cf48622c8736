export { MOTIFS, type MotifName } from './motifs.js';
export { drawScene, SCENE_HEIGHT, SCENE_WIDTH } from './scene.js';
export { circle, DEFINITIONS, ellipse, path, place, rect } from './shapes.js';
