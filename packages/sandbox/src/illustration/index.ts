export {
	circle,
	DEFINITIONS,
	drawScene,
	ellipse,
	MOTIFS,
	type MotifName,
	path,
	place,
	rect,
	SCENE_HEIGHT,
	SCENE_WIDTH,
} from './scene.js';
