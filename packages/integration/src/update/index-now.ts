import { reasonOf } from '../text/words.js';

/** Most addresses of a request, by the protocol. */
const MOST_ADDRESSES = 10_000;

/** How long one request may take, in milliseconds. */
const PATIENCE = 10_000;

/** Participating search engines share what one of them receives. */
const ENDPOINT = 'https://api.indexnow.org/indexnow';

/** What the protocol says of an answer that is not a success. */
const REASONS: Readonly<Record<number, string>> = {
	400: 'the request is not valid',
	403: 'the key is not valid, or its file is not on the site',
	422: 'the addresses are not of this site, or the key is not of its file',
	429: 'too many requests',
};

export interface IndexNowContext {
	/** Proves that the site is the sender's. The site has it in a file of its name. */
	readonly key: string;
	readonly keyLocation: string;
	/** @default the one that the protocol recommends */
	readonly endpoint?: string | undefined;
	readonly fetch: typeof fetch;
}

/** How many addresses IndexNow was told, and why not more. */
export interface IndexNowResult {
	readonly told: number;
	readonly problem?: string;
}

/**
 * Tells search engines that take part in IndexNow which pages changed. It ends at the first failure, and never throws.
 * @see https://www.indexnow.org/documentation
 */
export async function tellIndexNow(
	addresses: readonly string[],
	{ key, keyLocation, endpoint = ENDPOINT, fetch }: IndexNowContext,
): Promise<IndexNowResult> {
	const { host } = new URL(keyLocation);
	let told = 0;
	for (let at = 0; at < addresses.length; at += MOST_ADDRESSES) {
		const urlList = addresses.slice(at, at + MOST_ADDRESSES);
		const problem = await send({ host, key, keyLocation, urlList }, endpoint, fetch);
		if (problem !== undefined) return { told, problem };
		told += urlList.length;
	}
	return { told };
}

async function send(body: object, endpoint: string, post: typeof fetch): Promise<string | undefined> {
	try {
		const { status, ok } = await post(endpoint, {
			method: 'POST',
			headers: { 'content-type': 'application/json; charset=utf-8' },
			body: JSON.stringify(body),
			// A redirect would be followed without the addresses.
			redirect: 'manual',
			signal: AbortSignal.timeout(PATIENCE),
		});
		if (ok) return undefined;
		const reason = REASONS[status];
		return `it answered ${status}${reason === undefined ? '' : `: ${reason}`}`;
	} catch (error) {
		return describe(error as Error);
	}
}

function describe(error: Error): string {
	if (error.name === 'TimeoutError') return `it did not answer within ${PATIENCE / 1_000} s`;
	return reasonOf(error.cause instanceof Error ? error.cause : error);
}
