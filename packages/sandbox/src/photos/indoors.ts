import { circle, each, ellipse, path, rect } from '../illustration/shapes.js';
import { type Drawing, upTo, wall } from './frame.js';

/** Tiles in several shades of white, with pans hanging from a rail. */
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

/** A window with daylight, a curtain and a plant. */
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

/** A nursery wall with dots, bunting and balls. */
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

/** Indoor backgrounds. */
export const INDOORS = { tiles, daylight, shelves, nursery };
