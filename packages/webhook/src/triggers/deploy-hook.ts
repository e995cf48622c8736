import type { Rebuild } from '../collect/rebuild.js';
import { WebhookConfigurationError } from '../errors.js';
import { maskedAddress } from './masked-address.js';
import { toPayload } from './payload.js';
import { post } from './post.js';

/** Options of {@link deployHook}. */
export interface DeployHookOptions {
	/**
	 * Whether the body says which products changed. Netlify hands it to the build, and the integration reads it there.
	 * @default whether the address is one of Netlify
	 */
	readonly sendsIds?: boolean | undefined;
	/** Longest time for the answer, in milliseconds. @default 30_000 */
	readonly timeout?: number | undefined;
	/** @default the global `fetch` */
	readonly fetch?: typeof globalThis.fetch | undefined;
}

/** The build gets the body as one environment variable, encoded: Linux takes 128 KiB. */
const MOST_BYTES = 32_768;

/**
 * Has a host rebuild the site: the deploy hook of Netlify, Vercel, Cloudflare, Render and others is an address that takes
 * a POST.
 *
 * @param address of the hook. It is a secret: only its host is ever logged.
 * @throws WebhookConfigurationError for what is no https address (http on this machine).
 * @example createCollector({ log, rebuild: deployHook(process.env.DEPLOY_HOOK_URL) })
 */
export function deployHook(address: string | undefined, options: DeployHookOptions = {}): Rebuild {
	const url = URL.parse(String(address ?? ''));
	if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)))) {
		throw new WebhookConfigurationError(
			'The address of the deploy hook is missing, or is not an https address.',
		);
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
