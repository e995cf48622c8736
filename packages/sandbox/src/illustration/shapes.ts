/** Draws one kind of product as SVG markup. (0, 0) is the centre of its base; up is negative. */
export type Motif = (colours: MotifColours) => string;

/** The two colours of an object that depend on the scene; all others are materials. */
export interface MotifColours {
	readonly main: string;
	readonly accent: string;
}

/** Colours of things that look the same in every scene. */
export const MATERIALS = {
	oak: '#c8965a',
	oakDark: '#9c6d39',
	birch: '#e6c795',
	walnut: '#6b4529',
	iron: '#2a2e31',
	steel: '#b9c2c6',
	brass: '#cf9f45',
	copper: '#c2703f',
	clay: '#bf6440',
	linen: '#efe5d2',
	leaf: '#4d7d54',
	leafDark: '#2f5a40',
	leather: '#a5683a',
	glass: '#dfeaea',
	glow: '#ffe3a0',
} as const;

/** Fill of the side shadow: a hard edge down the right side of each shape. Defined in `DEFINITIONS`. */
const SIDE_SHADE = 'url(#side)';

export const DEFINITIONS =
	'<defs><linearGradient id="side"><stop offset=".6" stop-opacity="0"/><stop offset=".6" stop-opacity=".15"/></linearGradient></defs>';

export const rect = (x: number, y: number, width: number, height: number, fill: string, radius = 0) =>
	`<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`;

export const ellipse = (x: number, y: number, radiusX: number, radiusY: number, fill: string) =>
	`<ellipse cx="${x}" cy="${y}" rx="${radiusX}" ry="${radiusY}" fill="${fill}"/>`;

export const circle = (x: number, y: number, radius: number, fill: string) =>
	ellipse(x, y, radius, radius, fill);

export const path = (d: string, fill: string) => `<path d="${d}" fill="${fill}"/>`;

export const line = (d: string, stroke: string, width = 4) =>
	`<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;

/** Shapes with a side shadow. */
export const solid = {
	rect: (x: number, y: number, width: number, height: number, fill: string, radius = 0) =>
		rect(x, y, width, height, fill, radius) + rect(x, y, width, height, SIDE_SHADE, radius),
	ellipse: (x: number, y: number, radiusX: number, radiusY: number, fill: string) =>
		ellipse(x, y, radiusX, radiusY, fill) + ellipse(x, y, radiusX, radiusY, SIDE_SHADE),
	path: (d: string, fill: string) => path(d, fill) + path(d, SIDE_SHADE),
};

/** Moves, rotates (degrees) and scales the inner markup. */
export const place = (inner: string, x: number, y: number, degrees = 0, scale = 1) =>
	`<g transform="translate(${x} ${y}) rotate(${degrees}) scale(${scale})">${inner}</g>`;

/** The markup and its mirror image. */
export const bothSides = (inner: string) => `${inner}<g transform="scale(-1 1)">${inner}</g>`;

/** Draws markup for each number. */
export const each = (numbers: readonly number[], draw: (number: number) => string) =>
	numbers.map(draw).join('');
