import { DEFINITIONS, drawMotif } from 'product-reviews-sandbox/illustration';

/** Colors of the picture on the front page, from far to near. */
interface HeroColors {
	readonly sky: string;
	readonly sun: string;
	readonly ridges: readonly [string, string, string];
	readonly table: string;
}

const DAY: HeroColors = {
	sky: '#d6e4df',
	sun: '#f6c46b',
	ridges: ['#b4cec7', '#86aca4', '#56857d'],
	table: '#1d4638',
};

const NIGHT: HeroColors = {
	sky: '#14262b',
	sun: '#f3dfb1',
	ridges: ['#1d363c', '#254750', '#2f5a60'],
	table: '#13251e',
};

const RIDGES = [
	'M0 470 L210 400 L420 500 L700 320 L860 420 L1100 130 L1290 330 L1430 240 L1600 380 V640 H0 Z',
	'M0 560 L260 490 L520 580 L780 440 L930 520 L1160 330 L1330 470 L1480 380 L1600 470 V640 H0 Z',
	'M0 620 L330 570 L600 620 L860 550 L1060 610 L1300 520 L1600 610 V640 H0 Z',
];

/** The objects on the table: motif, distance from the left, size, colors. */
const STILL_LIFE = [
	['notebook', 690, 0.7, '#223f54', '#f0a63e'],
	['planter', 862, 1.06, '#df8a5c', '#f0a63e'],
	['kettle', 1082, 1.08, '#c4482f', '#f0a63e'],
	['candle', 1304, 0.96, '#223f54', '#f0a63e'],
	['fox', 1474, 0.92, '#c4482f', '#f2c14e'],
] as const;

/** The front page's picture: a table in front of the mountains, by day and by night. */
export function drawHero(time: 'day' | 'night'): string {
	const colors = time === 'day' ? DAY : NIGHT;
	const things = STILL_LIFE.map(([name, x, scale, main, accent]) => {
		const drawn = drawMotif(name, { main, accent });
		const object = `<g transform="translate(${x} 690) rotate(0) scale(${scale})">${drawn}</g>`;
		return ellipse(x + 12, 690, 118 * scale, 11, '#00000040') + object;
	});
	return (
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 760">${DEFINITIONS}` +
		rect(0, 0, 1600, 760, colors.sky) +
		ellipse(1390, 150, 78, 78, colors.sun) +
		RIDGES.map((ridge, index) => path(ridge, colors.ridges[index] ?? colors.table)).join('') +
		path('M1100 130 L1158 191 L1122 214 L1096 190 L1062 212 L1034 210 Z', '#ffffff66') +
		rect(0, 640, 1600, 120, colors.table) +
		rect(0, 640, 1600, 6, '#ffffff1f') +
		things.join('') +
		'</svg>'
	);
}

const rect = (x: number, y: number, width: number, height: number, fill: string) =>
	`<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="0" fill="${fill}"/>`;

const ellipse = (x: number, y: number, radiusX: number, radiusY: number, fill: string) =>
	`<ellipse cx="${x}" cy="${y}" rx="${radiusX}" ry="${radiusY}" fill="${fill}"/>`;

const path = (d: string, fill: string) => `<path d="${d}" fill="${fill}"/>`;
