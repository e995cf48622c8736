import type { EnglishCategory } from './phrases.js';

/** English sentences about the kids' products. */
export const ENGLISH_KIDS: EnglishCategory = {
	praise: {
		use: [
			'Our daughter (3) has played with little else since her birthday.',
			'Both kids love it, which never happens.',
			'It is the first thing that is carried to the sofa in the morning.',
			'The grandparents bought a second one for their house.',
			'It has been passed on to the little brother already.',
			'A hit at nursery too.',
		],
		quality: [
			'No splinters, no sharp corners, no smell.',
			'It went into a mouth within seconds, so I am glad about the materials.',
			'Made so well that it will be handed down.',
			'You can feel that it was not made for one season.',
		],
		durability: [
			'Thrown, dropped, sat upon: still whole.',
			'It has been outside overnight, more than once.',
			'Third child in a row, and it looks fine.',
		],
		design: [
			'Colourful without being loud.',
			'For once a thing for children that may stay in the living room.',
			'Sweet 🦊🌲',
		],
	},
	criticism: {
		use: [
			'Our son lost interest after two days.',
			'Rather for older children than stated.',
			'The instructions are a riddle.',
		],
		quality: [
			'The colour rubbed off a little.',
			'One part was missing, and it took a while to come.',
			'It showed wear in the first week.',
		],
		size: ['Smaller than it looks in the photo.', 'Needs more room than we have.'],
	},
	products: {
		'p-51': {
			thing: 'blocks',
			isPlural: true,
			praise: [
				'The sizes fit each other exactly, so towers really stand.',
				'The sound of maple is so much nicer than plastic.',
				'Enough for two builders and one destroyer.',
			],
			gripes: ['The bag is too small for all of them.', 'A few had rough edges that I sanded.'],
			questions: [['How many are there?', '60 blocks in 8 shapes, and a cotton bag.']],
		},
		'p-52': {
			thing: 'bike',
			praise: [
				'Two weeks, and he was faster than I can jog.',
				'The saddle goes low enough for a small two-year-old.',
				'The step to a real bike was made in an afternoon.',
			],
			gripes: ['The bell broke at once.', 'The tyres came flat, and the pump does not fit.'],
			questions: [['From what height of child?', 'From 85 cm. The saddle goes from 31 to 42 cm.']],
		},
		'p-53': {
			thing: 'fox',
			praise: [
				'He is called Rolf and must come everywhere.',
				'Washed at 30 degrees four times: Rolf is fine.',
				'The ears are perfect for sleepy fingers.',
			],
			gripes: ['The nose came unstitched.', 'Hand wash only would have been good to know.'],
			questions: [['Is it safe for babies?', 'Yes, from birth. The eyes are stitched.']],
		},
		'p-54': {
			thing: 'train set',
			praise: [
				'Fits the tracks that we already had.',
				'The bridge is the best part, ask my nephew.',
				'The magnets are strong enough for eleven wagons.',
			],
			gripes: ['Two tracks do not fit together without force.', 'I would have liked one more switch.'],
			questions: [['Is it compatible with other wooden tracks?', 'Yes, with the common ones.']],
		},
		'p-55': {
			thing: 'play tent',
			praise: [
				'It is a castle, a shop and a dentist’s, all in one day.',
				'Packed away behind the wardrobe in a minute.',
				'The cotton can be washed, and had to be.',
			],
			gripes: [
				'The poles slip out when they play wildly.',
				'Creased on arrival, and ironing a tent is no fun.',
			],
			questions: [['What are the measurements?', '110 by 110 cm on the floor, 150 cm high.']],
		},
		'p-56': {
			thing: 'crayons',
			isPlural: true,
			praise: [
				'They smell of honey, and the colours glow.',
				'They do not snap, even in a three-year-old’s fist.',
				'Comes off the table with warm water. Off the wall too, almost.',
			],
			gripes: ['The white one does nothing on white paper, ha ha.', 'Softer in summer than I would like.'],
			questions: [['Are they washable?', 'From skin and smooth surfaces, yes. From cotton, only sometimes.']],
		},
		'p-57': {
			thing: 'boots',
			isPlural: true,
			praise: [
				'He can put them on by himself, thanks to the loops.',
				'Every puddle between home and nursery, and dry socks.',
				'Natural rubber that does not stink.',
			],
			gripes: [
				'They run large, we fill up with two pairs of socks.',
				'A crack at the ankle after four months.',
			],
			questions: [['Are they lined?', 'With cotton. For winter there are felt insoles.']],
		},
		'p-58': {
			thing: 'climbing triangle',
			praise: [
				'First she only looked, now she hangs upside down.',
				'Stands like a rock, even with two cousins on it.',
				'Folds up, so that we get our living room back in the evening.',
			],
			gripes: ['The bolts have to be tightened every few weeks.', 'It takes up half the room.'],
			questions: [['Up to what weight?', '60 kg, and at most two children.']],
		},
		'p-59': {
			thing: 'memory game',
			praise: ['The drawings are lovely.', 'I lose every time against a four-year-old.'],
			gripes: ['The cards are thin.'],
			questions: [['How many pairs?', '32, with a sheet that names the animals.']],
		},
		'p-60': {
			thing: 'night light',
			praise: [
				'No more calls at two in the morning. Thank you, moon 🌙',
				'The dimmest level is truly dim.',
				'Charged once a week, and that is enough.',
			],
			gripes: ['The charging cable is very short.', 'The touch sensor reacts to the blanket.'],
			questions: [['How long does it shine?', 'About 40 hours on the lowest level, 8 on the highest.']],
		},
	},
};
