import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startSandbox } from 'product-reviews-sandbox';
import { createMemoryLog, standardWebhooks } from 'product-reviews-webhook';
import { command, startReceiver } from 'product-reviews-webhook/node';
import { serve } from '../../playground/serve.mjs';
import { publishToShop } from './publish-to-shop.mjs';

const PLAYGROUND = fileURLToPath(new URL('../../playground/', import.meta.url));
const ASTRO = fileURLToPath(new URL('../../node_modules/astro/bin/astro.mjs', import.meta.url));

const SERVICE_PORT = 4400;
const SHOP_PORT = 4321;
const RECEIVER_PORT = 4500;

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

	console.log('Building the shop: the first time, this can take a few minutes ...');
	const cache = join(folder, 'cache');
	const shop = createTwoFolders(folder, buildShop(sandbox, cache));
	await shop.build({ pids: [], all: true, signal, log: printLine });
	const server = await onPort(SHOP_PORT, (port) => serve(shop.current, { port }));
	cleanups.defer(() => server.close());

	// The store does not keep the token that the shop was built with.
	process.env.REVIEWS_TOKEN = sandbox.token;
	const publish = publishToShop({
		outDir: shop.current,
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

/**
 * Creates a function that builds the playground into a folder, either completely or for the products that changed.
 *
 * @param {{ url: string, wsid: string, token: string }} service
 * @param {string} cache folder kept between builds
 * @returns {(folder: string, request: import('product-reviews-webhook').RebuildRequest) => Promise<void>}
 */
function buildShop(service, cache) {
	const env = {
		...process.env,
		NO_COLOR: '1',
		ASTRO_TELEMETRY_DISABLED: '1',
		REVIEWS_BASE_URL: service.url,
		REVIEWS_WSID: service.wsid,
		REVIEWS_TOKEN: service.token,
		PLAYGROUND_CACHE_DIR: cache,
	};
	return (folder, request) => {
		const build = command(`"${process.execPath}" "${ASTRO}" build --outDir "${folder}"`, {
			cwd: PLAYGROUND,
			env,
		});
		return build(request);
	};
}

/**
 * Starts a server on its usual port, or on a free one if that port is in use.
 *
 * @template Started
 * @param {number} port
 * @param {(port: number) => Promise<Started>} start
 */
async function onPort(port, start) {
	try {
		return await start(port);
	} catch {
		return await start(0);
	}
}

/** The integration's line about products in the output of a build. */
const PRODUCTS = /^\| .*\[astro-product-reviews\] (.* products? in .*)/;

/** The receiver calls every run a rebuild. What was published says more. */
const RUNS = /^Update for .* (started|finished in .*)\.$/;

/**
 * Prints the receiver's log without its own lines about runs that succeed, and one line of each build's output. If a build
 * fails, the receiver logs the end of its output.
 *
 * @param {string} line
 */
function printLine(line) {
	if (PRODUCTS.test(line)) console.log(`  ${line.replace(PRODUCTS, '$1')}`);
	else if (!line.startsWith('| ') && !RUNS.test(line)) console.log(line);
}

/**
 * Alternates between two folders: a site is built into one while visitors see the other, so that they never see an
 * incomplete site. A failed build changes nothing for them.
 *
 * @template Request
 * @param {string} parent
 * @param {(folder: string, request: Request) => Promise<void>} buildInto
 * @returns {{ current: () => string, build: (request: Request) => Promise<void> }} the folder to serve, and a build function
 */
function createTwoFolders(parent, buildInto) {
	let [current, next] = [join(parent, 'one'), join(parent, 'two')];
	return {
		current: () => current,
		async build(request) {
			await buildInto(next, request);
			[current, next] = [next, current];
		},
	};
}
