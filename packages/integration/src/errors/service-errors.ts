/** Problems with the service and its answers. A build treats each kind by the failure policy. */
export const SERVICE_ERRORS = {
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
