import { z } from 'astro/zod';
import { labelsSchema } from '../labels/labels.js';
import type { ProductId } from '../text/product-id.js';
import { feedsSchema } from './feeds.js';
import { problemOfProvider, type ReviewProvider } from './provider.js';
import { storageSchema } from './storage.js';
import { webhookSchema } from './webhook.js';

const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * A duration: a number of milliseconds, or a string with a unit (`'500ms'`, `'10s'`, `'5m'`, `'1h'`, `'30d'`). The result is
 * in milliseconds, and so are the bounds `least` and `most`.
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

/** What the server of a site with an adapter remembers, and for how long. */
const onDemandSchema = z.strictObject({
	/**
	 * How long reviews are shown before they are fetched again. Milliseconds, or a string with a unit.
	 * @default '60s'
	 */
	maxAge: duration().prefault('60s'),
	/**
	 * Up to which age reviews are shown immediately while they are fetched again. Older ones, up to `staleIfError`, are shown
	 * only if the service fails or takes too long. Milliseconds, or a string with a unit.
	 * @default '1d'
	 */
	staleWhileRevalidate: duration().prefault('1d'),
	/**
	 * How long a page waits for the service, 50 ms to 10 s. After that it shows the last good reviews or none, and the
	 * request continues for later pages. Milliseconds, or a string with a unit.
	 * @default '800ms'
	 */
	timeout: duration({ least: 50, most: 10_000 }).prefault('800ms'),
	/**
	 * Products with reviews to remember: at least so many of those that were shown last, and at most twice as many. When the
	 * service is down, pages of forgotten products have no reviews, so set this to the number of products that visitors look
	 * at.
	 * @default 500
	 */
	maxProducts: z.int().min(2).max(100_000).default(500),
});

/** URLs of a service whose operations are at different places. */
export const baseUrlSchema = z.strictObject(
	{
		default: z.string().optional(),
		starRating: z.string().optional(),
		productReviewData: z.string().optional(),
		crawlerHtml: z.string().optional(),
	},
	{ error: 'Expected a URL, or an object with the URLs of operations.' },
);

/**
 * Product ids: an array, an iterable, an async iterable, or a function that returns one (or a promise of one). A number is
 * read as its decimal string.
 */
export type ProductList = Iterable<ProductId> | AsyncIterable<ProductId>;
export type ProductSource = ProductList | (() => ProductList | Promise<ProductList>);

