import type { SeedProduct } from '../seed/products.js';
import { MOTIFS } from './motifs.js';
import { type Palette, paletteOf } from './palettes.js';
import { circle, DEFINITIONS, ellipse, path, place, rect } from './shapes.js';

export const SCENE_WIDTH = 400;
export const SCENE_HEIGHT = 500;
const TABLE_TOP = 404;

/** Mountain outlines from left to right, above the table's edge. */
const RIDGES = [
	[120, 210, 96, 262, 150, 196],
	[220, 130, 246, 110, 176, 90],
	[96, 168, 236, 128, 204, 148],
	[178, 262, 118, 182, 98, 216],
] as const;

/** Draws a product's shop picture as an SVG document. The result is always the same for the same product. */
export function drawScene({ pid, category, motif }: Pick<SeedProduct, 'pid' | 'category' | 'motif'>): string {
	const number = Number(pid.slice(2));
	const palette = paletteOf({ pid, category });
	return (
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SCENE_WIDTH} ${SCENE_HEIGHT}" width="${SCENE_WIDTH}" height="${SCENE_HEIGHT}">${DEFINITIONS}` +
		backdrop(palette, number) +
		ellipse(212, TABLE_TOP + 24, 164, 14, '#00000038') +
		place(MOTIFS[motif](palette), 200, TABLE_TOP + 22, 0, 1.12) +
		'</svg>'
	);
}

function backdrop(palette: Palette, number: number): string {
	return (
		rect(0, 0, SCENE_WIDTH, SCENE_HEIGHT, palette.wall) +
		circle(70 + ((number * 83) % 260), 84 + ((number * 37) % 60), 38 + ((number * 13) % 22), palette.sun) +
		ridge(RIDGES[number % RIDGES.length] ?? RIDGES[0], palette.farRidge) +
		ridge(RIDGES[(number + 2) % RIDGES.length] ?? RIDGES[0], palette.nearRidge, 0.55) +
		rect(0, TABLE_TOP, SCENE_WIDTH, SCENE_HEIGHT - TABLE_TOP, palette.table) +
		rect(0, TABLE_TOP, SCENE_WIDTH, 5, '#ffffff1f')
	);
}

function ridge(heights: readonly number[], fill: string, scale = 1): string {
	const step = SCENE_WIDTH / (heights.length - 1);
	const points = heights.map((height, index) => `L${index * step} ${TABLE_TOP - height * scale}`);
	return path(`M0 ${TABLE_TOP} ${points.join(' ')} L${SCENE_WIDTH} ${TABLE_TOP} Z`, fill);
}
