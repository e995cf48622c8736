export {
	circle,
	DEFINITIONS,
	drawMotif,
	drawScene,
	ellipse,
	type MotifName,
	path,
	place,
	rect,
	SCENE_HEIGHT,
	SCENE_WIDTH,
} from './scene.js';
