import { deployHook, githubDispatch, type Rebuild } from 'product-reviews-webhook';
import type { WebhookSettings } from '../options/webhook.js';
import { type ReadVariable, readRequired } from './read-required.js';

/** Longest time for a trigger to answer, in milliseconds: the sender of the event waits meanwhile. */
const TIMEOUT = 10_000;

/**
 * What has the site rebuilt; `undefined` where no option names anything.
 * @throws WebhookConfigurationError names the variable that is missing, or says what is wrong with its value.
 */
export function readTrigger(
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
