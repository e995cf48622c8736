/** Sentences by topic. */
export type TopicPhrases = Readonly<Record<string, readonly string[]>>;

/** Phrases for any product, in one language. */
export interface LanguagePhrases {
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

/** Phrases for the products of one category. */
export interface CategoryPhrases {
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
