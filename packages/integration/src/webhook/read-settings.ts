import {
	deployHook,
	githubDispatch,
	type ReadVariable,
	type Rebuild,
	readRequired,
	readVerifiers,
	type Verifier,
} from 'product-reviews-webhook';
import { ENVIRONMENT } from '../constants.js';
import type { WebhookSettings } from '../options/webhook.js';

/** How long a trigger may take to answer, in milliseconds. The sender of the event waits in the meantime. */
const TIMEOUT = 10_000;

/**
 * How events prove that they come from the review service.
 * @throws WebhookConfigurationError that names the missing variable, or says what is wrong with its value.
 */
export function verifiersOf({ keyHeader }: WebhookSettings, readVariable: ReadVariable): Verifier[] {
	const { webhookSecret: secretEnv, webhookKey: keyEnv } = ENVIRONMENT;
	return readVerifiers({ secretEnv, keyHeader, keyEnv }, readVariable);
}

/**
 * Starts a rebuild of the site; `undefined` if no option says how.
 * @throws WebhookConfigurationError that names the missing variable, or says what is wrong with its value.
 */
export function triggerOf(
	{ deployHookEnv, github, githubTokenEnv }: WebhookSettings,
	readVariable: ReadVariable,
	fetch: typeof globalThis.fetch,
): Rebuild | undefined {
	if (github !== undefined) {
		const token = readRequired(githubTokenEnv, readVariable);
		return githubDispatch({ repository: github, token, timeout: TIMEOUT, fetch });
	}
	if (deployHookEnv === undefined) return undefined;
	return deployHook(readRequired(deployHookEnv, readVariable), { timeout: TIMEOUT, fetch });
}
