/** Problems of the project: versions, configuration, product list, pages. */
export const SETUP_ERRORS = {
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
