import type { EnglishCategory } from './phrases.js';

/** English sentences about the garden products. */
export const ENGLISH_GARDEN: EnglishCategory = {
	praise: {
		quality: [
			'Made for people who really garden.',
			'No plastic, nothing that rattles.',
			'The {thing} feel{s} as if {it} could outlive me.',
			'I have handled cheaper ones, and the difference is clear.',
		],
		durability: [
			'A whole winter in the garden, and nothing happened.',
			'Hail, frost and a badly aimed football: still fine.',
			'A whole season of daily use, and as good as new.',
			'Rain does not bother it.',
		],
		use: [
			'My allotment neighbours have all asked about it.',
			'It has turned weeding into something close to fun.',
			'Good for the balcony too, you do not need acres.',
			'{Person} has a bad back, and manages fine.',
			'Used every evening from April on.',
		],
		design: [
			'Pretty enough to leave lying about 🌿',
			'It suits an old garden and a new one.',
			'Ages beautifully.',
		],
	},
	criticism: {
		durability: [
			'The surface began to flake after the first winter.',
			'It does not like frost, so I have to carry it in.',
			'It did not survive the second season.',
		],
		use: [
			'Takes some getting used to.',
			'The instructions could be clearer.',
			'Pretty, but I reach for my old one more often.',
		],
		quality: ['Two parts did not quite fit together.', 'One edge was rougher than it should be.'],
	},
	products: {
		'p-21': {
			thing: 'watering can',
			praise: [
				'The fine rose does not wash the seedlings away.',
				'Balances well, full or empty.',
				'The long spout gets to the back of the shelf.',
			],
			gripes: ['It drips at the seam when it is full.', 'Two litres is not a lot for thirty pots.'],
			questions: [
				['Will the copper turn green?', 'Outdoors, slowly. Vinegar and salt bring the shine back.'],
			],
		},
		'p-22': {
			thing: 'planter',
			praise: [
				'My olive tree has put on ten centimetres since it moved in.',
				'The drainage hole is where it should be, and the saucer fits.',
				'Thick walls: the soil stays moist much longer.',
			],
			gripes: ['Arrived with a hairline crack.', 'White bloom on the outside after a few weeks.'],
			questions: [
				['Is it frost-proof?', 'Down to −15 °C, as long as water can drain and it stands on feet.'],
			],
		},
		'p-23': {
			thing: 'trowel',
			praise: [
				'Goes through roots like butter.',
				'The depth marks help with bulbs.',
				'One piece of steel: nothing that could bend at the neck.',
			],
			gripes: ['The handle was a bit loose.', 'Heavier than I like for long afternoons.'],
			questions: [['Is the handle treated?', 'Ash, with linseed oil. Rub it down once a year.']],
		},
		'p-24': {
			thing: 'secateurs',
			isPlural: true,
			praise: [
				'Clean cuts, even on old roses as thick as a thumb.',
				'The lock works with one hand.',
				'Spare blades exist, which decided it for me.',
			],
			gripes: ['The spring jumped out twice.', 'Too wide for small hands.'],
			questions: [['How thick a branch can they cut?', 'Up to 22 mm of green wood.']],
		},
		'p-25': {
			thing: 'chair',
			praise: [
				'Comfortable enough to fall asleep in, tested.',
				'Folds flat: four of them hang on one hook in the shed.',
				'Stands firmly on uneven grass.',
			],
			gripes: ['My finger got caught when I folded it.', 'The slats press after an hour without a cushion.'],
			questions: [['How much weight does it carry?', '120 kg.']],
		},
		'p-26': {
			thing: 'bird feeder',
			praise: [
				'Blue tits within a day, a woodpecker within a week!',
				'The squirrels have given up, more or less.',
				'The roof lifts off, so it is cleaned in a minute.',
			],
			gripes: ['The seed gets wet in driving rain.', 'The squirrels had it open in an hour.'],
			questions: [['How much seed does it hold?', 'About 1.5 kg.']],
		},
		'p-27': {
			thing: 'gloves',
			isPlural: true,
			praise: [
				'No thorn has come through so far, and I have eleven roses.',
				'After a week they fit like a second skin.',
				'You can still feel a seedling between your fingers.',
			],
			gripes: ['The sizes run small.', 'Stiff as a board after the first rain.'],
			questions: [['How do I find my size?', 'Measure around the palm: 18 cm is S, 20 cm M, 22 cm L.']],
		},
		'p-28': {
			thing: 'cold frame',
			praise: [
				'Salad in March, for the first time in my life.',
				'The lid props open at three heights.',
				'Built by two people in half an hour, and it is square.',
			],
			gripes: ['The holes were not pre-drilled as the sheet says.', 'The lid caught the wind and flew off.'],
			questions: [['Is the lid glass?', 'No, 6 mm twin-wall polycarbonate, so that a ball does no harm.']],
		},
		'p-29': {
			thing: 'lights',
			isPlural: true,
			praise: [
				'A warm light, not that hospital blue.',
				'They come on by themselves and last until midnight.',
			],
			gripes: ['In winter they are dark after two hours.'],
			questions: [['Can the batteries be replaced?', 'Yes: one AA rechargeable cell each.']],
		},
		'p-30': {
			thing: 'fire bowl',
			praise: [
				'The rust is the point, and it turns a deeper red every month.',
				'Burns evenly, thanks to the holes in the base.',
				'Six of us sat around it until two in the morning.',
			],
			gripes: ['The rust runs off and stains the terrace.', 'There is no lid, so it fills with rain.'],
			questions: [['Can I put it on decking?', 'Only with a stone or steel plate underneath.']],
		},
	},
};
