import {
	bothSides,
	circle,
	each,
	ellipse,
	line,
	MATERIALS,
	type Motif,
	path,
	place,
	rect,
	solid,
} from '../shapes.js';

const { oak, oakDark, birch, iron, brass, linen, glow } = MATERIALS;
const HOURS = [0, 30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 330];

export const home = {
	throw: ({ main, accent }) =>
		line('M-96 -4 L-84 -250 M96 -4 L84 -250', oakDark, 12) +
		line('M-86 -220 L86 -220', oak, 14) +
		line('M-92 -52 L92 -52', oakDark, 9) +
		solid.path('M-66 -232 C-30 -242 30 -242 66 -232 L72 -46 L-70 -34 Z', main) +
		each([-42, -14, 14, 42], (x) => line(`M${x} -234 L${x * 1.05} -42`, '#ffffff40', 5)) +
		each([-196, -166, -86, -62], (y) => line(`M-66 ${y} L69 ${y - 2}`, accent, 7)) +
		each([-64, -46, -28, -10, 8, 26, 44, 62], (x) => line(`M${x} -38 L${x - 2} -14`, main, 5)) +
		solid.rect(-52, -18, 100, 18, linen, 8),

	pendant: ({ main }) =>
		line('M0 -420 L0 -258', iron, 4) +
		circle(0, -164, 128, '#ffffff26') +
		solid.ellipse(0, -164, 102, 94, linen) +
		each(
			[26, 62, 90],
			(radius) =>
				`<ellipse cx="0" cy="-164" rx="${radius}" ry="94" fill="none" stroke="#00000014" stroke-width="3"/>`,
		) +
		each([-214, -164, -114], (y) => line(`M-92 ${y} L92 ${y}`, '#0000000f', 3)) +
		rect(-20, -266, 40, 16, iron, 5) +
		ellipse(0, -74, 30, 7, glow) +
		solid.rect(-66, -16, 132, 16, oak, 4) +
		solid.rect(-52, -30, 96, 14, main, 3),

	duvet: ({ main, accent }) =>
		solid.rect(-134, -172, 268, 172, oak, 14) +
		rect(-118, -156, 236, 100, oakDark, 8) +
		solid.rect(-112, -130, 108, 62, linen, 20) +
		solid.rect(4, -130, 108, 62, linen, 20) +
		solid.path('M-140 -74 C-80 -96 -40 -62 8 -80 C60 -98 100 -70 140 -84 L144 -6 L-144 -6 Z', main) +
		path(
			'M-140 -74 C-80 -96 -40 -62 8 -80 C60 -98 100 -70 140 -84 L141 -60 C98 -46 60 -72 8 -56 C-40 -40 -82 -70 -141 -50 Z',
			accent,
		) +
		line(
			'M-92 -42 C-84 -26 -98 -16 -90 -8 M-18 -40 C-8 -26 -22 -16 -14 -8 M64 -48 C74 -30 58 -18 68 -8',
			'#00000022',
			4,
		),

	coatRack: ({ main, accent }) =>
		solid.rect(-136, -292, 272, 30, birch, 8) +
		each([-102, -34, 34, 102], (x) => solid.ellipse(x, -254, 10, 13, oak)) +
		solid.path('M34 -250 L-8 -214 L-22 -84 L92 -84 L78 -214 Z', main) +
		line('M34 -246 L34 -86', '#00000033', 4) +
		each([-190, -160, -130], (y) => circle(44, y, 4, brass)) +
		solid.path('M-102 -248 C-128 -236 -128 -190 -102 -178 C-76 -190 -76 -236 -102 -248 Z', accent) +
		solid.path('M-114 -184 L-90 -184 L-84 -70 L-120 -70 Z', accent) +
		each([-116, -104, -92], (x) => line(`M${x} -70 L${x} -54`, accent, 5)),

	rug: ({ main, accent }) =>
		ellipse(0, -34, 150, 58, '#00000026') +
		each([0, 1, 2, 3, 4, 5], (i) =>
			ellipse(0, -42, 148 - i * 25, 56 - i * 9.6, [birch, main, birch, accent, birch, main][i] ?? main),
		) +
		solid.path(
			'M-26 -128 C-30 -160 -8 -170 -10 -196 L22 -196 C20 -170 42 -160 38 -128 C44 -74 38 -52 28 -46 L-16 -46 C-26 -52 -32 -74 -26 -128 Z',
			linen,
		) +
		line(
			'M6 -196 C2 -236 -22 -252 -34 -276 M8 -196 C12 -240 34 -252 42 -272 M6 -200 C6 -240 6 -262 10 -296',
			MATERIALS.leafDark,
			4,
		) +
		each([-36, 10, 44], (x) => ellipse(x, -284 - (x === 10 ? 14 : 0), 10, 18, MATERIALS.leaf)),

	clock: ({ main, accent }) =>
		circle(7, -186, 118, '#00000022') +
		circle(0, -192, 118, birch) +
		circle(0, -192, 102, '#f6e3c0') +
		each(HOURS, (degrees) =>
			place(rect(-3, -92, 6, degrees % 90 === 0 ? 20 : 10, iron, 3), 0, -192, degrees),
		) +
		place(rect(-5, -56, 10, 66, main, 5), 0, -192, -54) +
		place(rect(-4, -84, 8, 96, iron, 4), 0, -192, 62) +
		circle(0, -192, 9, accent),

	candle: ({ main }) =>
		circle(0, -258, 52, '#ffffff33') +
		solid.ellipse(0, -6, 84, 13, brass) +
		solid.rect(-9, -96, 18, 92, brass, 4) +
		circle(0, -52, 17, brass) +
		solid.path('M-38 -104 L38 -104 L24 -84 L-24 -84 Z', brass) +
		solid.rect(-15, -218, 30, 116, linen, 4) +
		line('M0 -218 L0 -230', iron, 3) +
		path('M0 -290 C26 -262 18 -226 0 -226 C-18 -226 -26 -262 0 -290 Z', '#f7a93b') +
		path('M0 -262 C12 -248 8 -230 0 -230 C-8 -230 -12 -248 0 -262 Z', '#fff3cf') +
		line('M82 -8 C118 -8 118 -46 88 -40', brass, 8) +
		solid.rect(-122, -22, 54, 22, main, 3),

	bathTowel: ({ main, accent }) =>
		each([0, 1, 2], (i) => {
			const y = -58 - i * 52;
			return (
				solid.rect(-108 + i * 5, y, 216 - i * 10, 54, [main, linen, accent][i] ?? main, 22) +
				line(`M${-84 + i * 5} ${y + 28} L${86 - i * 5} ${y + 28}`, '#00000018', 3) +
				each([-70, -35, 0, 35, 70], (x) => line(`M${x} ${y + 10} L${x} ${y + 44}`, '#ffffff40', 3))
			);
		}) +
		solid.rect(-46, -190, 92, 28, linen, 10) +
		line('M-46 -176 L46 -176', main, 6),

	mirror: ({ main, accent }) =>
		line('M0 -352 L-62 -282 M0 -352 L62 -282', oakDark, 6) +
		circle(0, -352, 7, brass) +
		circle(8, -186, 116, '#00000022') +
		circle(0, -192, 116, oak) +
		circle(0, -192, 101, '#dbe8ea') +
		path('M-101 -192 A101 101 0 0 1 20 -291 L-68 -118 A101 101 0 0 1 -101 -192 Z', '#ffffff66') +
		path('M44 -283 L66 -269 L-34 -98 L-56 -109 Z', '#ffffff66') +
		solid.rect(-88, -22, 60, 22, main, 4) +
		solid.rect(42, -52, 36, 52, accent, 8),

	basket: ({ main, accent }) =>
		solid.path('M-66 -150 C-50 -210 -14 -206 2 -150 Z', main) +
		solid.path('M-16 -150 C4 -226 62 -206 72 -150 Z', accent) +
		solid.path('M-104 -150 L104 -150 C112 -90 98 -30 84 0 L-84 0 C-98 -30 -112 -90 -104 -150 Z', birch) +
		each([-120, -90, -60, -30], (y) => line(`M${-103 - y / 30} ${y} L${103 + y / 30} ${y}`, oakDark, 4)) +
		each([-78, -52, -26, 0, 26, 52, 78], (x) => line(`M${x} -146 L${x * 0.86} -4`, '#9c6d3977', 4)) +
		solid.rect(-110, -162, 220, 20, oak, 10) +
		bothSides(line('M66 -160 C66 -196 104 -196 104 -160', oakDark, 8)),
} satisfies Record<string, Motif>;
