/** Sentences by the topic that they speak of. */
export type TopicPhrases = Readonly<Record<string, readonly string[]>>;

/** What is said about any product, in one language. */
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
	/** Whole reviews of a few words, for four stars and more. */
	readonly short: readonly string[];
	/** First names; an initial is added. */
	readonly names: readonly string[];
	/** City, state or region, country, country code. */
	readonly places: readonly (readonly [city: string, state: string, country: string, code: string])[];
	/** Goes between sentences; none in Japanese. */
	readonly space: string;
}

/** What is said about the products of one category. */
export interface CategoryPhrases {
	readonly praise: TopicPhrases;
	readonly criticism: TopicPhrases;
}

/** What is said about one product, in English. */
export interface ProductPhrases {
	/** What people call it: `kettle`. */
	readonly thing: string;
	/** Set where people call it by a plural: `boots`. */
	readonly isPlural?: true;
	readonly praise: readonly string[];
	readonly gripes: readonly string[];
	readonly questions: readonly (readonly [question: string, answer: string])[];
}

/** English knows the single products too. */
export interface EnglishCategory extends CategoryPhrases {
	/** By product id. */
	readonly products: Readonly<Record<string, ProductPhrases>>;
}
