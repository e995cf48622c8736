import motifs from '../data/motifs.json' with { type: 'json' };
import palettes from '../data/palettes.json' with { type: 'json' };
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

interface Palette extends MotifColours {
	readonly wall: string;
	readonly sun: string;
	readonly farRidge: string;
	readonly nearRidge: string;
	readonly table: string;
}

/** Each category has a light and a dark scene, so that a category page does not look monotonous. */
const PALETTES = palettes as unknown as Readonly<Record<ProductCategory, readonly [Palette, Palette]>>;

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
	return fill(markup, { main, accent });
}

/** Fills the places of a template, such as `{main}`. */
export function fill(template: string, values: Readonly<Record<string, string | number>>): string {
	return template.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}
