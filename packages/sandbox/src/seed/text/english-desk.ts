import type { EnglishCategory } from './phrases.js';

/** English sentences about the desk products. */
export const ENGLISH_DESK: EnglishCategory = {
	praise: {
		design: [
			'My desk finally looks like a desk and not like a server room.',
			'Colleagues in video calls keep asking about it.',
			'Understated, and it hides nothing because there is nothing to hide.',
			'Looks good next to a silver laptop and a very old lamp.',
			'Nicer than anything from the office catalogue.',
		],
		quality: [
			'Precise: no gaps, no glue marks.',
			'The {thing} feel{s} dense and well balanced.',
			'Every edge is finished by somebody who cares.',
			'Real material instead of print.',
		],
		use: [
			'Working from home has become a good deal more pleasant.',
			'I did not know that I needed this, and now I do.',
			'It keeps me (almost) tidy.',
			'{Person} has moved theirs to the kitchen table, too.',
			'Exactly the right size for a small home office.',
		],
		care: ['Wipe, done.', 'Coffee spilled, coffee gone.'],
	},
	criticism: {
		size: ['A few centimetres more would have helped.', 'A little too large for my narrow desk.'],
		quality: [
			'One corner was bruised.',
			'The material is nice, the finish is not.',
			'It had a mark that no amount of rubbing removes.',
		],
		use: [
			'Pretty, but not very practical.',
			'I had hoped for more use and less looks.',
			'I find that I do not use it.',
		],
	},
	products: {
		'p-41': {
			thing: 'stand',
			praise: [
				'My neck has stopped hurting after two weeks.',
				'The keyboard goes underneath, and there is room to write again.',
				'Carries a 32-inch screen without bending.',
			],
			gripes: [
				'The walnut is much lighter than in the picture.',
				'The height is fixed, and a little low for me.',
			],
			questions: [['How high is it?', '11 cm, with 9.5 cm of clear space below.']],
		},
		'p-42': {
			thing: 'mat',
			praise: [
				'The mouse glides, the keyboard is quieter.',
				'My wrists are warm in the morning, which I had not expected.',
				'It lies flat, with no curling corners.',
			],
			gripes: ['It attracts every crumb.', 'It pilled where my arm rests.'],
			questions: [['How thick is it?', '4 mm of wool felt on cork.']],
		},
		'p-43': {
			thing: 'pen',
			praise: [
				'Starts at once, even after a week in the drawer.',
				'The weight makes my handwriting slower and better.',
				'A smooth nib: no scratching on cheap paper.',
			],
			gripes: ['My fingers smell of brass.', 'It leaked in the plane.'],
			questions: [
				['Does it take a converter?', 'Yes, the standard international kind. One cartridge is included.'],
			],
		},
		'p-44': {
			thing: 'notebook',
			praise: [
				'Fountain pen ink does not bleed through.',
				'Opens flat from page one.',
				'The dots are pale enough to disappear when you draw.',
				'The fourth one in a row.',
			],
			gripes: ['The ribbon frays.', 'Pages come loose near the end.'],
			questions: [['How heavy is the paper?', '100 g/m², 192 pages, numbered.']],
		},
		'p-45': {
			thing: 'lamp',
			praise: [
				'Stays exactly where you put it.',
				'Warm light for the evening, cool light for soldering.',
				'No flicker, even on camera.',
			],
			gripes: ['The joint creaks.', 'The clamp does not fit table tops thicker than 4 cm.'],
			questions: [['Can it be dimmed?', 'Yes, in five steps, by a touch on the head.']],
		},
		'p-46': {
			thing: 'tray',
			praise: ['Two of them stack well.', 'The post has a home at last.'],
			gripes: ['US letter paper is a tight fit.'],
			questions: [['Does it stack?', 'Yes, up to four.']],
		},
		'p-47': {
			thing: 'pen cup',
			praise: [
				'Heavy enough not to fall over with twelve pens in it.',
				'The glaze has tiny speckles, each one is different.',
				'It has held brushes, scissors and, for a day, tulips.',
			],
			gripes: ['The rim is chipped inside.', 'Short pencils vanish in it.'],
			questions: [['How high is it?', '10.5 cm, 8 cm across.']],
		},
		'p-48': {
			thing: 'cable dock',
			praise: [
				'The cables no longer fall behind the desk. Life has changed.',
				'The magnets hold tight and let go when you want them to.',
				'The glue pad came off without a trace when I moved it.',
			],
			gripes: ['Too narrow for braided cables.', 'The pad came loose in the heat.'],
			questions: [['How many cables does it hold?', 'Five, each up to 5 mm thick.']],
		},
		'p-49': {
			thing: 'pin board',
			praise: ['Thick cork: pins hold at once.', 'Big enough for the plan of a year.'],
			gripes: ['The cork crumbles around the holes.'],
			questions: [['Are pins included?', 'Twelve, of beech and steel.']],
		},
		'p-50': {
			thing: 'calendar',
			praise: [
				'Turning the day has become my morning ritual.',
				'The digits are easy to read from across the room.',
				'Never again a new calendar in January.',
			],
			gripes: ['I forget to turn it, so it is always last Tuesday.', 'The month plates are stiff.'],
			questions: [['In which languages are the months?', 'They are numbers, so in all of them.']],
		},
	},
};
