import { z } from 'astro/zod';
import { labelsSchema } from '../labels/labels.js';
import type { ProductId } from '../text/product-id.js';
import { duration } from './duration.js';
import { webhookSchema } from './webhook.js';

/**
 * Product ids: an array, an iterable, an async iterable, or a function that gives one (or a promise of one). A number is
 * read as its decimal string.
 */
export type ProductList = Iterable<ProductId> | AsyncIterable<ProductId>;
export type ProductSource = ProductList | (() => ProductList | Promise<ProductList>);

const product = z.custom<ProductSource>(isProductSource, {
	error: 'Expected an array of product ids, an iterable, an async iterable, or a function that gives one.',
});

/** The options of `productReviews()`: the one place that says what they are, with defaults and units. */
export const optionsSchema = z.strictObject({
	/**
	 * Address of the review service: scheme and host only.
	 * @default the environment variable `REVIEWS_BASE_URL`
	 * @example 'https://reviews.example'
	 */
	baseUrl: z.string().optional(),
	/**
	 * Website id of the store at the review service.
	 * @default the environment variable `REVIEWS_WSID`
	 * @example 'W-1001'
	 */
	wsid: z.string().optional(),
	/**
	 * Access token, or an (async) function that gives one. Star ratings in lists and review data (`getReviewData()`) need it.
	 * It never reaches a page, a virtual module, the store or a log.
	 * @default the environment variable `REVIEWS_TOKEN`
	 */
	token: z
		.union([z.string(), z.custom<() => string | Promise<string>>((value) => typeof value === 'function')], {
			error: 'Expected a string, or a function that gives one.',
		})
		.optional(),
	/**
	 * Every product id of the store, strings or numbers. Without it, only what a page asks for is fetched, one page after the other.
	 * @example async () => ['p-1', 'p-2']
	 */
	products: product.optional(),
	/**
	 * Requests in flight at once. There are fewer for a while when the service refuses some (429, 503, 504), times out or
	 * gets much slower.
	 * @default 8
	 */
	concurrency: z.int().min(1).max(256).default(8),
	/**
	 * Requests a second, at most: 0.001 to 100000. Their starts are spaced evenly, however many may be in flight.
	 * @default no limit
	 */
	requestsPerSecond: z.number().min(0.001).max(100_000).optional(),
	/**
	 * How long one try of a request may take, body included. Milliseconds, or a string with a unit.
	 * @default '10s'
	 */
	timeout: duration({ least: 50, most: 600_000 }).prefault('10s'),
	/**
	 * How often a failed request is tried again.
	 * @default 4
	 */
	retries: z.int().min(0).max(20).default(4),
	/**
	 * Which stored products a build asks for again. `'ratings'`: those whose average, count of ratings or count of
	 * questions moved, which the service says in lists of 100 (needs a token), and those older than `maxAge`. `'age'`:
	 * those older than `maxAge`. `'always'`: all. Products that are marked as changed (environment variable
	 * `REVIEWS_CHANGED`) are asked for in any case.
	 * @default 'ratings' with a token, or else 'age'
	 */
	revalidate: z.enum(['ratings', 'age', 'always']).optional(),
	/**
	 * How old a stored payload may be before it is asked for again. Milliseconds, or a string with a unit; 0 asks at
	 * every build.
	 * @default '7d' where `revalidate` is 'ratings', or else '1h'
	 */
	maxAge: duration().optional(),
	/**
	 * How old a stored payload may be to be used when the service fails. Milliseconds, or a string with a unit.
	 * @default '30d'
	 */
	maxStale: duration().prefault('30d'),
	/**
	 * How long reviews may hold up a build, from its start. What is not fetched by then counts as failed: see `onError`.
	 * Milliseconds, or a string with a unit.
	 * @default no limit
	 * @example '10m'
	 */
	deadline: duration({ least: 1_000, most: 86_400_000 }).optional(),
	/**
	 * How long the store keeps what no build asks for any more, such as products that are gone. Milliseconds, or a
	 * string with a unit; at least a day.
	 * @default '30d'
	 */
	keepUnused: duration({ least: 86_400_000 }).prefault('30d'),
	/**
	 * What happens when the service fails for a product. `'stale'`: its stored payload is used, and a product that
	 * has none fails the build, with a list of all such products. `'omit'`: such a product is left out and
	 * reported. `'fail'`: any failure ends the build. A few products whose answers cannot be read are left out except with
	 * `'fail'`, and where many lose all their reviews at once, stored ones are used: see docs/failures.md.
	 * @default 'stale'
	 */
	onError: z.enum(['stale', 'omit', 'fail']).default('stale'),
	/** Pages that are rendered on demand, by the server of a site with an adapter: what it remembers, and for how long. */
	onDemand: z
		.strictObject({
			/**
			 * How long reviews are shown before they are asked for again. Milliseconds, or a string with a unit.
			 * @default '60s'
			 */
			fresh: duration().prefault('60s'),
			/**
			 * How old reviews may be that are shown at once, while they are asked for again. Older ones, up to `maxStale`,
			 * are shown only when the service fails or takes too long. Milliseconds, or a string with a unit.
			 * @default '1d'
			 */
			stale: duration().prefault('1d'),
			/**
			 * How long a page waits for the service, 50 ms to 10 s. Then it shows the last good reviews or none, and the
			 * request goes on for the pages after it. Milliseconds, or a string with a unit.
			 * @default '800ms'
			 */
			timeLimit: duration({ least: 50, most: 10_000 }).prefault('800ms'),
			/**
			 * Products with reviews that are remembered, at most; half as many without any are remembered beside them. Those
			 * that were not shown for longest are forgotten first. When the service is down, pages of products that are
			 * forgotten have no reviews: set it to as many products as people look at.
			 * @default 500
			 */
			most: z.int().min(2).max(100_000).default(500),
		})
		.prefault({}),
	/**
	 * Folder of the store, relative to the project's root.
	 * @default 'product-reviews' in Astro's `cacheDir`
	 */
	cacheDir: z.string().min(1).optional(),
	/**
	 * How `<ProductReviews>` shows reviews where its `display` prop does not say: `'visible'` as a list, `'details'` as
	 * a list behind a summary to click, `'hidden'` as the service means it (in the page's source only, for sites that
	 * run its widget).
	 * @default 'visible'
	 */
	display: z.enum(['visible', 'details', 'hidden']).default('visible'),
	/**
	 * How much of an author's name pages and JSON-LD show: `'full'`, `'first'` (the first word), or `'initials'`.
	 * A change renders pages again, and asks the service for nothing.
	 * @default 'full'
	 */
	author: z.enum(['full', 'first', 'initials']).default('full'),
	/**
	 * Names under which the store's own reviews are published, as the service sends them with each review. JSON-LD then
	 * leaves out reviews that name another publisher: search engines do not want reviews from other sites in it. Pages
	 * show them, and the aggregate rating counts them, all the same. A review that names no publisher is the store's own.
	 * @default all reviews are in the JSON-LD
	 * @example ['Fjell & Form']
	 */
	publishers: z.array(z.string().min(1), { error: 'Expected an array of names.' }).min(1).optional(),
	/**
	 * What happens when pages break rules of search engines: reviews in the JSON-LD that nobody can see, two products on
	 * one page and the like. `'warn'` logs what, where and what to do, `'error'` fails the build after it, `'off'` does
	 * not look.
	 * @default 'warn'
	 */
	audit: z.enum(['warn', 'error', 'off']).default('warn'),
	/**
	 * Receives the review service's events, so that new reviews appear by themselves. A site with an adapter gets an
	 * endpoint that purges its cached pages and starts a rebuild; in `astro dev` pages reload.
	 * @default no events are received
	 * @example { path: '/api/reviews/webhook', deployHookEnv: 'DEPLOY_HOOK_URL' }
	 */
	webhook: webhookSchema.optional(),
	/** Every word that the components write. Those left out keep their default. */
	labels: labelsSchema.prefault({}),
	/**
	 * Send the token with the request for crawler-readable reviews too.
	 * @default false
	 */
	authorizeCrawlerHtml: z.boolean().default(false),
	/**
	 * Largest answer of the service, in bytes after decompression. A larger one is an error of that product.
	 * @default 8388608
	 */
	maxResponseBytes: z.int().min(1_024).max(268_435_456).default(8_388_608),
	/**
	 * Allow a `baseUrl` with `http:` on a host that is not this machine.
	 * @default false
	 */
	allowHttp: z.boolean().default(false),
});

/** Options as a merchant gives them. */
export type ProductReviewsUserOptions = z.input<typeof optionsSchema>;
/** Options with every default filled in; lengths of time in milliseconds. */
export type ProductReviewsOptions = z.output<typeof optionsSchema>;

function isProductSource(value: unknown): boolean {
	if (typeof value === 'function') return true;
	if (typeof value !== 'object' || value === null) return false;
	return Symbol.iterator in value || Symbol.asyncIterator in value;
}
