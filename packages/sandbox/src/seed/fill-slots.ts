import type { Random } from './random.js';
import type { ProductPhrases } from './text/phrases.js';

/** How English sentences refer to the product. */
export type Naming = Pick<ProductPhrases, 'thing' | 'isPlural'>;

/** Fills the slots of an English sentence: the product, a person, a duration, a time. */
export function fillSlots(sentence: string, { thing, isPlural }: Naming, random: Random): string {
	return sentence.replace(/\{(\w+)\}/g, (slot, name: string) => {
		switch (name) {
			case 'thing':
				return thing;
			case 'it':
				return isPlural ? 'they' : 'it';
			case 'them':
				return isPlural ? 'them' : 'it';
			case 's':
				return isPlural ? '' : 's';
			case 'person':
				return random.pick(PEOPLE);
			case 'Person':
				return capitalised(random.pick(PEOPLE));
			case 'duration':
				return random.pick(DURATIONS);
			case 'season':
				return random.pick(SEASONS);
			default:
				return slot;
		}
	});
}

const PEOPLE = [
	'my sister',
	'my brother',
	'my husband',
	'my wife',
	'my mother',
	'my father-in-law',
	'my neighbour',
	'my best friend',
	'my flatmate',
	'my partner',
	'my daughter',
	'my aunt',
];
const DURATIONS = [
	'three weeks',
	'two months',
	'four months',
	'half a year',
	'eight months',
	'a good year',
	'two winters',
	'nearly two years',
];
const SEASONS = ['spring', 'summer', 'autumn', 'winter', 'March', 'late September'];

function capitalised(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
