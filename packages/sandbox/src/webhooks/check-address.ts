import { InvalidInputError } from '../editing/errors.js';
import { isLoopback } from './is-loopback.js';
import type { Webhook } from './webhook-input.js';

/**
 * Decides whether events may be sent to an address: the sandbox must not send anything to another machine by accident.
 *
 * @throws {InvalidInputError} When they may not, or when the address is registered already.
 */
export function checkAddress(url: string, registered: readonly Webhook[], allowRemote: boolean): void {
	const { href, host } = new URL(url);
	if (!allowRemote && !isLoopback(url)) {
		throw new InvalidInputError(
			`url: "${host}" is not this machine. Webhooks go to localhost, 127.0.0.1 or [::1] only, unless the sandbox is started with allowRemoteWebhooks (--allow-remote-webhooks).`,
		);
	}
	if (registered.some((webhook) => new URL(webhook.url).href === href)) {
		throw new InvalidInputError(`url: this address of "${host}" is registered already.`);
	}
}
