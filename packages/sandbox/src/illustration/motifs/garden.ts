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

const { oak, oakDark, birch, iron, steel, copper, clay, leaf, leafDark, leather, glass, glow } = MATERIALS;
const frond = (fill: string) => path('M0 0 C-30 -34 -24 -92 0 -122 C24 -92 30 -34 0 0 Z', fill);

export const garden = {
	wateringCan: () =>
		line('M-40 -136 C-30 -230 66 -226 72 -132', copper, 11) +
		line('M74 -118 C136 -130 138 -34 76 -24', copper, 11) +
		line('M-66 -42 L-134 -178', copper, 18) +
		place(solid.path('M-34 0 L34 0 L14 30 L-14 30 Z', copper), -142, -196, -26) +
		solid.path('M-68 -138 L72 -138 L84 0 L-80 0 Z', copper) +
		ellipse(2, -138, 70, 13, '#7c4023') +
		line('M-60 -24 L-52 -112', '#ffffff4d', 7) +
		each([-176, -162, -186], (x) => ellipse(x, -150 + (x + 180), 4, 8, '#d4ebf2')),

	planter: ({ main }) =>
		each([-46, 46, -24, 24, 0], (degrees) =>
			place(frond(Math.abs(degrees) === 24 ? leaf : leafDark), 0, -122, degrees, 1.3),
		) +
		each([-34, 0, 34], (degrees) => place(line('M0 -20 L0 -130', '#ffffff33', 4), 0, -122, degrees)) +
		solid.path('M-84 -120 L84 -120 L62 0 L-62 0 Z', main === clay ? clay : main) +
		solid.rect(-96, -146, 192, 36, main, 6) +
		rect(-84, -110, 168, 8, '#00000022'),

	trowel: ({ main, accent }) =>
		path('M-130 0 C-96 -54 -30 -40 0 -46 C44 -58 98 -50 130 0 Z', '#4a3427') +
		each([-70, -10, 64], (x) => circle(x, -14, 6, '#6d5140')) +
		place(
			path('M-36 -20 C-38 40 -16 78 0 96 C16 78 38 40 36 -20 Z', steel) +
				path('M0 -20 L36 -20 C38 40 16 78 0 96 Z', '#93a0a6') +
				rect(-7, -74, 14, 60, iron, 4) +
				solid.rect(-17, -196, 34, 128, oak, 15) +
				rect(-17, -88, 34, 16, main, 3),
			16,
			-88,
			18,
		) +
		line('M-88 -36 C-88 -70 -92 -84 -84 -106', leafDark, 5) +
		place(path('M0 0 C-20 -12 -30 -34 -22 -50 C-4 -44 4 -20 0 0Z', leaf), -86, -72, -14) +
		place(path('M0 0 C20 -12 30 -34 22 -50 C4 -44 -4 -20 0 0Z', leaf), -86, -92, 14) +
		circle(-84, -114, 9, accent),

	secateurs: ({ main }) =>
		place(
			path('M-2 10 C-44 -20 -54 -86 -22 -126 C10 -100 18 -40 10 4 Z', steel) +
				path('M4 8 C32 -18 46 -60 34 -92 C20 -86 8 -50 -4 4 Z', iron) +
				line('M10 6 C34 60 30 120 14 176', main, 25) +
				line('M-8 6 C-52 50 -62 110 -42 168', main, 25) +
				line('M-8 58 L14 58', steel, 6) +
				circle(0, 6, 18, iron) +
				circle(0, 6, 8, MATERIALS.brass),
			12,
			-184,
			16,
		) +
		line('M-132 -14 C-92 -30 -70 -8 -30 -20', leafDark, 6) +
		each([-112, -86, -60], (x) => place(frond(leaf), x, -18, x % 4 === 0 ? -40 : 150, 0.34)),

	gardenChair: ({ main, accent }) =>
		line('M-74 0 L60 -142 M74 0 L-66 -142', oakDark, 12) +
		line('M-66 -140 L-84 -286', oakDark, 12) +
		line('M62 -140 L56 -120', oakDark, 12) +
		each([-272, -238, -204, -170], (y) =>
			place(solid.rect(-62, -11, 128, 22, main, 8), -8 + (y + 270) * 0.1, y, 3),
		) +
		solid.rect(-84, -152, 172, 22, main, 9) +
		solid.path('M-62 -154 C-60 -186 56 -186 62 -154 Z', accent) +
		line('M72 -140 L88 -286', oakDark, 12),

	birdFeeder: ({ main, accent }) =>
		line('M0 -420 L0 -270', iron, 3) +
		solid.path('M-118 -196 L0 -280 L118 -196 L104 -178 L0 -250 L-104 -178 Z', main) +
		path('M-88 -182 L0 -244 L88 -182 L88 -176 L-88 -176 Z', oak) +
		rect(-72, -178, 144, 96, glass) +
		path('M-72 -130 C-30 -150 30 -120 72 -138 L72 -82 L-72 -82 Z', '#d7a44f') +
		bothSides(rect(60, -180, 14, 100, oakDark)) +
		solid.rect(-110, -86, 220, 20, oak, 6) +
		place(
			solid.path('M-40 0 C-40 -40 20 -52 34 -14 C38 4 0 16 -40 0 Z', accent) +
				circle(26, -24, 17, accent) +
				path('M40 -28 L56 -22 L40 -16 Z', iron) +
				circle(30, -28, 3, iron) +
				path('M-34 -4 L-78 8 L-36 10 Z', accent),
			62,
			-92,
			0,
			-1,
		),

	gloves: ({ main }) =>
		each([-1, 1], (side) =>
			place(
				`<g transform="scale(${side} 1)">` +
					each([-33, -11, 11, 33], (x) =>
						solid.rect(x - 12, -206 + (x + 6) ** 2 / 40, 24, 120, leather, 12),
					) +
					place(solid.rect(-13, -78, 26, 86, leather, 13), 42, -58, 38) +
					solid.path('M-46 -130 L46 -130 L50 -70 L38 -30 L-40 -30 Z', leather) +
					line('M-22 -150 L-22 -120 M0 -154 L0 -120 M22 -150 L22 -120', '#00000026', 4) +
					solid.path('M-44 -46 L44 -46 L56 4 L-56 4 Z', main) +
					line('M-42 -32 L42 -32', '#ffffff8c', 4) +
					'</g>',
				side * 62,
				-6,
				side * 5,
				1.1,
			),
		),

	coldFrame: () =>
		each([-84, -42, 0, 42, 84], (x) => place(frond(x % 84 === 0 ? leaf : leafDark), x, -52, x / 8, 0.6)) +
		path('M-132 -168 L132 -118 L132 -70 L-132 -70 Z', '#dfeaea88') +
		line('M-132 -166 L132 -116 M-44 -150 L-44 -70 M44 -134 L44 -70', oak, 9) +
		line('M-132 -166 L-132 -60 M132 -116 L132 -60', oak, 11) +
		each([-74, -37], (y) => solid.rect(-138, y, 276, 36, birch, 3)) +
		line('M-132 -172 L-92 -252 L112 -212 L132 -120', oakDark, 7),

	pathLights: ({ main }) =>
		each([-108, -36, 36, 108], (x) => {
			const height = 120 + Math.abs(x);
			return (
				circle(x, -height - 10, 42, '#ffe3a02e') +
				rect(x - 4, -height, 8, height, iron) +
				solid.rect(x - 18, -height - 40, 36, 42, glow, 4) +
				line(`M${x} ${-height - 38} L${x} ${-height}`, '#00000022', 3) +
				solid.path(`M${x - 32} ${-height - 38} L${x} ${-height - 62} L${x + 32} ${-height - 38} Z`, main)
			);
		}) + each([-126, -70, 0, 72, 128], (x) => place(frond(leafDark), x, 4, x / 6, 0.36)),

	fireBowl: ({ accent }) =>
		path(
			'M-66 -92 C-110 -170 -44 -190 -36 -258 C-4 -226 -6 -200 8 -184 C16 -204 30 -214 34 -232 C62 -186 104 -160 66 -92 Z',
			'#e8622c',
		) +
		path(
			'M-40 -92 C-66 -140 -22 -162 -16 -204 C10 -176 8 -156 22 -150 C42 -138 54 -112 40 -92 Z',
			'#f7a93b',
		) +
		path('M-16 -92 C-30 -122 -2 -136 0 -158 C18 -138 28 -112 18 -92 Z', glow) +
		line('M-70 -88 L52 -112 M74 -86 L-40 -114', MATERIALS.walnut, 15) +
		solid.path('M-132 -92 C-120 -4 120 -4 132 -92 Z', '#8a4a2a') +
		path('M-110 -70 C-70 -50 -40 -64 -20 -56 M-60 -34 C-20 -26 20 -34 40 -30', '#a85c34') +
		solid.path('M-40 -28 L40 -28 L54 0 L-54 0 Z', '#6d3a22') +
		circle(-96, -214, 4, accent) +
		circle(84, -236, 5, accent),
} satisfies Record<string, Motif>;
