import manifest from '../package.json' with { type: 'json' };

export const VERSION: string = manifest.version;

/** Name of the integration and of the package, shown in Astro's log. */
export const INTEGRATION_NAME = 'astro-product-reviews';

/** Loaded by the endpoint to update pages, as this package exports it. */
export const UPDATE_ID = 'astro-product-reviews/update';

/** Names of the environment variables, read from the process and from the project's `.env` files. */
export const ENVIRONMENT = {
	/** URL of the review service, unless the option `baseUrl` is set. */
	baseUrl: 'REVIEWS_BASE_URL',
	/** URL of the star ratings, if they are elsewhere, unless the option `baseUrl.starRating` is set. */
	starRatingUrl: 'REVIEWS_BASE_URL_STAR_RATING',
	/** URL of the review data, if they are elsewhere, unless the option `baseUrl.productReviewData` is set. */
	productReviewDataUrl: 'REVIEWS_BASE_URL_PRODUCT_REVIEW_DATA',
	/** URL of the crawler-readable reviews, if they are elsewhere, unless the option `baseUrl.crawlerHtml` is set. */
	crawlerHtmlUrl: 'REVIEWS_BASE_URL_CRAWLER_HTML',
	/** Website ID of the store, unless the option `wsid` is set. */
	wsid: 'REVIEWS_WSID',
	/** Access token, unless the option `token` is set. A server that renders on demand reads no option for it. */
	token: 'REVIEWS_TOKEN',
	/** API key that access tokens are requested with, unless there is a token. */
	apiKey: 'REVIEWS_API_KEY',
	/**
	 * URL at which access tokens are requested. By default `/api/v1/authToken` below `REVIEWS_BASE_URL` or the option
	 * `baseUrl`.
	 */
	tokenUrl: 'REVIEWS_TOKEN_URL',
	/** Options of the driver of the option `storage`, as a JSON object. They take precedence over `storage.config`. */
	storageConfig: 'REVIEWS_STORAGE_CONFIG',
	/** Secret that the service signs its events with. For key rotation, several separated by spaces. */
	webhookSecret: 'REVIEWS_WEBHOOK_SECRET',
	/**
	 * Fixed key of a sender that does not sign, at least 16 characters: see the options `webhook.keyHeader` (by default the
	 * key is `REVIEWS_API_KEY`) and `webhook.keyQuery`.
	 */
	webhookKey: 'REVIEWS_WEBHOOK_KEY',
} as const;

/** Folder of the cache below Astro's `cacheDir`. */
export const CACHE_FOLDER = 'product-reviews';

/** File of the cache. The number is that of its schema: another schema is another file. */
export const CACHE_FILE = 'reviews-v8.db';

/** File of what the last build wrote, and with what, beside the cache. */
export const MANIFEST_FILE = 'manifest.json';

/** The provider of the last build with all that it imports of the project, beside the manifest. */
export const PROVIDER_FILE = 'provider.mjs';

/** Folder in the project's root that says where caches are, and has the locks of output folders. No option moves it. */
export const POINTER_FOLDER = 'node_modules/.astro-product-reviews';

/** File in {@link POINTER_FOLDER} with the place of the manifest for each output folder. */
export const POINTER_FILE = 'caches.json';

/** File of a build's report, beside the cache. */
export const REPORT_FILE = 'product-reviews-report.json';

/**
 * Longest pause that a long-lived process, such as a server or `astro dev`, grants the service, in milliseconds. A
 * `Retry-After` of a year, sent by mistake, would leave pages without new reviews until a restart. After the pause one
 * request finds out whether the service answers again.
 */
export const LONGEST_PAUSE = 300_000;

/** Ends the names of files that are being written. One name for each file, so that the next run finds it. */
export const UNFINISHED = '.product-reviews-tmp';

/** Products per request of operation 1. */
export const PRODUCTS_PER_REQUEST = 100;
