import { z } from 'astro/zod';
import type { ProductId } from '../base/product-id.js';
import { feedsSchema } from './feeds.js';
import { labelsSchema } from './labels.js';
import { type ProviderModule, problemOfProvider, type ReviewProvider } from './provider.js';
import { storageSchema } from './storage.js';
import { webhookSchema } from './webhook.js';

const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * Describes a duration: a number of milliseconds, or a string with a unit (`'500ms'`, `'10s'`, `'5m'`, `'1h'`, `'30d'`). The
 * result is in milliseconds, and so are the bounds `least` and `most`.
 */
function duration({ least = 0, most = 3_650 * MILLISECONDS.d } = {}) {
	return z
		.union([z.number(), z.string()], { error: EXPECTED })
		.transform(toMilliseconds)
		.refine((value) => Number.isFinite(value) && value >= least && value <= most, {
			error: ({ input }) =>
				Number.isFinite(input)
					? `Expected ${words(least)} to ${words(most)}. Numbers are milliseconds; "10s" is ten seconds.`
					: EXPECTED,
		});
}

const EXPECTED =
	'Expected a duration: a number of milliseconds, or a string such as "500ms", "10s", "5m", "1h" or "30d".';

function toMilliseconds(value: number | string): number {
	if (typeof value === 'number') return value;
	const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/.exec(value.trim());
	if (!match) return Number.NaN;
	return Number(match[1]) * MILLISECONDS[match[2] as keyof typeof MILLISECONDS];
}

function words(milliseconds: number): string {
	for (const unit of ['d', 'h', 'm', 's'] as const) {
		const amount = milliseconds / MILLISECONDS[unit];
		if (amount >= 1 && Number.isInteger(amount)) return `"${amount}${unit}"`;
	}
	return `"${milliseconds}ms"`;
}

/** Memory of the server of a site with an adapter: its size, and how long reviews stay. */
const onDemandSchema = z.strictObject({
	/**
	 * Maximum age at which reviews are shown without being fetched again. Milliseconds, or a string with a unit.
	 * @default '60s'
	 * @example '5m'
	 */
	maxAge: duration().prefault('60s'),
	/**
	 * Maximum age at which reviews are shown immediately while they're fetched again. Older reviews, up to `staleIfError`, are
	 * only shown if the service fails or takes too long. Milliseconds, or a string with a unit.
	 * @default '1d'
	 * @example '2h'
	 */
	staleWhileRevalidate: duration().prefault('1d'),
	/**
	 * Time a page waits for the service. After that, the page shows the last known reviews or none, and the request continues
	 * for later pages. From 50 ms to 10 s: milliseconds, or a string with a unit.
	 * @default '800ms'
	 * @example '300ms'
	 */
	timeout: duration({ least: 50, most: 10_000 }).prefault('800ms'),
	/**
	 * Number of products with reviews that the server remembers: at least this number of the products that were shown last,
	 * and at most twice as many. If the service is down, pages of forgotten products have no reviews, so set it to the number of
	 * products that visitors look at.
	 * @default 500
	 * @example 5000
	 */
	maxProducts: z.int().min(2).max(100_000).default(500),
});

/** URLs of a service whose operations are at different places. */
const baseUrlSchema = z.strictObject(
	{
		default: z.string().optional(),
		starRating: z.string().optional(),
		productReviewData: z.string().optional(),
		crawlerHtml: z.string().optional(),
	},
	{ error: 'Expected a URL, or an object with the URLs of operations.' },
);

/**
 * Product IDs: an array, an iterable, an async iterable, or a function that returns one (or a promise of one). A number is
 * read as its decimal string.
 */
export type ProductList = Iterable<ProductId> | AsyncIterable<ProductId>;
export type ProductSource = ProductList | (() => ProductList | Promise<ProductList>);

const EXPECTED_PROVIDER =
	'Expected an object with a function "reviews", or a module that exports one by default.';

/** A module, as a path, the URL of a file, or the name of a package. */
const ENTRYPOINT = z.union([
	z.string().refine((value) => value !== '', EXPECTED_PROVIDER),
	z.instanceof(URL).transform(String),
]);

/** Accepts what the record of a build can keep. */
const PLAIN_DATA = z
	.record(z.string(), z.unknown())
	.refine((value) => z.json().safeParse(value).success, 'Expected plain data, such as texts and numbers.');

