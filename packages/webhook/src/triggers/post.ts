import { WebhookError } from '../errors.js';
import { maskedAddress } from './masked-address.js';

/** A request that starts a rebuild elsewhere. */
export interface Post {
	readonly url: string;
	readonly headers?: Readonly<Record<string, string>>;
	/** Sent as JSON; omit it for an empty body. */
	readonly body?: unknown;
	/** Time limit for the response, in milliseconds. */
	readonly timeout: number;
	readonly fetch: typeof globalThis.fetch;
	readonly signal: AbortSignal;
}

/**
 * Sends the request.
 * @throws WebhookError for anything but a successful response. Its message contains only the host of the URL.
 */
export async function post({ url, headers, body, timeout, fetch, signal }: Post): Promise<void> {
	const where = maskedAddress(url);
	let response: Response;
	try {
		response = await fetch(url, {
			method: 'POST',
			// The URL and the headers are secret, so they must not follow a redirect.
			redirect: 'manual',
			headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
			...(body !== undefined && { body: JSON.stringify(body) }),
			signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
		});
	} catch (error) {
		if (signal.aborted) throw signal.reason;
		const isLate = (error as Error)?.name === 'TimeoutError';
		// Only the code: messages contain URLs.
		const { code } = ((error as Error)?.cause ?? {}) as { code?: unknown };
		const why = typeof code === 'string' && /^[A-Z][A-Z_\d]{0,40}$/.test(code) ? ` (${code})` : '';
		throw new WebhookError(
			'PR_REBUILD_FAILED',
			isLate ? `${where} did not answer within ${timeout} ms.` : `${where} could not be reached${why}.`,
		);
	}
	await response.body?.cancel();
	if (!response.ok) {
		throw new WebhookError('PR_REBUILD_FAILED', `${where} answered ${response.status}.`);
	}
}
