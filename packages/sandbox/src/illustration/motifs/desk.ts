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

const { oak, oakDark, birch, iron, steel, walnut, brass, linen, leaf, leafDark, glow } = MATERIALS;
const pencil = (fill: string) =>
	solid.rect(-7, -130, 14, 130, fill, 2) +
	path('M-7 -130 L0 -152 L7 -130 Z', birch) +
	path('M-3 -143 L0 -152 L3 -143 Z', iron);

export const desk = {
	monitorStand: ({ main, accent }) =>
		solid.rect(-112, -250, 224, 146, iron, 10) +
		rect(-102, -240, 204, 126, main, 4) +
		path('M-102 -114 L-102 -150 L-52 -204 L-12 -158 L24 -186 L102 -114 Z', accent) +
		circle(58, -212, 15, linen) +
		rect(-14, -106, 28, 34, iron) +
		solid.rect(-48, -80, 96, 10, iron, 4) +
		solid.rect(-136, -72, 272, 22, walnut, 5) +
		bothSides(solid.rect(100, -52, 24, 52, walnut, 3)) +
		solid.rect(-60, -22, 116, 22, linen, 4),

	deskMat: ({ accent }) =>
		path('M-118 -96 L118 -96 L154 0 L-154 0 Z', '#00000033') +
		path('M-114 -106 L114 -106 L148 -10 L-148 -10 Z', '#7d8791') +
		path('M-114 -106 L-66 -106 L-92 -10 L-148 -10 Z', accent) +
		line('M-104 -98 L104 -98 L134 -18 L-134 -18 Z', '#ffffff40', 3) +
		place(path('M-52 -50 L40 -50 L52 0 L-56 0 Z', linen), -10, -34) +
		line('M-44 -70 L24 -70 M-48 -56 L26 -56', '#00000026', 4) +
		place(pencil(brass), 84, -28, -64, 0.7) +
		solid.path('M64 -152 L112 -152 L106 -86 L70 -86 Z', linen) +
		line('M110 -140 C132 -140 130 -104 108 -104', linen, 8),

	fountainPen: ({ main, accent }) =>
		solid.rect(-132, -24, 264, 24, accent, 4) +
		rect(-124, -20, 248, 6, linen) +
		place(
			path('M-15 66 L15 66 L4 128 L0 136 L-4 128 Z', steel) +
				line('M0 92 L0 132', iron, 2) +
				circle(0, 90, 4, iron) +
				solid.rect(-17, 36, 34, 34, iron, 4) +
				solid.rect(-20, -116, 40, 156, brass, 10) +
				rect(-20, -4, 40, 9, main) +
				rect(13, -108, 8, 78, '#8d6a26', 4),
			-8,
			-162,
			40,
		) +
		line('M-96 -48 C-76 -64 -66 -34 -46 -46', iron, 4),

	notebook: ({ main, accent }) =>
		place(
			rect(-74, -214, 158, 214, linen, 6) +
				solid.rect(-82, -218, 158, 214, main, 10) +
				rect(46, -218, 12, 214, accent) +
				rect(-60, -178, 78, 42, linen, 4) +
				line('M-48 -164 L4 -164 M-48 -150 L-14 -150', '#00000059', 4) +
				path('M-30 -4 L-14 -4 L-14 26 L-22 16 L-30 26 Z', accent),
			-10,
			-14,
			-8,
		) + place(pencil(brass), 108, -2, 14, 1.15),

	deskLamp: ({ main, accent }) =>
		path('M34 -206 L158 0 L-58 0 Z', '#fff3c433') +
		solid.path('M-124 -14 C-124 -30 -36 -30 -36 -14 L-30 0 L-130 0 Z', main) +
		line('M-80 -22 L-112 -150', iron, 9) +
		line('M-112 -150 L-6 -258', iron, 9) +
		circle(-112, -150, 13, brass) +
		place(
			solid.path('M-24 -34 L24 -34 L58 40 L-58 40 Z', main) +
				rect(-20, -48, 40, 18, iron, 5) +
				ellipse(0, 40, 50, 9, glow),
			16,
			-246,
			-28,
		) +
		solid.rect(34, -20, 92, 20, accent, 3) +
		solid.rect(42, -36, 76, 16, linen, 3),

	letterTray: ({ main, accent }) =>
		each([0, 1, 2], (i) => {
			const y = -20 - i * 74;
			return (
				(i === 2 ? '' : bothSides(rect(116, y - 74, 14, 76, oakDark))) +
				place(
					rect(-98, -22, 188, 12, linen, 2) +
						rect(-92, -32, 178, 10, i === 1 ? main : '#fff8ea', 2) +
						rect(-96, -12, 184, 10, i === 0 ? accent : linen, 2),
					0,
					y,
				) +
				solid.path(
					`M-136 ${y - 30} L-120 ${y - 30} L-120 ${y} L120 ${y} L120 ${y - 30} L136 ${y - 30} L136 ${y + 18} L-136 ${y + 18} Z`,
					oak,
				)
			);
		}),

	penCup: ({ main, accent }) =>
		place(pencil(accent), -34, -70, -16, 1.1) +
		place(pencil(brass), 2, -84, 2, 1.2) +
		place(solid.rect(-9, -128, 18, 128, iron, 6) + rect(-5, -146, 10, 20, steel, 3), 36, -74, 17) +
		solid.path('M-74 -142 L74 -142 L66 -8 C66 -3 62 0 56 0 L-56 0 C-62 0 -66 -3 -66 -8 Z', main) +
		path(
			'M-71 -100 C-40 -116 -20 -84 8 -100 C30 -112 50 -92 71 -102 L69 -62 C44 -52 26 -72 4 -60 C-22 -48 -44 -72 -69 -58 Z',
			accent,
		) +
		rect(-78, -148, 156, 14, linen, 7),

	cableDock: ({ main, accent }) =>
		each([-62, 0, 62], (x) =>
			line(
				`M${x} -62 C${x} -160 ${x * 1.8 + 20} -150 ${x * 1.6 - 10} -${250 - Math.abs(x)}`,
				x === 0 ? accent : iron,
				9,
			),
		) +
		each([-62, 0, 62], (x) => solid.rect(x - 15, -96, 30, 46, x === 0 ? accent : steel, 7)) +
		solid.path('M-126 -56 L126 -56 C138 -56 138 0 126 0 L-126 0 C-138 0 -138 -56 -126 -56 Z', main) +
		each([-62, 0, 62], (x) => rect(x - 19, -58, 38, 12, iron, 5)) +
		line('M-108 -18 L108 -18', '#ffffff4d', 4),

	pinBoard: ({ main, accent }) =>
		rect(-128, -302, 264, 202, '#00000022', 6) +
		solid.rect(-134, -310, 268, 204, oak, 8) +
		rect(-120, -296, 240, 176, '#d5a873') +
		each([-96, -50, -8, 40, 84], (x) => circle(x, -140 - ((x * x) % 130), 3, oakDark)) +
		place(
			rect(-38, 0, 76, 92, linen) +
				line('M-24 26 L24 26 M-24 42 L24 42 M-24 58 L6 58', '#00000033', 4) +
				circle(0, 8, 7, main),
			-64,
			-284,
			-5,
		) +
		place(
			rect(-46, 0, 92, 66, main) +
				path('M-46 66 L-14 22 L8 48 L20 36 L46 66 Z', linen) +
				circle(0, 6, 7, accent),
			56,
			-276,
			4,
		) +
		place(rect(-26, 0, 52, 52, accent) + circle(0, 7, 6, iron), 34, -190, -3) +
		solid.rect(-92, -60, 56, 60, main, 6) +
		each([-30, 0, 30], (degrees) =>
			place(
				path('M0 0 C-18 -22 -14 -56 0 -74 C14 -56 18 -22 0 0 Z', degrees === 0 ? leaf : leafDark),
				-64,
				-56,
				degrees,
			),
		),

	calendar: ({ accent }) =>
		solid.path('M-124 -16 L124 -16 L134 0 L-134 0 Z', oakDark) +
		solid.rect(-120, -54, 240, 40, oak, 6) +
		each([-1, 1], (side) =>
			place(
				solid.rect(-48, -124, 96, 124, linen, 8) +
					rect(-48, -66, 96, 4, '#00000022') +
					line(
						side < 0
							? 'M-20 -92 C-10 -110 22 -104 16 -80 C10 -60 -18 -50 -20 -34 L20 -34'
							: 'M-18 -98 L18 -98 L-8 -34',
						accent,
						13,
					),
				side * 54,
				-54,
			),
		) +
		bothSides(circle(54, -190, 9, brass)) +
		line('M-54 -190 L54 -190', brass, 5) +
		solid.rect(-84, -46, 168, 20, oakDark, 6),
} satisfies Record<string, Motif>;
