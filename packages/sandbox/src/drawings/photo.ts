import { createHash } from 'node:crypto';
import photos from '../data/photos.json' with { type: 'json' };
import type { ProductCategory, SeedProduct } from '../seed/products.js';
import { createRandom, type Random } from '../seed/random.js';
import { circle, drawMotif, each, ellipse, fill, paletteOf, path, place, rect } from './illustration.js';

/**
 * Draws a customer's snapshot of a product, as an SVG document of 900 by 1,200 pixels or the other way round. The place,
 * the tilt and the light vary.
 *
 * @param key The same key always produces the same picture.
 */
export function drawPhoto(
	{ pid, motif, category }: Pick<SeedProduct, 'pid' | 'motif' | 'category'>,
	key: string,
): string {
	const random = createRandom(createHash('sha256').update(key).digest().readUInt32LE());
	const frame = frameOf(random);
	const { width, height, horizon } = frame;
	const [background, surface] = random.pick(PLACES[category]);
	const size = Math.min(width, height * 0.82) * (0.0022 + random.next() * 0.0008);
	const x = width * (0.4 + random.next() * 0.2);
	const foot = horizon + (height - horizon) * (0.42 + random.next() * 0.22);
	const product = place(drawMotif(motif, paletteOf({ pid, category })), 0, 0, random.between(-4, 4), size);
	const scene =
		`<g filter="url(#far)">${BACKGROUNDS[background](frame)}</g>${drawSurface(photos.surfaces[surface], frame)}` +
		`<g filter="url(#near)" opacity=".55">${ellipse(x + 26, foot + 6, 105 * size, 15 * size, '#000')}</g>` +
		`<g transform="translate(${x} ${foot})${random.chance(0.3) ? ' scale(-1 1)' : ''}">${product}</g>`;
	const [midX, midY] = [width / 2, height / 2];
	return (
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">` +
		lensDefinitions(frame) +
		`<g transform="translate(${midX} ${midY}) rotate(${random.between(-3, 3)}) scale(1.08) translate(${-midX} ${-midY})">${scene}</g>` +
		`${lensEffects(frame)}</svg>`
	);
}

interface Frame {
	readonly width: number;
	readonly height: number;
	/** Distance from the top to the edge between background and surface. */
	readonly horizon: number;
	readonly random: Random;
}

type Drawing = (frame: Frame) => string;

/** Creates a frame, more often in portrait than in landscape, as with phones. */
function frameOf(random: Random): Frame {
	const [width, height] = random.chance(0.6) ? [900, 1200] : [1200, 900];
	return { width, height, horizon: Math.round(height * (0.5 + random.next() * 0.14)), random };
}

function wall({ width, horizon }: Frame, fill: string): string {
	return rect(-60, -60, width + 120, horizon + 60, fill);
}

function upTo(count: number): number[] {
	return Array.from({ length: count }, (_, index) => index);
}

/** Gradients and filters that every photo uses. Its side shadow is soft, unlike that of the illustrations. */
function lensDefinitions({ random }: Frame): string {
	const [x, y] = [random.chance(0.5) ? 0.12 : 0.88, random.next() * 0.35];
	return fill(photos.lens.definitions, { x, y, blur: random.between(9, 17) });
}

/** Light, tone, vignette and sensor noise, drawn over everything else. */
function lensEffects({ width, height, random }: Frame): string {
	const tone = random.pick(photos.tones);
	return fill(photos.lens.effects, { width, height, tone, strength: 0.1 + random.next() * 0.12 });
}

/** Material of a surface that a product may stand on: one of `data/photos.json`. */
interface Material {
	readonly fills: readonly string[];
	/** Texture cells per pixel, horizontally and vertically. */
	readonly grain: readonly number[];
	/** Strength of the texture, 0 to 1. */
	readonly depth: number;
	readonly texture: string;
}

function drawSurface({ fills, grain, depth, texture }: Material, frame: Frame): string {
	const { width, height, horizon, random } = frame;
	const box = [-60, horizon, width + 120, height - horizon + 60] as const;
	return (
		fill(photos.grain, { grain: grain.join(' '), seed: random.between(1, 999) }) +
		rect(...box, random.pick(fills)) +
		`<g opacity="${depth}"><rect x="${box[0]}" y="${box[1]}" width="${box[2]}" height="${box[3]}" fill="${texture}" filter="url(#grain)"/></g>` +
		// Darker and blurrier in the distance; slightly lit near the camera.
		rect(...box, 'url(#depth)')
	);
}

const tiles: Drawing = (frame) => {
	const { width, horizon, random } = frame;
	const side = 150;
	const rows = upTo(Math.ceil(horizon / side) + 1);
	const tile = (row: number) =>
		each(upTo(Math.ceil(width / side) + 1), (column) =>
			rect(
				column * side - 40,
				horizon - (row + 1) * side,
				side - 7,
				side - 7,
				random.pick(['#eef0ea', '#e6eae6', '#f4f3ee', '#dfe6e4']),
				8,
			),
		);
	const pan = (x: number, size: number) =>
		rect(x - 7, 20, 14, 150, '#3a3f42', 7) + circle(x, 160 + size, size, '#4a4f53');
	return (
		wall(frame, '#c3cac6') +
		each(rows, tile) +
		pan(width * 0.16, 70) +
		pan(width * 0.86, random.between(50, 95))
	);
};

