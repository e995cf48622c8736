import { maskedAddress } from './masked-address.js';

/** A request that starts a rebuild elsewhere. */
export interface Post {
	readonly url: string;
	readonly headers?: Readonly<Record<string, string>>;
	/** Is sent as JSON; left out for an empty body. */
	readonly body?: unknown;
	/** Longest time for the answer, in milliseconds. */
	readonly timeout: number;
	readonly fetch: typeof globalThis.fetch;
	readonly signal: AbortSignal;
}

/**
 * Sends it.
 * @throws Error for anything but a good answer. It says the host, and nothing else of the address.
 */
export async function post({ url, headers, body, timeout, fetch, signal }: Post): Promise<void> {
	const where = maskedAddress(url);
	let response: Response;
	try {
		response = await fetch(url, {
			method: 'POST',
			// The address is a secret, and so are the headers: they go nowhere else.
			redirect: 'manual',
			headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
			...(body !== undefined && { body: JSON.stringify(body) }),
			signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
		});
	} catch (error) {
		if (signal.aborted) throw signal.reason;
		const isLate = (error as Error)?.name === 'TimeoutError';
		// Nothing else of it: messages hold addresses.
		const { code } = ((error as Error)?.cause ?? {}) as { code?: unknown };
		const why = typeof code === 'string' && /^[A-Z][A-Z_\d]{0,40}$/.test(code) ? ` (${code})` : '';
		throw new Error(
			isLate ? `${where} did not answer within ${timeout} ms.` : `${where} could not be reached${why}.`,
		);
	}
	await response.body?.cancel();
	if (!response.ok) throw new Error(`${where} answered ${response.status}.`);
}
