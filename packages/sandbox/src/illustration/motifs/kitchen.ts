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

const { oak, oakDark, birch, iron, steel, linen, glass } = MATERIALS;

export const kitchen = {
	kettle: ({ main, accent }) =>
		line('M-62 -104 C-66 -214 66 -214 62 -104', iron, 9) +
		line('M-26 -185 L26 -185', oak, 17) +
		solid.path('M66 -62 C92 -70 100 -112 132 -122 L142 -106 C120 -94 116 -38 74 -22 Z', main) +
		solid.path('M-84 0 C-106 -62 -76 -128 0 -128 C76 -128 106 -62 84 0 Z', main) +
		rect(-86, -10, 172, 10, iron, 4) +
		ellipse(0, -127, 42, 9, iron) +
		solid.path('M-36 -129 C-30 -146 30 -146 36 -129 Z', accent) +
		circle(0, -150, 10, oak) +
		line('M-68 -36 C-74 -70 -60 -94 -44 -104', '#ffffff66', 7),

	skillet: ({ accent }) =>
		place(
			solid.ellipse(0, 0, 108, 108, iron) +
				circle(0, 0, 88, '#3b4145') +
				circle(0, 0, 70, '#353a3e') +
				rect(-13, 100, 26, 128, iron, 13) +
				circle(0, 208, 6, '#6b7377') +
				path('M-44 8 C-60 -30 -22 -52 4 -46 C38 -58 58 -14 42 12 C44 42 -26 48 -44 8Z', '#fffaf0') +
				circle(2, -6, 20, accent) +
				circle(-4, -12, 6, '#ffffff88'),
			-24,
			-142,
			-38,
		),

	board: ({ accent }) =>
		place(
			solid.rect(-74, -232, 148, 232, oak, 20) +
				line('M-46 -14 L-46 -190 M-14 -30 L-14 -216 M18 -14 L18 -180 M46 -40 L46 -206', oakDark, 3) +
				circle(0, -206, 13, oakDark),
			-16,
			0,
			-7,
		) +
		solid.ellipse(70, -32, 32, 32, accent) +
		line('M70 -64 C70 -76 78 -82 86 -84', MATERIALS.leafDark, 5) +
		solid.ellipse(118, -24, 24, 24, accent),

	pourOver: ({ main }) =>
		path('M-30 -132 L30 -132 L20 -116 C62 -92 68 -40 58 0 L-58 0 C-68 -40 -62 -92 -20 -116 Z', glass) +
		path('M-64 -52 C-66 -30 -62 -10 -58 0 L58 0 C62 -10 66 -30 64 -52 Z', '#5a3420') +
		rect(-30, -142, 60, 22, oak, 6) +
		solid.path('M-80 -236 L80 -236 L24 -142 L-24 -142 Z', main) +
		path('M-88 -240 L88 -240 L80 -226 L-80 -226 Z', linen) +
		line('M62 -88 C108 -92 108 -28 62 -28', iron, 8) +
		line('M-40 -20 C-46 -52 -40 -76 -28 -90', '#ffffff99', 6),

	bowls: ({ main, accent }) =>
		each([0, 1, 2, 3], (i) => {
			const fill = [main, linen, accent, linen][i] ?? main;
			const top = -62 - i * 36;
			const width = 118 - i * 12;
			return (
				solid.path(`M${-width} ${top} C${-width} ${top + 62} ${width} ${top + 62} ${width} ${top} Z`, fill) +
				(i === 0 ? rect(-36, -18, 72, 18, fill, 4) : '')
			);
		}) +
		ellipse(0, -170, 82, 13, '#00000026') +
		ellipse(0, -171, 74, 9, linen),

	servers: ({ main, accent }) =>
		solid.path('M-104 -76 C-104 24 104 24 104 -76 Z', main) +
		ellipse(0, -76, 104, 22, '#00000033') +
		each([-62, -20, 30, 66], (x) =>
			place(path('M0 0 C-34 -22 -26 -62 0 -78 C26 -62 34 -22 0 0Z', MATERIALS.leaf), x, -62, x / 2),
		) +
		each([-38, 8, 50], (x) => circle(x, -84, 13, accent)) +
		place(rect(-6, -150, 12, 150, birch, 6) + solid.ellipse(0, -164, 23, 34, birch), 60, -70, 26) +
		place(
			rect(-6, -150, 12, 150, oak, 6) + solid.ellipse(0, -164, 23, 34, oak) + rect(-4, -202, 8, 34, main, 3),
			-64,
			-70,
			-22,
		),

	teaTowels: ({ main, accent }) =>
		line('M-128 -272 L128 -272', oakDark, 10) +
		each([-1, 0, 1], (i) => {
			const fill = [main, linen, accent][i + 1] ?? main;
			const x = i * 78 - 34;
			const bottom = i === 0 ? -42 : -76;
			return (
				solid.path(
					`M${x} -276 L${x + 68} -276 L${x + 68} ${bottom} L${x + 34} ${bottom + 8} L${x} ${bottom} Z`,
					fill,
				) +
				line(
					`M${x} ${bottom - 30} L${x + 68} ${bottom - 30} M${x} ${bottom - 42} L${x + 68} ${bottom - 42}`,
					'#ffffff88',
					4,
				)
			);
		}),

	mills: ({ main, accent }) =>
		place(
			solid.path('M-34 0 C-40 -46 -14 -66 -20 -104 L20 -104 C14 -66 40 -46 34 0 Z', oak) +
				solid.path('M-24 -106 C-36 -148 36 -148 24 -106 Z', oak) +
				circle(0, -146, 9, steel) +
				rect(-34, -9, 68, 9, oakDark, 3),
			-56,
			0,
			0,
			1.35,
		) +
		place(
			solid.path('M-34 0 C-40 -46 -14 -66 -20 -104 L20 -104 C14 -66 40 -46 34 0 Z', main) +
				solid.path('M-24 -106 C-36 -148 36 -148 24 -106 Z', main) +
				circle(0, -146, 9, steel) +
				rect(-34, -9, 68, 9, iron, 3),
			58,
			0,
			0,
			1.1,
		) +
		each([-8, 4, 14, 112, 122], (x) => circle(x, -4, 4, accent)),

	crock: ({ main, accent }) =>
		solid.rect(-104, -140, 208, 140, main, 22) +
		rect(-104, -96, 208, 26, linen) +
		each([-76, -38, 0, 38, 76], (x) => path(`M${x - 12} -83 L${x} -94 L${x + 12} -83 L${x} -72 Z`, accent)) +
		bothSides(line('M100 -122 C128 -122 128 -62 100 -62', main, 13)) +
		solid.rect(-112, -166, 224, 30, oak, 10) +
		solid.path('M-20 -168 C-20 -190 20 -190 20 -168 Z', oakDark),

	knife: ({ main, accent }) =>
		solid.rect(-132, -24, 264, 24, oak, 8) +
		place(
			path('M0 -8 L150 -8 C140 14 96 26 0 24 Z', steel) +
				path('M0 10 L132 10 C112 20 66 26 0 24 Z', '#e6ecee') +
				solid.rect(-122, -12, 124, 36, main, 12) +
				each([-96, -60, -24], (x) => circle(x, 6, 5, MATERIALS.brass)),
			0,
			-150,
			-32,
		) +
		solid.ellipse(-66, -56, 34, 32, accent) +
		path('M-66 -88 L-82 -98 M-66 -88 C-74 -104 -56 -104 -66 -88Z', MATERIALS.leaf) +
		path('M6 -24 C6 -62 70 -62 70 -24 Z', accent) +
		path('M16 -24 C18 -50 58 -50 60 -24 Z', '#ffffff66'),
} satisfies Record<string, Motif>;
