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

const { iron, steel, linen, leather, brass, glow, leafDark, walnut } = MATERIALS;

export const outdoor = {
	backpack: ({ main, accent }) =>
		line('M-24 -250 C-24 -284 24 -284 24 -250', iron, 8) +
		bothSides(solid.rect(74, -120, 40, 96, accent, 16)) +
		solid.rect(-90, -256, 180, 256, main, 46) +
		solid.path('M-92 -198 C-92 -282 92 -282 92 -198 L80 -168 L-80 -168 Z', accent) +
		solid.rect(-64, -128, 128, 100, '#ffffff26', 18) +
		line('M-52 -100 L52 -100', iron, 5) +
		bothSides(line('M42 -196 L42 -146', leather, 10) + rect(34, -158, 16, 14, brass, 3)) +
		line('M44 -100 L50 -82', linen, 4),

	baseLayer: ({ main, accent }) =>
		line('M0 -300 C0 -322 22 -318 16 -302 L0 -290 L-70 -262 L70 -262 Z', walnut, 5) +
		solid.path(
			'M-38 -264 L38 -264 C76 -256 92 -240 104 -214 L132 -60 L94 -50 L74 -146 L78 -16 L-78 -16 L-74 -146 L-94 -50 L-132 -60 L-104 -214 C-92 -240 -76 -256 -38 -264 Z',
			main,
		) +
		path('M-38 -264 C-22 -234 22 -234 38 -264 L24 -268 L-24 -268 Z', accent) +
		each([-180, -158, -136], (y) => line(`M-72 ${y} L72 ${y}`, y === -158 ? accent : '#ffffff66', 7)) +
		bothSides(line('M92 -66 L128 -74', accent, 8)),

	bottle: ({ main, accent }) =>
		line('M-22 -262 C-22 -296 22 -296 22 -262', iron, 9) +
		solid.rect(-30, -266, 60, 38, iron, 8) +
		rect(-34, -234, 68, 12, steel, 4) +
		solid.path(
			'M-32 -222 L32 -222 C40 -204 62 -200 62 -172 L62 -16 C62 -6 56 0 46 0 L-46 0 C-56 0 -62 -6 -62 -16 L-62 -172 C-62 -200 -40 -204 -32 -222 Z',
			main,
		) +
		rect(-62, -34, 124, 10, accent) +
		path('M-36 -88 L-8 -136 L8 -112 L18 -126 L40 -88 Z', accent) +
		line('M-46 -60 L-46 -162', '#ffffff59', 7),

	tent: ({ main, accent }) =>
		line('M-96 -4 L-148 14 M96 -4 L148 14 M0 -206 L0 -222', linen, 4) +
		solid.path('M0 -206 L136 0 L-136 0 Z', main) +
		path('M0 -206 L-136 0 L-60 0 Z', '#ffffff2e') +
		path('M0 -190 L52 0 L-52 0 Z', '#22303a') +
		path('M0 -190 L-52 0 L-84 0 C-40 -60 -14 -120 0 -190 Z', accent) +
		path('M0 -60 L34 0 L-34 0 Z', glow) +
		line('M0 -206 L0 -196', iron, 6) +
		line('M-118 0 L118 0', iron, 5),

	sleepingBag: ({ main, accent }) =>
		solid.path(
			'M-138 -34 C-138 -92 -96 -104 -30 -98 L128 -82 C150 -72 150 -6 128 -2 L-100 0 C-128 0 -138 -14 -138 -34 Z',
			main,
		) +
		path('M-128 -48 C-120 -92 -70 -90 -60 -50 C-62 -14 -114 -10 -128 -48 Z', accent) +
		path('M-114 -46 C-108 -72 -78 -72 -74 -48 C-78 -26 -108 -24 -114 -46 Z', '#22303a') +
		each([-26, 16, 58, 100], (x) => line(`M${x} -94 C${x + 12} -64 ${x + 12} -32 ${x} -3`, '#00000026', 4)) +
		solid.rect(10, -170, 106, 78, accent, 34) +
		line('M38 -170 L38 -94 M88 -170 L88 -94', iron, 7),

	jacket: ({ main, accent }) =>
		solid.path('M-40 -268 C-46 -316 46 -316 40 -268 L28 -238 L-28 -238 Z', main) +
		path('M-26 -266 C-28 -296 28 -296 26 -266 L14 -244 L-14 -244 Z', '#22303a') +
		solid.path(
			'M-40 -252 L40 -252 C76 -246 94 -232 104 -206 L136 -56 L98 -46 L76 -136 L82 -4 L-82 -4 L-76 -136 L-98 -46 L-136 -56 L-104 -206 C-94 -232 -76 -246 -40 -252 Z',
			main,
		) +
		line('M0 -244 L0 -6', accent, 6) +
		bothSides(line('M30 -74 L58 -98', '#00000040', 6) + line('M102 -60 L128 -66', accent, 8)) +
		path('M-78 -184 L78 -184 L76 -160 L-76 -160 Z', '#ffffff2e') +
		each([-120, 128, -70, 96, 30], (x) => line(`M${x} ${-330 + Math.abs(x) / 2} l-6 16`, '#ffffff99', 4)),

	spork: ({ main, accent }) =>
		solid.path('M-96 -92 L96 -92 L84 0 L-84 0 Z', main) +
		ellipse(0, -92, 96, 17, '#00000040') +
		ellipse(0, -94, 84, 12, accent) +
		line('M96 -76 C132 -76 132 -26 90 -26', steel, 8) +
		place(
			solid.path('M-7 -40 L7 -40 L12 70 L-12 70 Z', steel) +
				solid.path(
					'M-30 -104 C-34 -58 -14 -38 0 -38 C14 -38 34 -58 30 -104 L22 -142 L15 -104 L8 -144 L-8 -144 L-15 -104 L-22 -142 Z',
					steel,
				),
			-10,
			-156,
			18,
		) +
		line('M-40 -120 C-52 -140 -30 -150 -42 -172', '#ffffff80', 6),

	hammock: ({ main, accent }) =>
		bothSides(
			rect(136, -400, 26, 400, walnut) + circle(170, -330, 52, leafDark) + circle(130, -388, 52, leafDark),
		) +
		bothSides(line('M136 -196 L96 -156', linen, 5) + rect(132, -204, 34, 14, accent)) +
		solid.path('M-104 -160 C-70 -24 70 -24 104 -160 C60 -96 -60 -96 -104 -160 Z', main) +
		path('M-104 -160 C-60 -96 60 -96 104 -160 C64 -118 -64 -118 -104 -160 Z', accent) +
		line('M-44 -110 C-40 -92 -36 -78 -26 -66 M44 -110 C40 -92 36 -78 26 -66 M0 -102 L0 -60', '#ffffff59', 4),

	headTorch: ({ main, accent }) =>
		path('M40 -128 L190 -210 L190 -40 Z', '#fff3c42e') +
		`<ellipse cx="-34" cy="-128" rx="92" ry="108" fill="none" stroke="${main}" stroke-width="30"/>` +
		`<ellipse cx="-34" cy="-128" rx="92" ry="108" fill="none" stroke="${accent}" stroke-width="7"/>` +
		solid.rect(-2, -178, 80, 98, iron, 22) +
		circle(42, -130, 36, steel) +
		circle(42, -130, 28, glow) +
		circle(34, -138, 10, '#ffffff') +
		rect(16, -184, 30, 9, accent, 4),

	socks: ({ main, accent }) =>
		each([0, 1], (i) =>
			place(
				solid.path(
					'M-34 -216 L34 -216 L36 -96 C44 -78 96 -72 110 -44 C118 -20 104 0 80 0 L0 0 C-28 0 -40 -18 -38 -44 Z',
					i === 0 ? accent : main,
				) +
					solid.rect(-38, -230, 76, 36, linen, 8) +
					path('M70 0 L84 0 C106 0 118 -20 110 -44 C102 -60 86 -66 72 -72 C60 -50 58 -22 70 0 Z', linen) +
					path('M-38 -44 C-40 -18 -28 0 0 0 L8 0 C14 -22 0 -46 -37 -54 Z', linen) +
					each([-172, -152], (y) => line(`M-32 ${y} L34 ${y}`, '#ffffff80', 7)),
				i * 62 - 66,
				i * -4,
				i * 7 - 4,
			),
		),
} satisfies Record<string, Motif>;