const daylight: Drawing = (frame) => {
	const { width, horizon, random } = frame;
	const tint = random.pick(['#d8cfc0', '#c9d0cb', '#d9c7b8', '#bfc9d2']);
	const left = width * (random.chance(0.5) ? 0.06 : 0.5);
	const pane = (x: number, y: number) => rect(x, y, width * 0.2, horizon * 0.38, '#fbfdff');
	const leaves = each(upTo(7), (leaf) =>
		ellipse(
			width * 0.88 + Math.cos(leaf) * 70,
			horizon - 170 - leaf * 24,
			62,
			30,
			leaf % 2 ? '#5d8560' : '#426b4b',
		),
	);
	return (
		wall(frame, tint) +
		rect(left - 24, 10, width * 0.46 + 20, horizon * 0.86, '#f3efe6') +
		each(
			[0, 1],
			(side) => pane(left + side * width * 0.22, 34) + pane(left + side * width * 0.22, 54 + horizon * 0.38),
		) +
		rect(left - 70, -40, 90, horizon, '#ffffff99') +
		leaves +
		path(`M${width * 0.83} ${horizon - 130} h${width * 0.11} l-18 132 h-${width * 0.08} Z`, '#b9694a')
	);
};

const shelves: Drawing = (frame) => {
	const { width, horizon, random } = frame;
	const colours = ['#b5573f', '#d9a44a', '#3f6271', '#7d8f69', '#e3d6bd', '#5b4a63', '#c9c4b8'];
	const shelf = (row: number) => {
		const bottom = horizon - 90 - row * 260;
		let x = 30;
		let things = '';
		while (x < width - 40) {
			const [wide, high] = [random.between(26, 92), random.between(90, 200)];
			things += rect(x, bottom - high, wide, high, random.pick(colours), 6);
			x += wide + (random.chance(0.2) ? random.between(30, 90) : 3);
		}
		return `${things}${rect(-60, bottom, width + 120, 26, '#8a6a49')}`;
	};
	return wall(frame, random.pick(['#cbbfae', '#e2dccf', '#a9b2ac'])) + each(upTo(3), shelf);
};

const nursery: Drawing = (frame) => {
	const { width, horizon, random } = frame;
	const colours = ['#e4664d', '#f2b63f', '#2d7c8c', '#7fae6b', '#f6e8d2'];
	const flag = (place: number) =>
		path(
			`M${place * 120 - 40} ${70 + (place % 4) * 14} h96 l-48 104 Z`,
			colours[place % colours.length] ?? '#fff',
		);
	const dot = () => circle(random.between(0, width), random.between(0, horizon), 11, '#ffffffb0');
	const ball = () =>
		circle(random.between(0, width), horizon - 34, random.between(34, 66), random.pick(colours));
	return (
		wall(frame, random.pick(['#f4d9c9', '#cfe2e0', '#f3e3b3'])) +
		each(upTo(40), dot) +
		each(upTo(11), flag) +
		each(upTo(5), ball)
	);
};

const hedge: Drawing = (frame) => {
	const { width, horizon, random } = frame;
	const greens = ['#4f7f4c', '#3c6a41', '#6d9a58', '#2f5637', '#86ad66'];
	const leaf = () =>
		circle(
			random.between(-40, width),
			random.between(60, horizon + 30),
			random.between(24, 110),
			random.pick(greens),
		);
	const light = () =>
		circle(
			random.between(0, width),
			random.between(0, horizon),
			random.between(8, 30),
			random.pick(['#fff8d8aa', '#f6c9d4cc', '#ffffff88']),
		);
	return wall(frame, '#cfe3ea') + each(upTo(60), leaf) + each(upTo(26), light);
};

const mountains: Drawing = (frame) => {
	const { width, horizon, random } = frame;
	const ridge = (height: number, fill: string) => {
		const points = upTo(9).map(
			(step) => `L${(width / 8) * step} ${horizon - height * (0.45 + random.next() * 0.75)}`,
		);
		return path(`M0 ${horizon + 40} ${points.join(' ')} L${width} ${horizon + 40} Z`, fill);
	};
	const [sky, sun] = random.pick([
		['#bcd8e8', '#ffffff'],
		['#f2cfa6', '#fff1cf'],
		['#9fb9cc', '#f5f1e6'],
	] as const);
	return (
		wall(frame, sky) +
		circle(width * random.next(), horizon * 0.3, 80, sun) +
		ridge(horizon * 0.72, '#8fabbd') +
		ridge(horizon * 0.5, '#5f8192') +
		ridge(horizon * 0.26, '#3d5f58')
	);
};

const wood: Drawing = (frame) => {
	const { width, horizon, random } = frame;
	const trunk = (place: number) =>
		rect(
			(width / 9) * place + random.between(-30, 30),
			-60,
			random.between(18, 58),
			horizon + 90,
			random.pick(['#4a3b2f', '#5f4c3b', '#372d26']),
		);
	const light = () =>
		circle(
			random.between(0, width),
			random.between(0, horizon),
			random.between(14, 70),
			random.pick(['#e6edb0aa', '#b9d089aa', '#7fa46aaa']),
		);
	return wall(frame, '#93ad7c') + each(upTo(30), light) + each(upTo(10), trunk) + each(upTo(16), light);
};

const BACKGROUNDS = { tiles, daylight, shelves, nursery, hedge, mountains, wood };

const PLACES = photos.places as unknown as Readonly<
	Record<ProductCategory, readonly (readonly [keyof typeof BACKGROUNDS, keyof typeof photos.surfaces])[]>
>;
