import { COMMAND_ERRORS } from './command-errors.js';

/** Problems of the project: versions, configuration, product list, pages. */
const SETUP_ERRORS = {
	PR_UNSUPPORTED_ASTRO: {
		title: 'This version of Astro is not supported',
		happened: 'The project uses Astro 5 or older.',
		remedy: 'Upgrade with `npx @astrojs/upgrade`, one major version at a time.',
	},
	PR_UNSUPPORTED_NODE: {
		title: 'This version of Node is not supported',
		happened: 'The build runs on a Node before 22.13, which has no usable `node:sqlite`.',
		remedy: 'Install the current LTS version, on your machine and wherever the site is built.',
	},
	PR_CONFIG_NOT_LOADED: {
		title: 'The Astro configuration cannot be loaded',
		happened: 'The configuration file, or an integration in it, throws an error.',
		remedy: 'Fix what the message names. `npx astro build` fails with the same error.',
	},
	PR_INTEGRATION_MISSING: {
		title: 'The integration is not in the Astro configuration',
		happened: 'Something of this package is used, but `productReviews()` is not in `integrations`.',
		remedy: 'Run `npx astro add astro-product-reviews`, or add `productReviews()` yourself.',
	},
	PR_DUPLICATE_INTEGRATION: {
		title: 'The integration is in the configuration twice',
		happened: 'Pages would ask one of them, and be audited by the other.',
		remedy: 'Keep one `productReviews()` in `integrations`. A site shows the reviews of one website id.',
	},
	PR_NOT_CONFIGURED: {
		title: 'The service or the website id is not set',
		happened: 'Neither the options nor the environment say where the service is, or which store this is.',
		remedy:
			'Set `baseUrl` and `wsid`, or the variables `REVIEWS_BASE_URL` and `REVIEWS_WSID`, also wherever the site is built.',
	},
	PR_INVALID_OPTIONS: {
		title: 'An option is invalid',
		happened: 'An option is unknown, or its value is not one that it takes. The message lists all of them.',
		remedy: 'Change the options that the message names.',
	},
	PR_STORAGE_DRIVER: {
		title: 'The driver of the shared storage cannot be found',
		happened:
			'The option `storage.driver` names neither a driver of `unstorage` nor a module of the project.',
		remedy: 'Use a name such as `"redis"`, or install the package that contains the driver.',
	},
	PR_INVALID_ADDRESS: {
		title: "The service's address is invalid",
		happened: '`baseUrl` is not just scheme and host, or not encrypted.',
		remedy:
			'Give an address such as `https://reviews.example`. For `http:` in a network of your own, set `allowHttp`.',
	},
	PR_MISSING_TOKEN: {
		title: 'An access token is missing',
		happened: 'Something needs the token: review data, ratings in lists, or an option that sends it.',
		remedy:
			'Set the option `token` or the variable `REVIEWS_TOKEN`, also wherever the site is built or published.',
	},
	PR_TOKEN_UNUSABLE: {
		title: 'The access token cannot be used',
		happened: 'The function of the option `token` failed, or the token has spaces or other odd characters.',
		remedy: 'Give the token alone, without the word `Bearer`. Log the error inside of the function.',
	},
	PR_PRODUCT_LIST_EMPTY: {
		title: 'The product list is empty',
		happened: 'The option `products` gives no product id, often because the catalogue did not answer.',
		remedy: 'Check the code behind the option. Without the option, pages fetch what they show.',
	},
	PR_PRODUCT_LIST_UNREADABLE: {
		title: 'The product list cannot be read',
		happened: 'The code of the option `products` throws, takes too long, or returns something else.',
		remedy: 'Return an array, an iterable or an async iterable of product ids, or a promise of one.',
	},
	PR_INVALID_PRODUCT_ID: {
		title: 'A product id is invalid',
		happened: 'Something that is not a non-empty string or a whole number was given as a product id.',
		remedy: 'Give the id by which the review service knows the product, such as `pid={product.id}`.',
	},
	PR_INVALID_SHARD: {
		title: 'The shard is invalid',
		happened: 'The variable `SHARD` is not the number of a shard and how many there are.',
		remedy:
			'Set it to a value such as `3/16`, from `1/16` to `16/16`, or leave it out to build the whole site.',
	},
	PR_INVALID_PROP: {
		title: 'A prop of a component is invalid',
		happened: 'A component, or a function for pages, got a value that it does not take.',
		remedy: 'Change the value where the component is used. The message says what it takes.',
	},
	PR_NO_REVIEW_SOURCE: {
		title: 'A page cannot reach the build',
		happened: "The page is rendered outside of the build's process and cannot reach it over 127.0.0.1.",
		remedy:
			'Have the adapter render prerendered pages in Node: for `@astrojs/cloudflare`, set `prerenderEnvironment` to `"node"`.',
	},
	PR_AUDIT_FAILED: {
		title: 'Pages break rules of search engines',
		happened: 'The audit has findings, and the option `audit` is `"error"`.',
		remedy: 'Fix the pages that the warnings name, or set `audit` to `"warn"`.',
	},
	PR_WEBHOOK_ADAPTER: {
		title: 'The adapter does not support this webhook option',
		happened: '`webhook.publish` needs a server that has the files of the project.',
		remedy: 'Set `deployHookEnv` or `github`, or run `npx product-reviews-webhook` where the site is built.',
	},
} as const;

