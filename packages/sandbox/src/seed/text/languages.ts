import type { ProductCategory } from '../products.js';
import { ARABIC, ARABIC_CATEGORIES } from './arabic.js';
import { ENGLISH } from './english.js';
import { ENGLISH_DESK } from './english-desk.js';
import { ENGLISH_GARDEN } from './english-garden.js';
import { ENGLISH_HOME } from './english-home.js';
import { ENGLISH_KIDS } from './english-kids.js';
import { ENGLISH_KITCHEN } from './english-kitchen.js';
import { ENGLISH_OUTDOOR } from './english-outdoor.js';
import { FRENCH, FRENCH_CATEGORIES } from './french.js';
import { GERMAN, GERMAN_CATEGORIES } from './german.js';
import { HEBREW, HEBREW_CATEGORIES } from './hebrew.js';
import { JAPANESE, JAPANESE_CATEGORIES } from './japanese.js';
import type { CategoryPhrases, EnglishCategory, LanguagePhrases } from './phrases.js';
import { PORTUGUESE, PORTUGUESE_CATEGORIES } from './portuguese.js';
import { SPANISH, SPANISH_CATEGORIES } from './spanish.js';

/** A language of reviews. */
export interface Language {
	/** Relative frequency: a share of the sum of all weights. */
	readonly weight: number;
	readonly phrases: LanguagePhrases;
	readonly categories: Readonly<Record<ProductCategory, CategoryPhrases>>;
}

/** The English sentences by category, including those for individual products. */
export const ENGLISH_CATEGORIES: Readonly<Record<ProductCategory, EnglishCategory>> = {
	kitchen: ENGLISH_KITCHEN,
	home: ENGLISH_HOME,
	garden: ENGLISH_GARDEN,
	outdoor: ENGLISH_OUTDOOR,
	desk: ENGLISH_DESK,
	kids: ENGLISH_KIDS,
};

/** Mostly English; English must stay first. */
export const LANGUAGES: readonly [Language, ...Language[]] = [
	{ weight: 66, phrases: ENGLISH, categories: ENGLISH_CATEGORIES },
	{ weight: 9, phrases: GERMAN, categories: GERMAN_CATEGORIES },
	{ weight: 7, phrases: FRENCH, categories: FRENCH_CATEGORIES },
	{ weight: 6, phrases: SPANISH, categories: SPANISH_CATEGORIES },
	{ weight: 5, phrases: PORTUGUESE, categories: PORTUGUESE_CATEGORIES },
	{ weight: 3, phrases: JAPANESE, categories: JAPANESE_CATEGORIES },
	{ weight: 2, phrases: ARABIC, categories: ARABIC_CATEGORIES },
	{ weight: 2, phrases: HEBREW, categories: HEBREW_CATEGORIES },
];
