import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from 'product-reviews-sandbox';
import { createMemoryLog, standardWebhooks } from 'product-reviews-webhook';
import { startReceiver } from 'product-reviews-webhook/node';
import { serve } from '../../playground/serve.mjs';
import { buildShop } from './build-shop.mjs';
import { createTwoFolders } from './create-two-folders.mjs';
import { onPort } from './on-port.mjs';
import { printLine } from './print-line.mjs';
import { publishToShop } from './publish-to-shop.mjs';

const SERVICE_PORT = 4400;
const SHOP_PORT = 4321;
const RECEIVER_PORT = 4500;

/** Most milliseconds until the receiver tries again what failed. */
const RETRY_AT_MOST = 60_000;

/**
 * Starts the service, builds and serves the shop, and starts the receiver that publishes into it.
 *
 * @param {AsyncDisposableStack} cleanups gets the functions that stop them
 * @param {AbortSignal} signal aborts the first build
 * @returns {Promise<{ shop: string, service: string, receiver: string }>} URLs without a trailing slash
 */
export async function startDemo(cleanups, signal) {
	const folder = await mkdtemp(join(tmpdir(), 'product-reviews-demo-'));
	cleanups.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

	const sandbox = await onPort(SERVICE_PORT, (port) => startSandbox({ port, productUrl }));
	cleanups.defer(() => sandbox.close());

	console.log('Building the shop ...');
	const cache = join(folder, 'cache');
	const shop = createTwoFolders(folder, buildShop(sandbox, cache));
	await shop.build({ pids: [], all: true, signal, log: printLine });
	const server = await onPort(SHOP_PORT, (port) => serve(shop.current, { port }));
	cleanups.defer(() => server.close());

	// The store does not keep the token that the shop was built with.
	process.env.REVIEWS_TOKEN = sandbox.token;
	const publish = publishToShop({
		cacheDir: join(cache, 'product-reviews'),
		shop: server.url,
		build: shop.build,
		onNote: (note) => sandbox.notes.add(note),
	});
	const secret = `whsec_${randomBytes(32).toString('base64')}`;
	const receiver = await onPort(RECEIVER_PORT, (port) =>
		startReceiver({
			port,
			verify: standardWebhooks(secret),
			log: createMemoryLog(),
			rebuild: publish,
			// At once: a publish takes less time than a pause would.
			debounce: 0,
			retryAtMost: RETRY_AT_MOST,
			onLog: printLine,
		}),
	);
	cleanups.defer(() => receiver.close(0));
	sandbox.webhooks.add({ url: receiver.url, secret });
	return { shop: server.url, service: sandbox.url, receiver: new URL(receiver.url).origin };
}

/** @param {string} pid */
function productUrl(pid) {
	return `https://fjell-and-form.example/products/${encodeURIComponent(pid)}/`;
}
