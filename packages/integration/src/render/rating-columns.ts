import { compareTexts } from '../base/words.js';
import type { AggregateRating } from '../records/rating.js';
import type { ProductQuestion } from '../records/record.js';

/** The columns of each format, empty where there is nothing to say: spread them into a product's row. */
export interface RatingFields {
	/** OpenAI's product feed: `review_count`, and `star_rating` as a text with two decimals. */
	openai: { readonly review_count?: number; readonly star_rating?: string };
	/** Stripe's product feed: `product_review_count` and `product_review_rating`. */
	stripe: { readonly product_review_count?: number; readonly product_review_rating?: number };
	/** Universal Commerce Protocol: `rating`, with its scale. */
	ucp: {
		readonly rating?: {
			readonly value: number;
			readonly scale_min: number;
			readonly scale_max: number;
			readonly count: number;
		};
	};
	/** Google Merchant Center: `question_and_answer`, with the questions that are answered. Needs a token. */
	'google-questions': {
		readonly question_and_answer?: readonly { readonly question: string; readonly answer: string }[];
	};
}

export type RatingFormat = keyof RatingFields;

export const RATING_COLUMNS = {
	openai: ({ average, count }) => ({ review_count: count, star_rating: average.toFixed(2) }),
	stripe: ({ average, count }) => ({ product_review_count: count, product_review_rating: average }),
	ucp: ({ average, count }) => ({ rating: { value: average, scale_min: 1, scale_max: 5, count } }),
} as const satisfies {
	readonly [Format in Exclude<RatingFormat, 'google-questions'>]: (
		rating: AggregateRating,
	) => RatingFields[Format];
};

export const RATING_FORMATS = [...Object.keys(RATING_COLUMNS), 'google-questions'] as RatingFormat[];

export function questionColumns(questions: readonly ProductQuestion[]): RatingFields['google-questions'] {
	const answered = questions.flatMap(({ question, answer }) =>
		answer === undefined ? [] : { question, answer },
	);
	return answered.length > 0 ? { question_and_answer: answered } : {};
}

/** Rating of a product in the file of the option `feeds.ratings`: `{ count: 0 }` for one without ratings. */
type WrittenRating = AggregateRating | { readonly count: 0 };

export type Ratings = ReadonlyMap<string, WrittenRating>;

export const NOT_RATED: WrittenRating = { count: 0 };

/** The text of that file: one line for each product, in the order of their ids. */
export function writeRatings(ratings: Ratings): string {
	const lines = [...ratings]
		.toSorted(([one], [other]) => compareTexts(one, other))
		.map(([pid, rating]) => `\n\t${JSON.stringify(pid)}: ${JSON.stringify(rating)}`);
	return lines.length > 0 ? `{${lines.join(',')}\n}\n` : '{}\n';
}

/** @throws SyntaxError if somebody else wrote it */
export function readRatings(text: string): Ratings {
	return new Map(Object.entries(JSON.parse(text)));
}
