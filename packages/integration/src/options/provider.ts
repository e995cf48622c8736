import { ProductReviewsConfigurationError } from '../errors.js';

/**
 * Source of the reviews instead of the hosted service: the function `reviews`, and optional ones. Each is retried, limited
 * in time, cached and checked like a request to the service. To report a status such as 404 or 429, throw an error with the
 * `Response` as its `cause`; its `Retry-After` is honored. Any other error is tried again, too.
 * @example
 * export default {
 * 	async reviews(pid, { signal }) {
 * 		const response = await fetch(`https://api.example/reviews/${pid}`, { signal });
 * 		if (!response.ok) throw new Error(`status ${response.status}`, { cause: response });
 * 		return { reviews: await response.json() };
 * 	},
 * }
 */
export interface ReviewProvider {
	/**
	 * Identifies the source of the reviews: reviews that were cached for one name are never shown for another.
	 * @default the path of the module. Objects in the configuration that have no name share what is cached.
	 */
	readonly name?: string | undefined;
	/**
	 * Returns the reviews of a product.
	 * @returns `null` for a product without reviews. `undefined`, which a function without `return` gives, is an error.
	 */
	reviews(pid: string, options: ProviderOptions): ProviderReviews | null | Promise<ProviderReviews | null>;
	/**
	 * Returns the ratings of up to 100 products, without products that have none. With this function, builds fetch only
	 * products whose rating changed.
	 * @default star ratings come with the reviews, and builds fetch products according to their age
	 */
	ratings?(
		pids: readonly string[],
		options: ProviderOptions,
	): readonly ProviderRating[] | Promise<readonly ProviderRating[]>;
	/**
	 * Returns a page of the reviews of all products, each with its `pid`, those of a product in the order to show them in. A
	 * build, an update or a refresh of many products reads all pages once, in place of calling `reviews` for each. Leave out
	 * reviews of no product, such as those of the store.
	 * @param cursor `next` of the page before. @default the first page
	 */
	all?(cursor: string | undefined, options: ProviderOptions): ProviderPage | Promise<ProviderPage>;
	/**
	 * Returns the `pid` under which `all` has the reviews of a product, where a store may know products by several ids.
	 * @default the same
	 */
	sourceId?(pid: string): string;
	/**
	 * Returns everything about the reviews of a product, if that takes another request than `reviews`.
	 * @default the answer of `reviews`: builds and updates call that once for a product, whatever pages show of it
	 */
	reviewData?: ReviewProvider['reviews'];
}

/** From a database, a value that is missing is often `null`. */
type Maybe<Value> = Value | null | undefined;

/** Passed to the functions of a provider, after the product IDs. */
export interface ProviderOptions {
	/** Aborts when the answer is no longer waited for: after `timeout`, or when the build ends. */
	readonly signal: AbortSignal;
	/** Reads a variable of the environment: in builds and commands also from `.env` files. */
	readonly env: (name: string) => string | undefined;
}

/** Average and number of all ratings of a product. */
export interface ProviderAggregate {
	/** Stars, 1 to 5. */
	readonly average: number;
	readonly count: number;
}

/** Some of the reviews of all products. */
export interface ProviderPage {
	readonly reviews: readonly (ProviderReview & { readonly pid: string | number })[];
	/** Passed to the call for the next page. @default there is none */
	readonly next?: Maybe<string>;
}

/** The rating of one product among several. */
export interface ProviderRating extends ProviderAggregate {
	readonly pid: string | number;
	/** Number of questions about the product. A build that sees it change fetches the product. */
	readonly questionCount?: Maybe<number>;
}

/**
 * The reviews of a product, as plain data that can be written as JSON. Only `reviews` is needed. All text is read as text,
 * never as markup.
 */
export interface ProviderReviews {
	/** Product ID, if the data has one: an answer about another product is refused. */
	readonly pid?: Maybe<string | number>;
	/** Needed if `reviews` does not have all of them. @default counted from `reviews` */
	readonly aggregate?: Maybe<ProviderAggregate>;
	/** In the order to show them in. */
	readonly reviews: readonly ProviderReview[];
	/** @default the name in the first review that has one */
	readonly productName?: Maybe<string>;
	/** Absolute http(s) address of the product page. @default the address in the first review that has one */
	readonly productUrl?: Maybe<string>;
	/** Number of reviews with one star, and so on. @default counted from `reviews`, if it has all of them */
	readonly distribution?: Maybe<Readonly<Record<1 | 2 | 3 | 4 | 5, number>>>;
	/** Number of reviewers who recommend the product. */
	readonly recommendCount?: Maybe<number>;
	/** Reviews with images or videos. @default those of `reviews` */
	readonly media?: Maybe<readonly ProviderReview[]>;
	readonly questions?: Maybe<readonly ProviderQuestion[]>;
	/** @default the length of `questions` */
	readonly questionCount?: Maybe<number>;
	readonly topics?: Maybe<readonly ProviderTopic[]>;
	/** Summaries of what reviews say about topics, by the language tag of the text. */
	readonly topicSummaries?: Maybe<
		Readonly<Record<string, readonly { readonly topic: string; readonly text: string }[]>>
	>;
	/** Heading of the reviews on English pages. @default the label `heading` */
	readonly heading?: Maybe<string>;
	/** Id of the block of `display="hidden"`, for sites that run a widget. */
	readonly blockId?: Maybe<string>;
	/** Handle of the block of `display="hidden"`, for sites that run a widget. */
	readonly handle?: Maybe<string>;
}

