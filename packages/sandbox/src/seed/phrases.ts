import type { z } from 'zod';
import arabic from '../data/arabic.json' with { type: 'json' };
import english from '../data/english.json' with { type: 'json' };
import french from '../data/french.json' with { type: 'json' };
import german from '../data/german.json' with { type: 'json' };
import hebrew from '../data/hebrew.json' with { type: 'json' };
import japanese from '../data/japanese.json' with { type: 'json' };
import portuguese from '../data/portuguese.json' with { type: 'json' };
import spanish from '../data/spanish.json' with { type: 'json' };
import written from '../data/written-reviews.json' with { type: 'json' };
import type { input } from '../records.js';
import type { ProductCategory } from './products.js';

/** Sentences by topic. */
export type TopicPhrases = Readonly<Record<string, readonly string[]>>;

interface LanguagePhrases {
	readonly openings: readonly string[];
	readonly praise: TopicPhrases;
	readonly criticism: TopicPhrases;
	readonly closings: { readonly good: readonly string[]; readonly bad: readonly string[] };
	readonly titles: {
		readonly good: readonly string[];
		readonly mixed: readonly string[];
		readonly bad: readonly string[];
	};
	/** Complete reviews of a few words, for four stars and more. */
	readonly short: readonly string[];
	/** First names; an initial is added. */
	readonly names: readonly string[];
	/** City, state or region, country, country code. */
	readonly places: readonly (readonly [city: string, state: string, country: string, code: string])[];
	/** Separator between sentences; empty in Japanese. */
	readonly space: string;
}

interface CategoryPhrases {
	readonly praise: TopicPhrases;
	readonly criticism: TopicPhrases;
}

/** Phrases for one product, in English. */
export interface ProductPhrases {
	/** Common noun for it: `kettle`. */
	readonly thing: string;
	/** Set if the noun is a plural: `boots`. */
	readonly isPlural?: true;
	readonly praise: readonly string[];
	readonly gripes: readonly string[];
	readonly questions: readonly (readonly [question: string, answer: string])[];
}

/** English also has phrases for individual products. */
export interface EnglishCategory extends CategoryPhrases {
	/** By product id. */
	readonly products: Readonly<Record<string, ProductPhrases>>;
}

/** A language of reviews. */
export interface Language {
	/** Relative frequency: a share of the sum of all weights. */
	readonly weight: number;
	readonly phrases: LanguagePhrases;
	readonly categories: Readonly<Record<ProductCategory, CategoryPhrases>>;
}

type Texts = Omit<Language, 'weight'>;

/** English. Slots are filled in `compose-reviews.ts`: `{thing}`, `{it}`, `{s}` and those of `SLOTS`. */
export const { phrases: ENGLISH, categories: ENGLISH_CATEGORIES } = english as unknown as Texts & {
	readonly categories: Readonly<Record<ProductCategory, EnglishCategory>>;
};

/** Texts of which English sentences name one, by the slot that they fill. */
export const SLOTS: Readonly<Record<string, readonly string[]>> = english.slots;

/** Mostly English; English must stay first. */
export const LANGUAGES: readonly [Language, ...Language[]] = [
	{ weight: 66, phrases: ENGLISH, categories: ENGLISH_CATEGORIES },
	{ weight: 9, ...(german as unknown as Texts) },
	{ weight: 7, ...(french as unknown as Texts) },
	{ weight: 6, ...(spanish as unknown as Texts) },
	{ weight: 5, ...(portuguese as unknown as Texts) },
	{ weight: 3, ...(japanese as unknown as Texts) },
	{ weight: 2, ...(arabic as unknown as Texts) },
	{ weight: 2, ...(hebrew as unknown as Texts) },
];

/** A hand-written review, as opposed to a generated one. */
interface WrittenReview extends z.output<typeof input.review> {
	/** Date of the review, `YYYY-MM-DD`. */
	readonly day: string;
	/** Number of pictures that the author added. */
	readonly pictures?: number;
	/** Whether the author added a video. */
	readonly video?: true;
}

/** Hand-written reviews by product. */
export const WRITTEN_REVIEWS = written as unknown as Readonly<Record<string, readonly WrittenReview[]>>;