/** The options of `productReviews()`, with their defaults and units. */
export const optionsSchema = z.strictObject({
	/**
	 * URL of the review service, including its path prefix if it has one. If operations have URLs of their own, pass an
	 * object: `starRating`, `productReviewData` and `crawlerHtml` are their URLs, and `default` is the URL of all others.
	 * @default the environment variable `REVIEWS_BASE_URL`, and `REVIEWS_BASE_URL_STAR_RATING`,
	 * `REVIEWS_BASE_URL_PRODUCT_REVIEW_DATA` and `REVIEWS_BASE_URL_CRAWLER_HTML` for operations with their own URLs
	 * @example 'https://reviews.example'
	 * @example { default: 'https://reviews.example/tenant-a', crawlerHtml: 'https://html.reviews.example' }
	 */
	baseUrl: z
		.preprocess(
			(given: string | URL | z.input<typeof baseUrlSchema>) =>
				typeof given === 'string' || given instanceof URL ? { default: String(given) } : given,
			baseUrlSchema,
		)
		.optional(),
	/**
	 * Website ID of your store at the review service.
	 * @default the environment variable `REVIEWS_WSID`
	 * @example 'W-1001'
	 */
	wsid: z.string().optional(),
	/**
	 * Access token, or a function that returns one or a promise of one. You need a token for star ratings in lists and for
	 * review data (`<ReviewSection>`, `getReviewData()`). If the service responds with status 401, the function is called
	 * again with the refused token. It has 30 seconds to respond. The token never appears in a page, a virtual module, the cache or a log.
	 * @default the environment variable `REVIEWS_TOKEN`, or a token that is requested with `REVIEWS_API_KEY`
	 * @example async () => (await fetch('https://vault.internal/reviews-token')).text()
	 */
	token: z
		.union(
			[
				z.string(),
				z.custom<(refused?: string) => string | Promise<string>>((value) => typeof value === 'function'),
			],
			{ error: 'Expected a string, or a function that returns one.' },
		)
		.optional(),
	/**
	 * Source of the reviews instead of the hosted service: one of `providers`, or one of your own. Yours is a module that exports a
	 * provider by default, as a path relative to the project, the URL of a file, or the name of a package, or it is the provider
	 * itself. A module is written like any file of the project, for example in TypeScript, and has 30 seconds to load. An object
	 * does not work in the command `update` and on servers. Other options such as `retries` and `onError` apply as they do to the
	 * service; `baseUrl`, `wsid` and `token` do not. See [Supported review services](/start/which-services/).
	 * @default the hosted service
	 * @example './src/reviews.mjs'
	 */
	provider: z
		.union(
			[
				ENTRYPOINT,
				z.strictObject({ entrypoint: ENTRYPOINT, config: PLAIN_DATA.optional() }),
				z.custom<ReviewProvider>((value) => !problemOfProvider(value)),
			],
			{ error: EXPECTED_PROVIDER },
		)
		.transform((value): ProviderModule | ReviewProvider =>
			typeof value === 'string' ? { entrypoint: value } : value,
		)
		.optional(),
	/**
	 * Every product ID of your store, as strings or numbers. With this list, a build fetches reviews ahead of its pages and
	 * in parallel. Without it, each page fetches its own reviews when it's rendered, one page after the other. If the
	 * list gives nothing for 30 seconds, the build warns, and after 5 minutes it fails.
	 * @default no list
	 * @example async () => ['p-1', 'p-2']
	 */
	products: z
		.custom<ProductSource>(isProductSource, {
			error:
				'Expected an array of product IDs, an iterable, an async iterable, or a function that returns one.',
		})
		.optional(),
	/**
	 * Maximum number of concurrent requests. It's reduced for a while if the service responds with status 429 or requests a
	 * pause.
	 * @default 8
	 * @example 16
	 */
	concurrency: z.int().min(1).max(256).default(8),
	/**
	 * Maximum number of requests per second, from 0.001 to 100,000. Requests start at even intervals, regardless of
	 * `concurrency`.
	 * @default no limit
	 * @example 20
	 */
	requestsPerSecond: z.number().min(0.001).max(100_000).optional(),
	/**
	 * Time limit for one attempt of a request, including the response's body. From 50 ms to 10 minutes: milliseconds, or a
	 * string with a unit.
	 * @default '10s'
	 * @example '30s'
	 */
	timeout: duration({ least: 50, most: 600_000 }).prefault('10s'),
	/**
	 * Maximum number of retries of a failed request, from 0 to 20.
	 * @default 4
	 * @example 2
	 */
	retries: z.int().min(0).max(20).default(4),
	/**
	 * Selects the cached products that a build fetches again. `'ratings'` fetches products whose average rating, number of
	 * ratings or number of questions changed, and products older than `maxAge`. The service reports ratings in lists of 100, so
	 * this needs a token. `'age'` fetches products older than `maxAge`, and `'always'` fetches all. Products that are marked as
	 * changed, for example by a webhook, are always fetched.
	 * @default 'ratings' with a token, otherwise 'age'
	 * @example 'age'
	 */
	revalidate: z.enum(['ratings', 'age', 'always']).optional(),
	/**
	 * Maximum age of cached reviews before a build fetches them again. With 0, every build fetches them. Milliseconds, or a
	 * string with a unit.
	 * @default '7d' if `revalidate` is 'ratings', otherwise '1h'; 0 on a host whose deploy hooks don't say what changed
	 * @example '12h'
	 */
	maxAge: duration().optional(),
	/**
	 * Maximum age of cached reviews that are shown when the service fails. Milliseconds, or a string with a unit.
	 * @default '30d'
	 * @example '7d'
	 */
	staleIfError: duration().prefault('30d'),
	/**
	 * Time a build can wait for reviews, measured from its start. Products that aren't fetched by then count as failed, and
	 * `onError` applies. From 1 second to 1 day: milliseconds, or a string with a unit.
	 * @default no limit
	 * @example '10m'
	 */
	buildTimeout: duration({ least: 1_000, most: 86_400_000 }).optional(),
	/**
	 * Time the cache keeps products that builds no longer use, for example because you removed them from your store. At least
	 * a day: milliseconds, or a string with a unit.
	 * @default '30d'
	 * @example '90d'
	 */
	pruneAfter: duration({ least: 86_400_000 }).prefault('30d'),
	/**
	 * Decides what a build does if the service fails for a product. `'stale'` uses its cached reviews. If there are none, the
	 * build fails and lists all such products. `'omit'` also uses cached reviews, and leaves out the reviews of products that
	 * have none. `'fail'` fails the build for any failure. See [Failure policy](/reference/failures/).
	 * @default 'stale'
	 * @example 'omit'
	 */
	onError: z.enum(['stale', 'omit', 'fail']).default('stale'),
	/**
	 * For pages that your server renders on demand: what it caches, and for how long.
	 * @example { maxAge: '5m', maxProducts: 2000 }
	 */
	onDemand: onDemandSchema.prefault({}),
	/**
	 * A storage that all builds and server instances share. A response that one has requested is available to all, and a
	 * webhook reaches all instances within 2 seconds. See [Share reviews](/scale/shared-storage/).
	 * @default every build and every instance only has its own responses
	 * @example { driver: 'redis' }
	 */
	storage: storageSchema.optional(),
	/**
	 * Folder of the cache, relative to the project's root. Commands find it there without an option.
	 * @default 'product-reviews' in Astro's `cacheDir`
	 * @example '.cache/product-reviews'
	 */
	cacheDir: z.string().min(1).optional(),
	/**
	 * Sets how `<ProductReviews>` shows reviews unless you set its `display` prop. `'visible'` shows a list, and `'details'`
	 * shows a summary that opens the list. `'hidden'` keeps reviews in the source of the page only. Use it if the page runs
	 * the service's own widget.
	 * @default 'visible'
	 * @example 'details'
	 */
	display: z.enum(['visible', 'details', 'hidden']).default('visible'),
	/**
	 * Part of a reviewer's name that appears in pages and JSON-LD: `'full'`, `'first-name'` (the first word) or `'initials'`.
	 * If you change it, the next build renders the pages again without requests to the service.
	 * @default 'full'
	 * @example 'initials'
	 */
	authorNames: z.enum(['full', 'first-name', 'initials']).default('full'),
	/**
	 * URL of the form where customers write a review, with `{pid}` in place of the product ID. `<RatingSummary>`,
	 * `<ReviewSection>` and `<ProductReviews>` then have a link to it, and invite visitors to write the first review of a
	 * product that has none.
	 * @default no link
	 * @example '/write-a-review?product={pid}'
	 */
	writeReviewUrl: z
		.string()
		.regex(/^(?:https?:\/\/|\/(?!\/)|#|mailto:)/, {
			error: 'Expected an address such as "/write-a-review?product={pid}" or "https://...".',
		})
		.optional(),
	/**
	 * Publisher names of your store's own reviews, as the service sends them. Reviews of other publishers are then omitted
	 * from the JSON-LD, because search engines don't want reviews from other sites in it. Pages still show them, and the
	 * aggregate rating still counts them. A review without a publisher is your own.
	 * @default all reviews are in the JSON-LD
	 * @example ['Fjell & Form']
	 */
	ownPublishers: z.array(z.string().min(1), { error: 'Expected an array of names.' }).min(1).optional(),
	/**
	 * Checks whether pages break rules of search engines, for example with JSON-LD for reviews that visitors can't see, or for
	 * two products on one page. `'warn'` logs the page and what to do, `'error'` also fails the build, and `'off'` doesn't
	 * check.
	 * @default 'warn'
	 * @example 'error'
	 */
	audit: z.enum(['warn', 'error', 'off']).default('warn'),
	/**
	 * Receives the review service's webhooks, so that new reviews appear automatically. A site with an adapter gets an
	 * endpoint that purges its cached pages and starts a rebuild. In `astro dev`, open pages reload. `true` keeps the
	 * defaults of all options below; with `providers.judgeMe()` and others whose webhooks are known, `from` is their service.
	 * @default webhooks aren't received
	 * @example { path: '/api/reviews/webhook', deployHookEnv: 'DEPLOY_HOOK_URL' }
	 */
	webhook: z
		.preprocess((given: true | z.input<typeof webhookSchema>) => (given === true ? {} : given), webhookSchema)
		.optional(),
	/**
	 * Files for shopping engines and agents, written beside the pages from the same reviews. See
	 * [Feeds for shopping engines and AI agents](/seo/feeds/).
	 * @default none is written
	 * @example { markdown: true, ratings: true }
	 */
	feeds: feedsSchema.prefault({}),
	/** The words that the components write. Words left out keep their defaults. */
	labels: labelsSchema.prefault({}),
	/**
	 * Also sends the token with requests for crawler-readable reviews. Set it if your service requires that.
	 * @default false
	 * @example true
	 */
	sendTokenForReviews: z.boolean().default(false),
	/**
	 * Maximum size of a response in bytes, after decompression. A product with a larger response counts as failed.
	 * @default 8388608
	 * @example 16777216
	 */
	maxResponseBytes: z.int().min(1_024).max(268_435_456).default(8_388_608),
	/**
	 * Logs a line for each request to the service: method and URL, product IDs, status, milliseconds, bytes and number of
	 * the attempt, and never the token. `'build'` and `'dev'` log the requests of that command only, and `true` those of
	 * both.
	 * @default false
	 * @example 'build'
	 */
	logRequests: z.union([z.boolean(), z.enum(['dev', 'build'])]).default(false),
	/**
	 * Allows `http:` in `baseUrl` for a host other than your own machine, for example in a private network.
	 * @default false
	 * @example true
	 */
	allowHttp: z.boolean().default(false),
});