/** One review. A review without rating, title, body, images and videos is left out. */
export interface ProviderReview {
	/** Makes links to the review last. The id never reaches a page. */
	readonly id?: Maybe<string | number>;
	/** Product ID, if the data has one: reviews of other products are left out. */
	readonly pid?: Maybe<string | number>;
	/** Name of the author. E-mail addresses and phone numbers in it are removed. */
	readonly author?: Maybe<string>;
	/** Stars, 1 to 5, as a number. */
	readonly rating?: Maybe<number>;
	readonly title?: Maybe<string>;
	/** May contain line breaks. */
	readonly body?: Maybe<string>;
	/** ISO 8601. */
	readonly date?: Maybe<string | Date>;
	/** Day of the author's last change, ISO 8601: not that of a change of the store's, such as a publication. */
	readonly editedDate?: Maybe<string | Date>;
	/** BCP 47 tag of the text's language, such as `'de'`. */
	readonly language?: Maybe<string>;
	/** Variant of the product that the author bought, such as `'50 ml'`. */
	readonly variant?: Maybe<string>;
	/** `true` if the author received something for the review, which pages then say. */
	readonly incentivized?: Maybe<boolean>;
	/** The store's public answer. Leave out one that is private. */
	readonly reply?: Maybe<ProviderReply>;
	readonly productName?: Maybe<string>;
	readonly productUrl?: Maybe<string>;
	/** Organization that published the review: see the option `ownPublishers`. */
	readonly publisher?: Maybe<string>;
	readonly city?: Maybe<string>;
	readonly state?: Maybe<string>;
	readonly country?: Maybe<string>;
	readonly productImageUrl?: Maybe<string>;
	/** Absolute http(s) addresses. */
	readonly images?: Maybe<readonly string[]>;
	/** Smaller copies of images, by the address of the image. @default the images */
	readonly thumbnails?: Maybe<Readonly<Record<string, string>>>;
	/** Absolute http(s) addresses. */
	readonly videos?: Maybe<readonly string[]>;
	readonly tags?: Maybe<readonly string[]>;
	/** The merchant's questions with their answers, one text each. */
	readonly customQuestions?: Maybe<readonly string[]>;
	readonly topics?: Maybe<readonly { readonly key: string; readonly sentiment?: Maybe<string> }[]>;
	/** `true` if the author bought the product. */
	readonly verified?: Maybe<boolean>;
	readonly pinned?: Maybe<boolean>;
	readonly testimonial?: Maybe<boolean>;
	/** `true` if the author recommends the product, `false` if not. */
	readonly recommends?: Maybe<boolean>;
	readonly helpfulCount?: Maybe<number>;
	readonly unhelpfulCount?: Maybe<number>;
	/** Source that the review was imported from. */
	readonly externalSource?: Maybe<string>;
}

/** The store's answer to a review. */
export interface ProviderReply {
	/** May contain line breaks. */
	readonly text: string;
	/** Who answered: the store's name, or a person's. */
	readonly author?: Maybe<string>;
	/** ISO 8601. */
	readonly date?: Maybe<string | Date>;
}

export interface ProviderQuestion {
	readonly id?: Maybe<string | number>;
	readonly question: string;
	readonly answer?: Maybe<string>;
	readonly author?: Maybe<string>;
	/** ISO 8601. */
	readonly askedOn?: Maybe<string | Date>;
	/** ISO 8601. */
	readonly answeredOn?: Maybe<string | Date>;
}

/** A topic of reviews, with the number of its mentions by sentiment. */
export interface ProviderTopic {
	readonly key: string;
	/** By language tag. @default `key` */
	readonly names?: Maybe<Readonly<Record<string, string>>>;
	readonly total?: Maybe<number>;
	readonly positive?: Maybe<number>;
	readonly negative?: Maybe<number>;
	readonly neutral?: Maybe<number>;
}

/** A provider as plain data, which servers and commands can load. */
export interface ProviderModule {
	/**
	 * Path of a module relative to the project, the URL of a file, or the name of a package. It exports by default a provider,
	 * or a function that makes one of `config`.
	 */
	readonly entrypoint: string;
	/** Passed to the function. It is kept in the record of a build, so it has no secrets. @default nothing */
	readonly config?: Readonly<Record<string, unknown>> | undefined;
}

/** Says whether the option names a module, and is not the provider itself. */
export function isProviderModule(option: ReviewProvider | ProviderModule): option is ProviderModule {
	return 'entrypoint' in option;
}

/**
 * Makes a provider of what a module exports by default.
 * @throws ProductReviewsConfigurationError if it is none.
 */
export function createProvider(exported: unknown, config: ProviderModule['config']): ReviewProvider {
	const provider: unknown = typeof exported === 'function' ? exported(config ?? {}) : exported;
	const problem = problemOfProvider(provider);
	if (!problem) return provider as ReviewProvider;
	throw new ProductReviewsConfigurationError(
		'PR_PROVIDER_UNUSABLE',
		`The module of the option "provider" exports by default something that ${problem}.`,
		'Export an object with a function "reviews" by default, or a function that returns one.',
	);
}

/** Says what is wrong with a provider, as the end of a sentence about the value; `undefined` if the value is a provider. */
export function problemOfProvider(value: unknown): string | undefined {
	const isObject = typeof value === 'object' && value !== null;
	const given = (isObject ? value : {}) as Readonly<Record<string, unknown>>;
	if (typeof given['reviews'] !== 'function') return 'has no function "reviews"';
	const wrong = ['ratings', 'reviewData', 'all', 'sourceId'].find(
		(name) => !['function', 'undefined'].includes(typeof given[name]),
	);
	if (wrong) return `has a "${wrong}" that is not a function`;
	const { name = '' } = given;
	return typeof name === 'string' ? undefined : 'has a "name" that is not a string';
}
