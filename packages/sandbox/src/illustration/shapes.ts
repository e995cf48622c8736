/** Draws one kind of product as SVG markup. (0, 0) is the centre of its base; up is negative. */
export type Motif = (colours: MotifColours) => string;

/** The two colours of an object that depend on the scene; all others are materials. */
export interface MotifColours {
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
