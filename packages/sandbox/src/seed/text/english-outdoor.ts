import type { EnglishCategory } from './phrases.js';

/** English sentences about the outdoor products. */
export const ENGLISH_OUTDOOR: EnglishCategory = {
	praise: {
		use: [
			'Came along for {duration} in the Highlands and never let me down.',
			'It is the first thing I pack now.',
			'Works for the commute just as well as for the mountains.',
			'Five days of rain in Jotunheimen: passed.',
			'Weekend trips, school runs, one alpine pass.',
		],
		comfort: [
			'I forgot that I had it with me, and that is the highest praise.',
			'Even after twenty kilometres nothing bothered me.',
			'{Person} is hard to please, and is pleased.',
		],
		quality: [
			'Carefully made, I looked at every detail.',
			'No gimmicks, only what you need.',
			'The material feel{s} tough without being stiff.',
			'Light where it can be, strong where it has to be.',
		],
		durability: [
			'Scraped over granite, and hardly a mark.',
			'Three seasons in, and still going strong.',
			'The repair service sorted out a small problem for free 🏔️',
		],
		size: ['The size is exactly as stated.', 'Packs down smaller than I thought.'],
	},
	criticism: {
		quality: [
			'The finish is careless in two places.',
			'It let me down on the second trip.',
			'One of the small parts broke on day one, miles from anywhere.',
		],
		comfort: ['Takes some getting used to.', 'Pleasant to use at home, less so in the wild.'],
		size: ['I should have taken another size.', 'Bulkier than stated.'],
		durability: ['After one season it looks five years old.'],
	},
	products: {
		'p-31': {
			thing: 'backpack',
			praise: [
				'The hip belt really carries: my shoulders say thank you.',
				'You can reach the bottle while you walk.',
				'The rain cover has its own pocket, and is not forgotten at home.',
				'28 litres are just right for two nights in huts.',
			],
			gripes: ['The chest strap slips.', 'The back gets sweaty on steep climbs.'],
			questions: [['Does a laptop fit?', 'Up to 15 inches in the inner sleeve, though it is not padded.']],
		},
		'p-32': {
			thing: 'base layer',
			praise: [
				'Four days without washing, and nobody moved away from me.',
				'Warm when it is cold, and not too warm uphill.',
				'No itching at all.',
			],
			gripes: ['A moth hole within a month; all right, my fault.', 'The sleeves are short.'],
			questions: [
				['How should I wash it?', 'At 30 degrees, wool programme, no softener. Mostly airing is enough.'],
			],
		},
		'p-33': {
			thing: 'bottle',
			praise: [
				'Tea was still hot after nine hours on the mountain.',
				'Ice cubes survived a day in the car in July.',
				'Does not leak, not even upside down in a bag with a laptop.',
				'Fits the cup holder of my bike.',
				'The lid opens with gloves on.',
				'Water tastes of water, not of metal.',
				'Dropped down a whole flight of stairs: one dent, still tight.',
				'The wide neck takes ice and a brush.',
				'My classes last all day, and so does the coffee in it.',
				'The powder coat does not slip when hands are wet.',
			],
			gripes: [
				'The paint chipped after one week.',
				'The seal smells of coffee for ever.',
				'Does not fit the cup holder of our car.',
				'Heavier than a plain steel bottle, of course.',
				'Hard to get the last water out from under the seal.',
			],
			questions: [
				['Is it dishwasher-safe?', 'The lid is. The bottle keeps its paint longer if you wash it by hand.'],
				['Can I put sparkling water in it?', 'Yes, but open the lid slowly.'],
				['Are spare seals available?', 'Yes, in packs of two, for as long as we make the bottle.'],
				['Does it fit a standard bike cage?', ''],
			],
		},
		'p-34': {
			thing: 'tent',
			praise: [
				'Up in six minutes, the first time, in wind.',
				'Two people plus wet dog fit, somehow.',
				'Not a drop inside after a night of thunder.',
				'The porch is deep enough to cook in when it pours.',
			],
			gripes: ['The pegs bend on the first stone.', 'Condensation drips from above in the morning.'],
			questions: [['How heavy is it?', '2.1 kg with pegs and bag.']],
		},
		'p-35': {
			thing: 'sleeping bag',
			praise: [
				'Slept at minus four in a T-shirt.',
				'Packs down to the size of a loaf of bread.',
				'The zip has a guard and does not eat the lining.',
			],
			gripes: ['Too narrow for people who sleep on their side.', 'It lost feathers at two seams.'],
			questions: [['What is the comfort temperature?', '−2 °C; the limit is −8 °C, by EN ISO 23537.']],
		},
		'p-36': {
			thing: 'jacket',
			praise: [
				'Packs into its own pocket and lives in my handbag.',
				'Bergen for a week, need I say more ☔',
				'The hood turns with my head and has a real peak.',
			],
			gripes: ['Damp inside after an hour uphill.', 'The cuffs are wide, water runs in when you cycle.'],
			questions: [['Is it taped?', 'Yes, all seams. Water column 15,000 mm.']],
		},
		'p-37': {
			thing: 'spork',
			praise: ['Weighs nothing and stirs everything.', 'Gets down to the bottom of the pouch.'],
			gripes: ['Scrapes on the teeth.'],
			questions: [['How long is it?', '21 cm.']],
		},
		'p-38': {
			thing: 'hammock',
			praise: [
				'Hung between two birches within a minute.',
				'Holds two adults and one very excited child.',
				'Best nap of the year.',
			],
			gripes: ['The straps are too short for thick trees.', 'No mosquito net, and there were mosquitoes.'],
			questions: [['Are straps included?', 'Yes, two of 2.5 m, kind to the bark.']],
		},
		'p-39': {
			thing: 'head torch',
			praise: [
				'The red light is a blessing in a shared hut.',
				'Bright enough for running on roots at night.',
				'Charges by USB-C, one cable less.',
			],
			gripes: ['On full power it lasts barely two hours.', 'The button turns it on inside the bag.'],
			questions: [['Is it waterproof?', 'IPX6: heavy rain is fine, diving is not.']],
		},
		'p-40': {
			thing: 'socks',
			isPlural: true,
			praise: [
				'No blisters in new boots: a miracle.',
				'They stay up without cutting in.',
				'I now own nine pairs. Send help.',
				'Dry on the line overnight.',
			],
			gripes: ['The heel wore through after one summer.', 'They run large: size down.'],
			questions: [['Left and right?', 'Yes, the toes are shaped; look for the small L and R.']],
		},
	},
};