/** The options of `productReviews()`, with their defaults and units. */
export const optionsSchema = z.strictObject({
	/**
	 * URL of the review service, with its path prefix, if it has one. If operations are elsewhere, an object:
	 * `starRating`, `productReviewData` and `crawlerHtml` are their URLs, and `default` that of all others.
	 * @default the environment variable `REVIEWS_BASE_URL`, and `REVIEWS_BASE_URL_STAR_RATING`, `REVIEWS_BASE_URL_PRODUCT_REVIEW_DATA` and `REVIEWS_BASE_URL_CRAWLER_HTML` for operations elsewhere
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
	 * Website id of the store at the review service.
	 * @default the environment variable `REVIEWS_WSID`
	 * @example 'W-1001'
	 */
	wsid: z.string().optional(),
	/**
	 * Access token, or an (async) function that returns one. Star ratings in lists and review data (`getReviewData()`) need
	 * it. The function is called again when the service answers 401, with the refused token. The token never reaches a page,
	 * a virtual module, the cache or a log.
	 * @default the environment variable `REVIEWS_TOKEN`, or a token that is requested with `REVIEWS_API_KEY`
	 */
	token: z
		.union(
			[
				z.string(),
				z.custom<(refused?: string) => string | Promise<string>>((value) => typeof value === 'function'),
			],
			{
				error: 'Expected a string, or a function that returns one.',
			},
		)
		.optional(),
	/**
	 * Where reviews come from, instead of the hosted service: an object, or a module that exports one by default, as a path
	 * relative to the project, the URL of a file, or the name of a package. Only a module also works in the command
	 * `update` and on servers. Other options such as `retries` and `onError` apply as they do to the service; `baseUrl`, `wsid`
	 * and `token` do not. See [Which services work](/guides/other-services/).
	 * @default the hosted service
	 * @example './src/reviews.mjs'
	 */
	provider: z
		.custom<string | URL | ReviewProvider>(
			(value) =>
				typeof value === 'string' ? value !== '' : value instanceof URL || !problemOfProvider(value),
			{ error: 'Expected an object with a function "reviews", or a module that exports one by default.' },
		)
		.optional(),
	/**
	 * Every product id of the store, as strings or numbers. Without it, products are fetched only when a page asks for them,
	 * one page after another.
	 * @example async () => ['p-1', 'p-2']
	 */
	products: z
		.custom<ProductSource>(isProductSource, {
			error:
				'Expected an array of product ids, an iterable, an async iterable, or a function that returns one.',
		})
		.optional(),
	/**
	 * Most requests in flight at once. The number is reduced for a while when the service answers 429 or requests a pause.
	 * @default 8
	 */
	concurrency: z.int().min(1).max(256).default(8),
	/**
	 * Most requests per second, 0.001 to 100000. They start at even intervals, however many are in flight.
	 * @default no limit
	 */
	requestsPerSecond: z.number().min(0.001).max(100_000).optional(),
	/**
	 * How long one attempt of a request may take, including the body. Milliseconds, or a string with a unit.
	 * @default '10s'
	 */
	timeout: duration({ least: 50, most: 600_000 }).prefault('10s'),
	/**
	 * How often a failed request is retried.
	 * @default 4
	 */
	retries: z.int().min(0).max(20).default(4),
	/**
	 * Which stored products a build fetches again. `'ratings'`: those whose average rating, number of ratings or number of
	 * questions changed, which the service reports in lists of 100 (needs a token), and those older than `maxAge`. `'age'`:
	 * those older than `maxAge`. `'always'`: all. Products that are marked as changed (environment variable
	 * `REVIEWS_CHANGED`) are always fetched again.
	 * @default 'ratings' with a token, otherwise 'age'
	 */
	revalidate: z.enum(['ratings', 'age', 'always']).optional(),
	/**
	 * How old stored reviews may be before they are fetched again. Milliseconds, or a string with a unit; with 0, every build
	 * fetches them.
	 * @default '7d' if `revalidate` is 'ratings', otherwise '1h'
	 */
	maxAge: duration().optional(),
	/**
	 * How old stored reviews may be to be used when the service fails. Milliseconds, or a string with a unit.
	 * @default '30d'
	 */
	staleIfError: duration().prefault('30d'),
	/**
	 * How long a build may wait for reviews, from its start. Products not fetched by then count as failed: see `onError`.
	 * Milliseconds, or a string with a unit.
	 * @default no limit
	 * @example '10m'
	 */
	buildTimeout: duration({ least: 1_000, most: 86_400_000 }).optional(),
	/**
	 * How long the cache keeps what builds no longer ask for, such as removed products. Milliseconds, or a string with a
	 * unit; at least a day.
	 * @default '30d'
	 */
	pruneAfter: duration({ least: 86_400_000 }).prefault('30d'),
	/**
	 * What happens when the service fails for a product. `'stale'`: its stored reviews are used; if there are none, the build
	 * fails with a list of all such products. `'omit'`: products without stored reviews are left out and reported. `'fail'`:
	 * any failure fails the build. Except with `'fail'`, a few products whose answers cannot be read are left out. If many
	 * lose all their reviews at once, stored ones are used.
	 * @default 'stale'
	 */
	onError: z.enum(['stale', 'omit', 'fail']).default('stale'),
	/** Pages rendered on demand, by the server of a site with an adapter: what it remembers, and for how long. */
	onDemand: onDemandSchema.prefault({}),
	/**
	 * A storage that all builds and server instances share: an answer that one has requested is there for the others, and an
	 * event reaches all instances within 2 seconds. See [Share answers between instances](/publish/shared-storage/).
	 * @default each build and each instance has only its own answers
	 * @example { driver: 'redis' }
	 */
	storage: storageSchema.optional(),
	/**
	 * Folder of the cache, relative to the project's root.
	 * @default 'product-reviews' in Astro's `cacheDir`
	 */
	cacheDir: z.string().min(1).optional(),
	/**
	 * How `<ProductReviews>` shows reviews if its `display` prop is not set: `'visible'` as a list, `'details'` as a list
	 * behind a summary to click, `'hidden'` as the service intends it (only in the page's source, for sites that run its
	 * widget).
	 * @default 'visible'
	 */
	display: z.enum(['visible', 'details', 'hidden']).default('visible'),
	/**
	 * How much of an author's name pages and JSON-LD show: `'full'`, `'first-name'` (the first word), or `'initials'`.
	 * Changing it renders pages again, without any request to the service.
	 * @default 'full'
	 */
	authorNames: z.enum(['full', 'first-name', 'initials']).default('full'),
	/**
	 * Address at which customers write a review, with `{pid}` where the product's id belongs. `<RatingSummary>`,
	 * `<ReviewSection>` and `<ProductReviews>` then have a link to it, and invite to write the first review of a product that has none.
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
	 * Publisher names of the store's own reviews, as the service sends them with each review. Reviews that name another
	 * publisher are then left out of the JSON-LD, since search engines do not want reviews from other sites in it. Pages still
	 * show them, and the aggregate rating still counts them. A review that names no publisher is the store's own.
	 * @default all reviews are in the JSON-LD
	 * @example ['Fjell & Form']
	 */
	ownPublishers: z.array(z.string().min(1), { error: 'Expected an array of names.' }).min(1).optional(),
	/**
	 * What happens when pages break rules of search engines, such as JSON-LD with reviews that nobody can see, or with two
	 * products on one page. `'warn'` logs what is wrong, where, and what to do; `'error'` also fails the build; `'off'` does
	 * not check.
	 * @default 'warn'
	 */
	audit: z.enum(['warn', 'error', 'off']).default('warn'),
	/**
	 * Receives the review service's events, which makes new reviews appear automatically. A site with an adapter gets an
	 * endpoint that purges its cached pages and starts a rebuild; in `astro dev`, pages reload.
	 * `true` leaves everything at its default.
	 * @default events are not received
	 * @example { path: '/api/reviews/webhook', deployHookEnv: 'DEPLOY_HOOK_URL' }
	 */
	webhook: z
		.preprocess((given: true | z.input<typeof webhookSchema>) => (given === true ? {} : given), webhookSchema)
		.optional(),
	/**
	 * Files for shopping engines and agents, written beside the pages from the same reviews. See
	 * [Where your reviews are read](/guides/feeds/).
	 * @default none is written
	 * @example { markdown: true, ratings: true }
	 */
	feeds: feedsSchema.prefault({}),
	/** The words that the components write. Words left out keep their defaults. */
	labels: labelsSchema.prefault({}),
	/**
	 * Also sends the token with requests for crawler-readable reviews.
	 * @default false
	 */
	sendTokenForReviews: z.boolean().default(false),
	/**
	 * Largest answer of the service, in bytes after decompression. For a larger one, the product counts as failed.
	 * @default 8388608
	 */
	maxResponseBytes: z.int().min(1_024).max(268_435_456).default(8_388_608),
	/**
	 * Logs a line for each request to the service: method and address, product ids, status, milliseconds, bytes and number
	 * of the try, never the token. `'build'` and `'dev'` do so for that command only, `true` for both.
	 * @default false
	 */
	logRequests: z.union([z.boolean(), z.enum(['dev', 'build'])]).default(false),
	/**
	 * Allows a `baseUrl` with `http:` on a host other than this machine.
	 * @default false
	 */
	allowHttp: z.boolean().default(false),
});

/** Options as written in the Astro configuration. */
export type ProductReviewsUserOptions = z.input<typeof optionsSchema>;
/** Options with all defaults filled in, and durations in milliseconds. */
export type ProductReviewsOptions = z.output<typeof optionsSchema>;

function isProductSource(value: unknown): boolean {
	if (typeof value === 'function') return true;
	if (typeof value !== 'object' || value === null) return false;
	return Symbol.iterator in value || Symbol.asyncIterator in value;
}