/** Options as written in the Astro configuration. */
export type ProductReviewsUserOptions = z.input<typeof optionsSchema>;
/** Options with all defaults filled in, and durations in milliseconds. */
export type ProductReviewsOptions = z.output<typeof optionsSchema>;

/** Options of requests, to the hosted service or a provider. */
export type RequestOptions = Pick<
	ProductReviewsOptions,
	| 'allowHttp'
	| 'baseUrl'
	| 'concurrency'
	| 'maxResponseBytes'
	| 'requestsPerSecond'
	| 'retries'
	| 'revalidate'
	| 'sendTokenForReviews'
	| 'timeout'
>;

/** Options that decide which reviews are requested, and what becomes of failures. */
export type FetchOptions = RequestOptions &
	Pick<ProductReviewsOptions, 'logRequests' | 'maxAge' | 'onError' | 'staleIfError'>;

/** Options of a build, besides those of what it fetches and how pages show it. */
export type BuildOptions = Pick<
	ProductReviewsOptions,
	'audit' | 'buildTimeout' | 'feeds' | 'products' | 'pruneAfter'
>;

function isProductSource(value: unknown): boolean {
	if (typeof value === 'function') return true;
	if (typeof value !== 'object' || value === null) return false;
	return Symbol.iterator in value || Symbol.asyncIterator in value;
}
