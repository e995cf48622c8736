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

const { oak, oakDark, birch, iron, steel, linen, leaf, leafDark, glow } = MATERIALS;
const CRAYONS = ['#d24a4a', '#e8772e', '#f2b33d', '#7fae4e', '#2f7f8f', '#3f62a8', '#8a5aa3', '#6b4529'];
const wheel = (x: number, y: number, radius: number) =>
	circle(x, y, radius, iron) + circle(x, y, radius * 0.72, linen) + circle(x, y, radius * 0.2, iron);

export const kids = {
	blocks: ({ main, accent }) =>
		solid.rect(-118, -76, 76, 76, main, 6) +
		solid.rect(-38, -76, 76, 76, birch, 6) +
		solid.rect(42, -76, 76, 76, accent, 6) +
		solid.path(
			'M-100 -78 L-100 -152 L-60 -152 L-60 -118 C-60 -96 -20 -96 -20 -118 L-20 -152 L20 -152 L20 -78 Z',
			oak,
		) +
		solid.rect(34, -140, 62, 62, main, 6) +
		solid.path('M-112 -154 L-40 -226 L32 -154 Z', accent) +
		solid.ellipse(64, -168, 28, 28, birch) +
		path('M-90 -30 L-80 -52 L-70 -30 Z M70 -28 L90 -28 L90 -48 L70 -48 Z', '#ffffff80') +
		circle(0, -38, 15, '#ffffff80'),

	balanceBike: ({ main, accent }) =>
		wheel(-86, -58, 58) +
		wheel(86, -58, 58) +
		line('M-86 -58 L-32 -128 L50 -128 L86 -58', main, 16) +
		line('M-86 -58 L18 -82 L62 -176', main, 16) +
		line('M62 -176 L34 -196', iron, 11) +
		line('M34 -196 L18 -192', accent, 15) +
		line('M-34 -130 L-38 -152', steel, 9) +
		solid.path('M-74 -170 C-40 -176 -10 -172 -2 -158 C-10 -144 -46 -146 -66 -148 Z', iron) +
		circle(-86, -58, 9, accent) +
		circle(86, -58, 9, accent),

	fox: ({ accent }) =>
		solid.path('M66 -20 C136 -24 142 -120 100 -142 C108 -96 84 -70 54 -64 Z', '#d9652c') +
		path('M100 -142 C126 -126 128 -94 118 -76 C112 -92 104 -108 100 -142 Z', linen) +
		solid.path('M-64 0 C-84 -60 -50 -132 0 -132 C50 -132 84 -60 64 0 Z', '#d9652c') +
		path('M-34 0 C-42 -56 -18 -92 0 -92 C18 -92 42 -56 34 0 Z', linen) +
		bothSides(
			path('M34 -232 L84 -280 L86 -202 Z', '#d9652c') + path('M50 -234 L76 -258 L76 -214 Z', '#5a2a18'),
		) +
		solid.path(
			'M-92 -196 C-72 -252 72 -252 92 -196 C74 -150 28 -122 0 -116 C-28 -122 -74 -150 -92 -196 Z',
			'#d9652c',
		) +
		path(
			'M-88 -190 C-54 -192 -16 -168 0 -118 C16 -168 54 -192 88 -190 C72 -150 28 -122 0 -116 C-28 -122 -72 -150 -88 -190 Z',
			linen,
		) +
		bothSides(circle(38, -192, 8, iron) + ellipse(38, -10, 26, 14, '#b94f1f')) +
		ellipse(0, -128, 13, 10, iron) +
		rect(-60, -122, 120, 20, accent, 10) +
		solid.rect(18, -114, 26, 62, accent, 5),

	train: ({ main, accent }) =>
		line('M-168 -8 L168 -8', oakDark, 8) +
		each([-150, -110, -70, -30, 10, 50, 90, 130], (x) => rect(x, -6, 20, 8, oak)) +
		solid.rect(-150, -78, 104, 46, birch, 6) +
		solid.path('M-140 -78 C-130 -112 -108 -92 -98 -112 C-84 -98 -66 -104 -56 -78 Z', leafDark) +
		line('M-48 -46 L-22 -46', iron, 6) +
		solid.rect(-26, -70, 166, 38, accent, 6) +
		solid.rect(30, -128, 104, 62, main, 28) +
		solid.rect(-22, -160, 66, 94, main, 6) +
		rect(-8, -142, 38, 38, linen, 4) +
		rect(-32, -174, 86, 18, accent, 6) +
		solid.path('M92 -166 L122 -166 L116 -126 L98 -126 Z', iron) +
		each([108, 122, 146], (x) => circle(x + 2, -190 - (x - 108), 10 + (x - 108) / 4, '#ffffffb3')) +
		each([-126, -70, 4, 60, 112], (x) => wheel(x, -28, 22)),

	playTent: ({ main, accent }) =>
		line('M-26 -296 L104 0 M26 -296 L-104 0 M0 -300 L0 -262', oak, 8) +
		solid.path('M0 -262 L116 0 L-116 0 Z', linen) +
		each([0, 1, 2, 3], (i) =>
			path(
				`M${-26 - i * 26} ${-202 + i * 58} L${26 + i * 26} ${-202 + i * 58} L${36 + i * 26} ${-180 + i * 58} L${-36 - i * 26} ${-180 + i * 58} Z`,
				main,
			),
		) +
		path('M0 -176 L56 0 L-56 0 Z', '#3a2b3f') +
		path('M0 -176 L-56 0 L-86 0 C-50 -50 -16 -96 0 -176 Z', accent) +
		path('M0 -176 L56 0 L86 0 C50 -50 16 -96 0 -176 Z', accent) +
		path('M4 -298 L44 -286 L6 -272 Z', main),

	crayons: ({ main, accent }) =>
		each([0, 1, 2, 3, 4, 5, 6, 7], (i) => {
			const height = 142 + ((i * 37) % 46);
			const x = -104 + i * 27;
			const fill = CRAYONS[i] ?? main;
			return (
				solid.rect(x, -height, 22, height - 20, fill, 3) +
				path(`M${x + 2} ${-height} L${x + 11} ${-height - 26} L${x + 20} ${-height} Z`, fill)
			);
		}) +
		solid.rect(-122, -108, 244, 108, main, 10) +
		rect(-122, -76, 244, 46, linen) +
		path('M-60 -38 L-26 -68 L-2 -46 L14 -60 L44 -38 Z', accent) +
		circle(66, -54, 10, accent),

	boots: ({ main, accent }) =>
		each([0, 1], (i) =>
			place(
				solid.path(
					'M-40 -190 L34 -190 L36 -88 C48 -66 92 -70 100 -36 L100 -14 L-44 -14 Z',
					i === 0 ? accent : main,
				) +
					solid.rect(-48, -20, 152, 20, linen, 7) +
					rect(-44, -176, 82, 9, '#ffffff8c') +
					`<path d="M-22 -192 C-22 -216 16 -216 16 -192" fill="none" stroke="${linen}" stroke-width="8"/>` +
					line('M-22 -44 L-22 -152', '#ffffff59', 8),
				i * 92 - 84,
				i * 2 - 10,
				0,
				1.02,
			),
		) +
		ellipse(-128, 0, 30, 6, '#ffffff59') +
		ellipse(140, 4, 30, 6, '#ffffff59'),

	climbing: ({ main, accent }) =>
		line('M-70 -204 L10 -4 M-70 -204 L-132 -4', oakDark, 13) +
		each([0, 1, 2, 3], (i) =>
			line(`M${-122 + i * 14} ${-36 - i * 44} L${-12 + i * 14} ${-58 - i * 44}`, CRAYONS[i] ?? main, 11),
		) +
		each([0, 1, 2, 3], (i) =>
			line(`M${-4 - i * 17} ${-36 - i * 44} L${112 - i * 17} ${-58 - i * 44}`, CRAYONS[i + 1] ?? main, 11),
		) +
		line('M-70 -204 L46 -226', steel, 11) +
		line('M46 -226 L126 -26 M46 -226 L-16 -26', oak, 13) +
		circle(-70, -204, 11, accent) +
		circle(46, -226, 11, accent),

	memoryGame: ({ main, accent }) =>
		each([0, 1, 2, 3, 4, 5], (i) => {
			const art = [
				path('M0 -30 L24 14 L-24 14 Z', leafDark) + rect(-4, 14, 8, 14, oakDark),
				circle(0, -8, 20, accent) + rect(-5, 8, 10, 18, oak),
				'',
				path('M-26 16 L-6 -22 L6 -2 L14 -12 L28 16 Z', main),
				'',
				place(path('M0 24 C-26 0 -20 -24 0 -34 C20 -24 26 0 0 24Z', leaf), 0, 4),
			][i] as string;
			const x = ((i % 3) - 1) * 94;
			const y = -62 - Math.floor(i / 3) * 94;
			return place(
				solid.rect(-42, -42, 84, 84, art === '' ? main : linen, 10) +
					(art === '' ? line('M-20 0 L0 -20 L20 0 L0 20 Z', accent, 6) : art),
				x,
				y,
				(i % 2) * 4 - 2,
			);
		}) + solid.rect(-128, -14, 256, 14, oak, 4),

	nightLight: ({ main, accent }) =>
		circle(0, -164, 150, '#fff3c426') +
		circle(0, -164, 122, '#fff3c440') +
		circle(0, -164, 96, glow) +
		circle(-30, -196, 17, '#f4cf7c') +
		circle(36, -150, 24, '#f4cf7c') +
		circle(-22, -126, 12, '#f4cf7c') +
		path('M40 -252 A96 96 0 0 1 40 -76 A130 130 0 0 0 40 -252 Z', '#00000014') +
		solid.path('M-70 -72 C-40 -48 40 -48 70 -72 L58 -22 L-58 -22 Z', main) +
		solid.rect(-82, -24, 164, 24, oak, 10) +
		each([-130, 132, -104], (x) =>
			place(path('M0 -14 L4 -4 L14 0 L4 4 L0 14 L-4 4 L-14 0 L-4 -4 Z', accent), x, -250 + Math.abs(x % 50)),
		),
} satisfies Record<string, Motif>;
