import { InvalidInputError } from '../editing/errors.js';
import { isLoopback } from './is-loopback.js';
import type { Webhook } from './webhook-input.js';

/**
 * Checks that events may be sent to a URL. The sandbox must not send anything to another machine by accident.
 *
 * @throws {InvalidInputError} If they may not, or if the URL is already registered.
 */
export function checkAddress(url: string, registered: readonly Webhook[], allowRemote: boolean): void {
	const { href, host } = new URL(url);
	if (!allowRemote && !isLoopback(url)) {
		throw new InvalidInputError(
			`url: "${host}" is not this machine. Webhooks are only sent to localhost, 127.0.0.1 or [::1], unless the sandbox is started with allowRemoteWebhooks (--allow-remote-webhooks).`,
		);
	}
	if (registered.some((webhook) => new URL(webhook.url).href === href)) {
		throw new InvalidInputError(`url: this URL of "${host}" is already registered.`);
	}
}
