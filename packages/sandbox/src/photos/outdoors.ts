import { circle, each, path, rect } from '../illustration/shapes.js';
import { type Drawing, upTo, wall } from './frame.js';

/** A hedge with blossoms and gaps of sky. */
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

/** Mountain ranges, paler with distance. */
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

/** Tree trunks with light between them. */
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

/** Outdoor backgrounds. */
export const OUTDOORS = { hedge, mountains, wood };
