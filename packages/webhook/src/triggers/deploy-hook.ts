import type { Rebuild } from '../collect/rebuild.js';
import { WebhookConfigurationError } from '../errors.js';
import { maskedAddress } from './masked-address.js';
import { toPayload } from './payload.js';
import { post } from './post.js';

/** Options of {@link deployHook}. */
export interface DeployHookOptions {
	/**
	 * Whether to send the ids of the changed products in the body. Netlify passes the body to the build, where the
	 * integration reads it.
	 * @default true if the address is one of Netlify's
	 */
	readonly sendsIds?: boolean | undefined;
	/** Time limit for the response, in milliseconds. @default 30_000 */
	readonly timeout?: number | undefined;
	/** @default the global `fetch` */
	readonly fetch?: typeof globalThis.fetch | undefined;
}

/** The build gets the body encoded in one environment variable, which Linux limits to 128 KiB. */
const MOST_BYTES = 32_768;

/**
 * Rebuilds the site through a deploy hook: a URL of Netlify, Vercel, Cloudflare, Render or another host that starts a
 * build when it receives a POST.
 *
 * @param address URL of the hook. It is a secret: only its host is logged.
 * @throws WebhookConfigurationError for anything but an https URL (http is allowed for this machine).
 * @example createCollector({ log, rebuild: deployHook(process.env.DEPLOY_HOOK_URL) })
 */
export function deployHook(address: string | undefined, options: DeployHookOptions = {}): Rebuild {
	const url = URL.parse(String(address ?? ''));
	if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)))) {
		throw new WebhookConfigurationError('The deploy hook URL is missing or is not an https URL.');
	}
	const { timeout = 30_000, fetch = globalThis.fetch } = options;
	const sendsIds = options.sendsIds ?? /(^|\.)netlify\.com$/.test(url.hostname);
	return async ({ pids, all, signal, log }) => {
		const body = sendsIds ? toPayload({ pids, all }, MOST_BYTES) : undefined;
		await post({ url: url.href, body, timeout, fetch, signal });
		log(`Deploy hook called: ${maskedAddress(url.href)}`);
	};
}

function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
