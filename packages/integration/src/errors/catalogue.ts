/** Problems of the store, the commands and the webhook receiver. */
const COMMAND_ERRORS = {
	PR_USAGE: {
		title: 'The command line is wrong',
		happened: 'A command or an option is unknown, or its value is invalid.',
		remedy: 'Run `npx astro-product-reviews --help`.',
	},
	PR_STORE_MISSING: {
		title: 'There is no store',
		happened: 'Nothing was built here yet, or the store is in another folder.',
		remedy: 'Run `npx astro build`, or name the folder with `--root`, `--cache-dir` or `--store`.',
	},
	PR_STORE_UNUSABLE: {
		title: 'The store cannot be used',
		happened: 'Its file is damaged, of another version, or may not be read or written.',
		remedy:
			'Build again: a damaged file is set aside and a new one made. Check that the folder can be written.',
	},
	PR_STORE_BUSY: {
		title: 'The store is in use',
		happened: 'A build or another command has been writing to it for too long.',
		remedy: 'Try again when that has ended.',
	},
	PR_NOT_STORED: {
		title: 'The product is not in the store',
		happened: 'No build has fetched it for this website id, or its id is written differently.',
		remedy: 'List what is stored with `npx astro-product-reviews store ls`.',
	},
	PR_NO_REPORT: {
		title: 'There is no report of a build',
		happened: 'The last build did not finish, or its report cannot be read.',
		remedy: 'Run `npx astro build`.',
	},
	PR_FILE_NOT_WRITTEN: {
		title: 'A file cannot be written',
		happened: 'The folder of the file does not exist, is full, or may not be written.',
		remedy: 'Make the folder writable, or name another file.',
	},
	PR_OUTPUT_BUSY: {
		title: 'Another process holds the output folder',
		happened: 'A build or an update has held it for 10 minutes.',
		remedy: 'End that process, and run the update again.',
	},
	PR_SHARD_UNUSABLE: {
		title: 'A folder has no build of a shard that can be used',
		happened:
			'The build of the shard did not finish, ran without `REVIEWS_SHARD`, or was not copied as a whole, or its output has links that lead out of it.',
		remedy: 'Build that shard again, and copy its output folder and its store.',
	},
	PR_SHARD_MISSING: {
		title: 'A shard is missing',
		happened: 'A merge needs all shards of the site, and got only some.',
		remedy: 'Build the shards that the message names, and give the folders of all shards.',
	},
	PR_SHARDS_DIFFER: {
		title: 'Shards contradict each other',
		happened:
			'They were built with other versions, options or code, a file that several of them have is not the same in all, or two of their files have names that the file system takes for one.',
		remedy:
			'Build all shards from one commit, and from the same reviews. Have one shard build what lists the whole site.',
	},
	PR_SNAPSHOT_MISSING: {
		title: 'There is no snapshot',
		happened:
			'`store pull` found no file at the path or URL. Nothing was pushed there yet, or it has expired.',
		remedy: 'Check the address. Until `store push` has made a snapshot, a build fetches what it needs.',
	},
	PR_SNAPSHOT_UNUSABLE: {
		title: 'The snapshot cannot be used',
		happened:
			'The file is not whole, not a snapshot of a store, or of another version. The store was left unchanged.',
		remedy: 'Push a new snapshot, with the same version of this package.',
	},
	PR_SNAPSHOT_TRANSFER: {
		title: 'A snapshot could not be transferred',
		happened: 'The server did not answer, refused the request, or the connection broke.',
		remedy:
			'Check the URL, and whether it has expired. If the server wants a key, set `REVIEWS_SNAPSHOT_AUTHORIZATION`.',
	},
	PR_COMMAND_FAILED: {
		title: 'A command failed',
		happened: 'The command of `--then` or `--else` ended with an error.',
		remedy: 'Run it by itself. Its output is in the log.',
	},
	PR_WEBHOOK_SECRET: {
		title: 'The webhook secret is missing or unusable',
		happened: 'Events cannot be verified, so they are rejected, and new reviews do not appear.',
		remedy: 'Set `REVIEWS_WEBHOOK_SECRET` to the secret that the service shows; it begins with `whsec_`.',
	},
	PR_WEBHOOK_OPTIONS: {
		title: 'A setting of the webhook receiver is invalid',
		happened: 'An option of `product-reviews-webhook`, or of its functions, cannot be used.',
		remedy: 'Change what the message names. `npx product-reviews-webhook --help` lists all options.',
	},
	PR_WEBHOOK_BODY_READ: {
		title: "An event's body was read too early",
		happened: 'A body parser ran before the handler, and a parsed body cannot be verified.',
		remedy: 'Put the route before `express.json()`, or use `express.raw()` for it.',
	},
	PR_CHANGES_UNUSABLE: {
		title: 'The file of waiting changes cannot be used',
		happened: 'The file is damaged, not one of the receiver, or may not be written.',
		remedy: 'Move it away to start a new one, and build the whole site once.',
	},
	PR_FORWARD_FAILED: {
		title: 'An event could not be passed on',
		happened:
			'The receiver of `--forward` did not accept an event. Its change is recorded, and the sender sends it again.',
		remedy: 'Check that the address is that of the other receiver, and that both have the same secret.',
	},
	PR_REBUILD_FAILED: {
		title: 'A rebuild failed',
		happened: 'The command failed, or the deploy hook or GitHub did not accept the request.',
		remedy: 'Look at the output in the log. The receiver tries again, and no change is lost.',
	},
	PR_REDIS_UNREACHABLE: {
		title: 'Redis cannot be reached',
		happened: 'Receivers, or workers of a refresh, share their work through Redis, which does not answer.',
		remedy: 'Check the address that `--redis` or `--redis-env` gives, and that the server runs.',
	},
	PR_REDIS_MISSING: {
		title: 'BullMQ is not installed',
		happened: '`refresh --redis` needs the packages `bullmq` and `ioredis`, which are optional.',
		remedy: 'Run `npm install bullmq ioredis`.',
	},
} as const;
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
			'Set the option `token` or the variable `REVIEWS_TOKEN`, also wherever the site is built or updated.',
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
		happened: 'The variable `REVIEWS_SHARD` is not the number of a shard and how many there are.',
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
	PR_KEYS_WITHOUT_REVIEWS: {
		title: 'Cache keys of pages do not include their reviews',
		happened:
			'The build is incremental, and another integration, such as an adapter, has a hook that may set a prerenderer of its own. That one is left alone, so the `cacheKey` of a page is the one that the page gives.',
		remedy:
			'Add the reviews to the keys in `getStaticPaths()`: `cacheKey: await reviewsCacheKey([pid], ownKey)`, with `reviewsCacheKey` from `virtual:product-reviews`.',
	},
	PR_AUDIT_FAILED: {
		title: 'Pages break rules of search engines',
		happened: 'The audit has findings, and the option `audit` is `"error"`.',
		remedy: 'Fix the pages that the warnings name, or set `audit` to `"warn"`.',
	},
	PR_WEBHOOK_ADAPTER: {
		title: 'The adapter does not support this webhook option',
		happened: '`webhook.update` needs a server that has the files of the project.',
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
		happened: 'The option `buildTimeout` ended before every product was fetched.',
		remedy: 'Build again: what was fetched is stored. Raise `buildTimeout` if this happens often.',
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
