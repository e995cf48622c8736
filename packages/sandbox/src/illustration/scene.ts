import motifs from '../data/motifs.json' with { type: 'json' };
import type { ProductCategory, SeedProduct } from '../seed/products.js';

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
		place(drawMotif(motif, palette), 200, TABLE_TOP + 22, 0, 1.12) +
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

/** The two colours of an object that depend on the scene; all others are materials. */
interface MotifColours {
	readonly main: string;
	readonly accent: string;
}

/** The side shadow: a hard edge down the right side of each shape that is filled with `url(#side)`. */
export const DEFINITIONS =
	'<defs><linearGradient id="side"><stop offset=".6" stop-opacity="0"/><stop offset=".6" stop-opacity=".15"/></linearGradient></defs>';

export const rect = (x: number, y: number, width: number, height: number, fill: string, radius = 0) =>
	`<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`;

export const ellipse = (x: number, y: number, radiusX: number, radiusY: number, fill: string) =>
	`<ellipse cx="${x}" cy="${y}" rx="${radiusX}" ry="${radiusY}" fill="${fill}"/>`;

export const circle = (x: number, y: number, radius: number, fill: string) =>
	ellipse(x, y, radius, radius, fill);

export const path = (d: string, fill: string) => `<path d="${d}" fill="${fill}"/>`;

/** Moves, rotates (degrees) and scales the inner markup. */
export const place = (inner: string, x: number, y: number, degrees = 0, scale = 1) =>
	`<g transform="translate(${x} ${y}) rotate(${degrees}) scale(${scale})">${inner}</g>`;

/** Draws markup for each number. */
export const each = (numbers: readonly number[], draw: (number: number) => string) =>
	numbers.map(draw).join('');

/** The colours of one scene, from far to near. */
export interface Palette extends MotifColours {
	readonly wall: string;
	readonly sun: string;
	readonly farRidge: string;
	readonly nearRidge: string;
	readonly table: string;
}

const palette = (
	[wall, sun, farRidge, nearRidge, table]: [string, string, string, string, string],
	main: string,
	accent: string,
): Palette => ({ wall, sun, farRidge, nearRidge, table, main, accent });

/** Each category has a light and a dark scene, so that a category page does not look monotonous. */
const PALETTES: Readonly<Record<ProductCategory, readonly [Palette, Palette]>> = {
	kitchen: [
		palette(['#f3d6c6', '#fbf0e4', '#ebbfa8', '#dfa288', '#a8402d'], '#1f4f5e', '#efa53e'),
		palette(['#c4482f', '#f0b79c', '#b43f28', '#9f3522', '#6d2217'], '#f3e8d5', '#f0b04a'),
	],
	home: [
		palette(['#f1d59a', '#fdf4e0', '#e8bf70', '#dcaa52', '#85552a'], '#2c4d5c', '#b7492f'),
		palette(['#d5ddd3', '#f3cb94', '#bdcabd', '#a3b5a5', '#5d7264'], '#b5532f', '#24483e'),
	],
	garden: [
		palette(['#d3e3c6', '#f8dd98', '#aecb9f', '#8ab281', '#3d6a49'], '#b9552f', '#f0dfb8'),
		palette(['#2e604c', '#e9b64f', '#285441', '#204736', '#152f28'], '#dc7a4b', '#f0e2b6'),
	],
	outdoor: [
		palette(['#c0dbe6', '#fce8c0', '#93bccf', '#6396b0', '#2d586c'], '#d9572f', '#f2b740'),
		palette(['#205068', '#f3d9a4', '#1b4458', '#16384b', '#0f2938'], '#f0a63e', '#e6eef0'),
	],
	desk: [
		palette(['#dad5e5', '#f8e6cc', '#beb6d1', '#a299bc', '#54476e'], '#dc7338', '#322d4a'),
		palette(['#3d3c60', '#e9aa7f', '#343352', '#2b2a45', '#1e1d32'], '#ebe0cf', '#e27d43'),
	],
	kids: [
		palette(['#fadcd3', '#fff4cb', '#f3bdb1', '#ea9f95', '#b84a5f'], '#2d7c8c', '#f2b63f'),
		palette(['#f3c647', '#fff1c6', '#ebb530', '#dfa11f', '#cf6a26'], '#cf4747', '#1f5f7a'),
	],
};

/** The colours of a seeded product: its number selects the light or the dark scene of its category. */
export function paletteOf({ pid, category }: Pick<SeedProduct, 'pid' | 'category'>): Palette {
	return PALETTES[category][Number(pid.slice(2)) % 2 === 0 ? 1 : 0];
}

/** The object shown in a product's picture: one of `data/motifs.json`. */
export type MotifName = string;

/** The markup of the objects, with places for the two colours that depend on the scene. */
const MOTIFS: Readonly<Record<string, string>> = motifs;

/**
 * Draws an object as SVG markup. (0, 0) is the centre of its base; up is negative.
 * @throws Error if there is none of this name.
 */
export function drawMotif(name: MotifName, { main, accent }: MotifColours): string {
	const markup = MOTIFS[name];
	if (markup === undefined) throw new Error(`There is no motif "${name}".`);
	return markup.replaceAll('{main}', main).replaceAll('{accent}', accent);
}
