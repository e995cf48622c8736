import type { EnglishCategory } from './phrases.js';

/** English sentences about the home products. */
export const ENGLISH_HOME: EnglishCategory = {
	praise: {
		design: [
			'The room looks finished at last.',
			'Quiet enough to stay, good enough to be noticed.',
			'Looks far more expensive than it was.',
			'The photos do not show how warm the material is.',
			'Goes well with dark furniture.',
		],
		quality: [
			'Carefully finished on the back as well.',
			'The {thing} feel{s} like something my grandparents would have owned.',
			'You can see that a person made this, and I mean it as praise.',
			'Natural material, and it smells like it.',
		],
		comfort: [
			'The flat feels warmer since we have had {them}.',
			'{Person} no longer wants to leave the living room.',
			'Exactly the bit of comfort that our hallway needed.',
		],
		care: [
			'Easy to look after.',
			'The cat approves, and so far there is no damage.',
			'A minute of care now and then, and it looks like new.',
		],
	},
	criticism: {
		design: [
			'The colour is darker than on my screen.',
			'Looks a little lost in a large room.',
			'The shade of the two that I ordered differs.',
		],
		quality: [
			'A small flaw that should have been noticed before it was sent.',
			'Feels less solid than it looks.',
			'Mine was made less carefully than the one my sister has.',
		],
		care: ['Shows every speck of dust.', 'Hard to keep clean with two dogs.'],
	},
	products: {
		'p-11': {
			thing: 'throw',
			praise: [
				'Warm without being heavy: we fight over it every evening.',
				'Does not scratch at all, and I am sensitive.',
				'Big enough for two people and a cat.',
				'Smelled faintly of sheep for a day, which I rather liked.',
			],
			gripes: ['It sheds on dark trousers for the first weeks.', 'The fringe tangles.'],
			questions: [
				[
					'Can it be washed?',
					'Air it first, that is usually enough. Otherwise by hand in cool water with wool soap.',
				],
			],
		},
		'p-12': {
			thing: 'lamp',
			praise: [
				'The light is soft and the whole room looks calmer.',
				'Assembled in ten minutes, without swearing.',
				'Light as a feather: one small hook was enough.',
			],
			gripes: [
				'The paper tore at one rib while I unfolded it.',
				'The cable could be longer for an old flat with high ceilings.',
			],
			questions: [['Is a bulb included?', 'No. It takes E27, LED up to 12 W.']],
		},
		'p-13': {
			thing: 'duvet cover',
			praise: [
				'Cool in summer and warm in winter, I had not believed it.',
				'Never ironed it, and it is supposed to look like that.',
				'The hidden buttons stay shut all night.',
				'Softer after each wash, I now want a second one.',
			],
			gripes: ['The first wash filled the lint filter twice.', 'One button came off on day three.'],
			questions: [
				['Does the set come with pillowcases?', 'No, they are sold one by one, in the same colours.'],
			],
		},
		'p-14': {
			thing: 'coat rack',
			praise: [
				'Holds five winter coats and a rucksack without complaint.',
				'The pegs have a proper tilt, nothing slides off.',
				'Drilling template in the box: two holes, done.',
			],
			gripes: [
				'The wall plugs were useless in our plaster.',
				'The pegs are too close together for thick coats.',
			],
			questions: [['How much does it carry?', 'Up to 5 kg a peg in a solid wall, with the right plugs.']],
		},
		'p-15': {
			thing: 'rug',
			praise: [
				'Lies flat from the first hour on.',
				'Feels pleasant under bare feet, not scratchy as I had feared.',
				'Survived red wine, to my own surprise.',
			],
			gripes: ['Slides on parquet unless you buy a mat for below.', 'Smells of straw for quite some time.'],
			questions: [
				['Is it suitable for underfloor heating?', 'Yes. It is 9 mm thick and lets the warmth through.'],
			],
		},
		'p-16': {
			thing: 'clock',
			praise: [
				'Truly silent, even at night beside the bed.',
				'Easy to read from the other end of the kitchen.',
			],
			gripes: ['It loses about a minute a week.', 'No mark at twelve, I hung it up crooked twice.'],
			questions: [['Does it tick?', 'No, the hand sweeps. One AA cell lasts about a year.']],
		},
		'p-17': {
			thing: 'candle holder',
			praise: ['Heavy, so it stays where it is.', 'Takes on a lovely patina.'],
			gripes: ['Wax is hard to get out.'],
			questions: [
				['Which candles fit?', 'Taper candles of 22 mm. For thinner ones there is a ring in the box.'],
			],
		},
		'p-18': {
			thing: 'towel',
			praise: [
				'Dries within hours, even in our bathroom without a window.',
				'Rolls up small: it comes along to the pool now.',
				'Thin, and yet it takes up more water than the fluffy ones.',
			],
			gripes: [
				'The waffle pattern pulls threads on rough nails.',
				'Not for those who like it thick and soft.',
			],
			questions: [
				['Does it shrink?', 'By some 8 % in the first wash; the measurements given are those after it.'],
			],
		},
		'p-19': {
			thing: 'mirror',
			praise: [
				'Makes our narrow hallway twice as wide.',
				'No distortion, right up to the edge.',
				'The hidden bracket lets you turn it until it is straight.',
			],
			gripes: ['Arrived with a scratch near the rim.', 'The frame shows fingerprints.'],
			questions: [
				['Is it suitable for a bathroom?', 'Yes, the back is sealed. Keep the frame away from splashes.'],
			],
		},
		'p-20': {
			thing: 'basket',
			praise: [
				'Swallows all the toys in one go.',
				'The handles hold even when it is full of firewood.',
				'Keeps its shape when it is empty.',
			],
			gripes: ['It shed bits of grass for two weeks.', 'One handle is higher than the other.'],
			questions: [
				[
					'What are the measurements?',
					'38 cm across and 34 cm high, give or take a centimetre: they are woven by hand.',
				],
			],
		},
	},
};
