import { WebhookConfigurationError, WebhookError } from '../errors.js';
import { answers } from '../handler/answers.js';
import type { ReceiveEvent } from '../handler/receive-event.js';
import { maskedAddress } from '../triggers/masked-address.js';

/** Where events are passed on to. */
export interface Forwarding {
	/** URL of another receiver, such as the endpoint of the site itself. */
	readonly url: string;
	/** Header with a fixed key, if the sender cannot sign. */
	readonly keyHeader?: string | undefined;
	/** Time limit for its response, in milliseconds. @default 10_000 */
	readonly timeout?: number | undefined;
}

/** Headers of an event. The other receiver verifies it again, so they are passed on unchanged. */
const HEADERS = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];

/**
 * Passes genuine events on to another receiver, after their change is recorded. If that fails, the sender is told to send the
 * event again; the change is not recorded twice.
 * @param onError must not throw.
 * @throws WebhookConfigurationError for anything but an http(s) URL.
 */
export function withForwarding(
	receive: ReceiveEvent,
	{ url, keyHeader, timeout = 10_000 }: Forwarding,
	onError: (error: unknown) => void,
): ReceiveEvent {
	if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
		throw new WebhookConfigurationError('The address to forward events to is not an http(s) URL.');
	}
	const names = keyHeader === undefined ? HEADERS : [...HEADERS, keyHeader];
	return async (event) => {
		let body: Uint8Array<ArrayBuffer> | undefined;
		const readBody = async (mostBytes: number) => {
			body = await event.readBody(mostBytes);
			return body;
		};
		const answer = await receive({ ...event, readBody });
		if (answer.status !== 202 || !body) return answer;
		const headers = names.flatMap((name) => {
			const value = event.headers.get(name);
			return value === null ? [] : [[name, value] as [string, string]];
		});
		try {
			await send(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeout) });
			return answer;
		} catch (error) {
			onError(error);
			return answers.notForwarded();
		}
	};
}

/** @throws WebhookError whose message contains only the host of the URL. */
async function send(url: string, init: RequestInit): Promise<void> {
	// Headers may contain a key, so they must not follow a redirect.
	const response = await fetch(url, { ...init, redirect: 'manual' }).catch(() => undefined);
	await response?.body?.cancel();
	if (response?.ok) return;
	const problem = response ? `answered ${response.status}` : 'could not be reached in time';
	throw new WebhookError('PR_FORWARD_FAILED', `${maskedAddress(url)} ${problem}. The sender tries again.`);
}
