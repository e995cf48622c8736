import { circle, each, ellipse, path, rect } from '../illustration/shapes.js';
import type { Drawing, Frame } from './frame.js';

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

const wall = ({ width, horizon }: Frame, fill: string) => rect(-60, -60, width + 120, horizon + 60, fill);

/** White tiles, not all of one white, and what hangs on the rail. */
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

/** A window with daylight, a curtain beside it and a plant before it. */
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

/** Shelves with books, jars and boxes. */
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

/** A hedge, blossoms, and the sky in the gaps. */
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

/** Mountains behind each other, the far ones pale. */
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

/** Trunks of a wood, with light between them. */
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

/** A nursery's wall with dots, bunting and a box of toys. */
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

/** What may stand behind a product. */
export const BACKGROUNDS = { tiles, daylight, shelves, hedge, mountains, wood, nursery };