/** Problems with the service and its answers. A build treats each kind by the failure policy. */
const SERVICE_ERRORS = {
	PR_SERVICE_UNREACHABLE: {
		title: 'The service cannot be reached',
		happened: 'No connection could be made, or it broke, at every try: a name, network or TLS problem.',
		remedy: 'Check `baseUrl` and the network of the machine that builds, then build again.',
	},
	PR_SERVICE_TIMEOUT: {
		title: 'The service does not answer in time',
		happened: 'No complete answer came within `timeout`, at every try.',
		remedy: 'Build again later. Raise `timeout`, or lower `concurrency`, if the service is always slow.',
	},
	PR_SERVICE_ERROR: {
		title: 'The service answers with an error of its own',
		happened: 'The status was 500 to 599, at every try.',
		remedy: 'Build again later. If it stays, tell the service which product and status the log names.',
	},
	PR_RATE_LIMITED: {
		title: 'The service asks for fewer requests',
		happened: 'The status was 429, or the service asked for a pause that is too long to wait for.',
		remedy: 'Build again later, and set `requestsPerSecond` or lower `concurrency`.',
	},
	PR_REQUEST_REFUSED: {
		title: 'The service refuses the request',
		happened: 'The status was 400, 401 or 403: the token or the website id is wrong.',
		remedy: 'Check `REVIEWS_TOKEN` and `REVIEWS_WSID`, and that the token belongs to this website id.',
	},
	PR_REQUEST_REJECTED: {
		title: 'The service does not accept the request',
		happened: 'The status was another one of 400 to 499.',
		remedy: 'Check the product id, and `baseUrl`: something other than the service may answer there.',
	},
	PR_FOREIGN_ANSWER: {
		title: 'Something other than the service answers',
		happened: 'The answer is a redirect to another host, or the 404 page of a gateway.',
		remedy: 'Check `baseUrl`, and whether a gateway in front of the service routes requests to it.',
	},
	PR_UNREADABLE_ANSWER: {
		title: 'An answer cannot be read',
		happened: 'The answer is not what the service documents, too large, or contradicts itself.',
		remedy:
			'A few such products are left out. If there are many, look for a new version of astro-product-reviews.',
	},
	PR_WRONG_PRODUCT: {
		title: 'The answer is about another product',
		happened: 'The service answered with the reviews of another product, so they are not shown.',
		remedy: 'Check the product id, and whether a cache in front of the service ignores it.',
	},
	PR_REVIEWS_VANISHED: {
		title: 'Many products lost all their reviews at once',
		happened: 'That looks like a fault of the service, so the stored reviews are shown.',
		remedy:
			'If the reviews are really gone, run `npx astro-product-reviews invalidate --all` and build again.',
	},
	PR_SERVICE_PAUSED: {
		title: 'The service is left alone for a while',
		happened: 'Too many requests failed in a row, so none are sent for 30 seconds.',
		remedy: 'Look at the first failure in the log: it says why. Then build again.',
	},
	PR_SERVICE_FAILED: {
		title: 'The service could not be asked',
		happened: 'A request failed for a reason of its own, which the message says.',
		remedy: 'Run `npx astro-product-reviews doctor`.',
	},
	PR_THREAD_ENDED: {
		title: 'The thread that asks the service ended',
		happened: 'It ended twice, through a bug or for lack of memory.',
		remedy: 'Give the build more memory, or lower `maxResponseBytes`. Otherwise, please report it.',
	},
	PR_STORAGE_FAILED: {
		title: 'The shared storage failed',
		happened:
			'The storage of the option `storage` refused an operation, or did not answer in time. Until it works again, every build and every instance asks the service itself.',
		remedy:
			'Check that the storage runs, that this machine can reach it, and that `REVIEWS_STORAGE_CONFIG` or `storage.config` is right.',
	},
	PR_DEADLINE_REACHED: {
		title: 'The time limit for reviews was reached',
		happened: 'The option `deadline` ended before every product was fetched.',
		remedy: 'Build again: what was fetched is stored. Raise `deadline` if this happens often.',
	},
	PR_NO_REVIEWS: {
		title: 'The service has no reviews of any product',
		happened:
			'It answers, but with no reviews: the website id or the product ids are those of another store.',
		remedy:
			'Check `wsid` or `REVIEWS_WSID`, and how the service writes product ids. A new store has none yet.',
	},
	PR_REVIEWS_UNAVAILABLE: {
		title: 'Products have no reviews to show',
		happened: 'The service failed for them, and the store has nothing to use instead.',
		remedy: 'Build again when the service works, or set `onError` to `"omit"` to build without them.',
	},
} as const;

/** What the documentation says about one code. Texts are Markdown, in full sentences. */
export interface ErrorEntry {
	/** A few words, without a full stop. */
	readonly title: string;
	/** What happened, and why. */
	readonly happened: string;
	/** What to do. */
	readonly remedy: string;
}

/**
 * Every code of an error or a warning of `astro-product-reviews`, `product-reviews-client` and `product-reviews-webhook`, in
 * the order of the documentation. A code is permanent: people search for it.
 */
export const ERROR_CATALOGUE = {
	...SETUP_ERRORS,
	...SERVICE_ERRORS,
	...COMMAND_ERRORS,
} as const satisfies Readonly<Record<`PR_${string}`, ErrorEntry>>;

/** The code of a kind of problem. */
export type ErrorCode = keyof typeof ERROR_CATALOGUE;
