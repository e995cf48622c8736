import type { EnglishCategory } from './phrases.js';

/** English sentences about the kitchen products. */
export const ENGLISH_KITCHEN: EnglishCategory = {
	praise: {
		quality: [
			'The {thing} feel{s} solid without being clumsy.',
			'You notice the quality the moment you pick {them} up.',
			'No rough edges anywhere, and I looked.',
			'Properly made, down to the parts that nobody sees.',
		],
		use: [
			'We cook a lot, and hardly a day goes by without {them}.',
			'Gets used for breakfast, lunch and dinner here.',
			'Even {person}, who never cooks, has started to like the kitchen.',
			'It has made me tidy up the rest of the worktop.',
			'Much nicer to use than what we had before.',
		],
		care: [
			'Quick to clean, which is what counts after a long dinner.',
			'A quick wash by hand and done.',
			'Tomato sauce, turmeric, coffee: everything came off.',
		],
		design: [
			'I leave {them} out on purpose because {it} look{s} so good.',
			'Fits in with my grandmother’s things and with the new ones.',
			'Calm shape, lovely surface.',
		],
	},
	criticism: {
		care: [
			'Needs more care than I have time for.',
			'After a few weeks there are stains that do not come off.',
			'Hand wash only, which I had overlooked.',
		],
		quality: [
			'The finish is a little uneven on one side.',
			'There was a small mark on it straight out of the box.',
			'Feels lighter than I expected.',
		],
		size: ['A size larger would be welcome for a family of five.', 'Takes up a lot of room in our drawer.'],
	},
	products: {
		'p-1': {
			thing: 'kettle',
			praise: ['Boils quickly on the gas, and on induction too.', 'Pours without dripping.'],
			gripes: ['The handle gets warm over a large flame.'],
			questions: [
				['Does it work on an induction hob?', 'Yes. The base is flat steel, 14 cm across.'],
				['Does the kettle whistle?', 'No, it has no whistle. You hear it boil, but it will not call you.'],
				['Can it go in the dishwasher?', 'Please rinse it by hand: the wooden handle would not like it.'],
			],
		},
		'p-2': {
			thing: 'skillet',
			praise: [
				'Eggs slide right off after the third time of seasoning.',
				'The crust on a steak is like in a restaurant.',
				'Goes from the hob straight into the oven: cornbread every Sunday.',
				'Holds the heat so well that I turn the gas down earlier now.',
			],
			gripes: [
				'It is heavy, I need both hands to pour anything out.',
				'Mine came with a spot of rust near the handle.',
			],
			questions: [
				['Is it seasoned already?', 'Yes, once, with rapeseed oil. Do it again before acid sauces.'],
			],
		},
		'p-3': {
			thing: 'board',
			praise: [
				'Does not slide, even when I cut a pumpkin.',
				'The groove catches all the juice of a roast chicken.',
				'Oiled it twice, and it drinks it up and shines.',
				'Kind to my knives, they stay sharp longer.',
			],
			gripes: ['It warped a little because I put it away wet.', 'Heavy to lift out of the sink.'],
			questions: [
				[
					'Which oil should I use?',
					'Any food-safe oil that hardens: linseed or walnut, thinly, twice a year.',
				],
			],
		},
		'p-4': {
			thing: 'coffee set',
			praise: [
				'My morning coffee takes four minutes now, and I enjoy each of them.',
				'The pour is thin and steady, so the bloom works every time.',
				'Takes standard paper filters, thank goodness.',
				'The carafe does not drip on the table.',
			],
			gripes: ['The glass is thin; I would not hand it to a child.', 'Two cups at once is the most.'],
			questions: [['Which filters fit?', 'Cone filters of size 02. Ten are in the box.']],
		},
		'p-5': {
			thing: 'bowls',
			isPlural: true,
			praise: [
				'Every bowl has a slightly different glaze, which I love.',
				'Just right for ramen, porridge and far too much ice cream.',
				'They stack neatly and do not wobble.',
				'Out of the dishwasher every night, and not one chip.',
			],
			gripes: ['They get very hot in the microwave.', 'One of the four stood crooked.'],
			questions: [['How much does one bowl hold?', '600 ml to the rim, 450 ml if you carry it with care.']],
		},
		'p-6': {
			thing: 'servers',
			isPlural: true,
			praise: [
				'Light in the hand, and they do not scratch the glass bowl.',
				'Long enough for the big salad bowl at family dinners.',
				'The curve picks up even the last rocket leaf.',
			],
			gripes: ['The wood went grey after a month.', 'A little short for a deep bowl.'],
			questions: [['Are they oiled?', 'Yes, with linseed oil. No varnish.']],
		},
		'p-7': {
			thing: 'tea towels',
			isPlural: true,
			praise: [
				'They dry glasses without leaving fluff.',
				'Softer with every wash.',
				'They dry overnight on the oven door.',
				'The loop is sewn on properly, at last.',
			],
			gripes: [
				'They shrank by some four centimetres.',
				'Stiff at first, and not very absorbent until the third wash.',
			],
			questions: [
				['At what temperature can I wash them?', 'At 60 degrees. Expect them to shrink by about 4 %.'],
			],
		},
		'p-8': {
			thing: 'mills',
			isPlural: true,
			praise: [
				'The grind goes from dust to coarse, and stays where I set it.',
				'They leave no mess on the table because they stand upside down.',
				'The ceramic mechanism eats even the damp sea salt.',
			],
			gripes: ['You cannot tell from above which one is the salt.', 'The pepper mill squeaks.'],
			questions: [['Are they filled?', 'No, they come empty. Any corns and any dry salt will do.']],
		},
		'p-9': {
			thing: 'bread crock',
			praise: [
				'Sourdough stays good for five days in here.',
				'The lid doubles as a small board.',
				'No more mould, not even in August.',
			],
			gripes: ['A long loaf has to be cut in half first.', 'The lid has chipped at the rim.'],
			questions: [['Will a 1 kg loaf fit?', 'A round one, yes. The inside measures 30 by 20 by 17 cm.']],
		},
		'p-10': {
			thing: 'paring knife',
			praise: [
				'Sharp out of the box, it goes through a tomato by its own weight.',
				'Takes a new edge after six strokes on the stone.',
				'The handle fits small hands as well.',
				'The blade has turned a lovely dark grey.',
			],
			gripes: [
				'Rusts if you leave it in the sink for ten minutes, be warned.',
				'The sheath is sold separately.',
			],
			questions: [
				[
					'Is the blade stainless?',
					'No, it is carbon steel: it darkens with use. Wipe it dry after cutting.',
				],
			],
		},
	},
};
