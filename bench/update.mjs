// Measures how long a published review takes to its pages: from the signed event to the last file on disk, through the
// receiver and `astro-product-reviews update`, in sites of two sizes with a page for each product and listings of 50 with stars.
// Beside it, how long the upload of these files takes to a host that is 50 ms away, a build of the same site, and Astro's own
// incremental build. Exits with 1 if a target is missed.
//   node bench/update.mjs [--sizes 2000,100000] [--runs 10] [--output bench/results.json]
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildSite } from './build-site.mjs';
import { median, mergeResults } from './results.mjs';
import { CONCURRENCY } from './scenarios.mjs';
import { signEvents } from './sign-events.mjs';
import { startService } from './start-service.mjs';

/** Where the site of this many products is built. */
const folderOf = (folder, products) => join(folder, 'built', `updated-${products}`);
const fileOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const RECEIVER = fileOf('../packages/webhook/dist/cli.js');
const UPDATE = fileOf('../packages/integration/bin/astro-product-reviews.js');
const REPORT_USAGE = new URL('./report-usage.mjs', import.meta.url).href;
/** How long to wait for a page, in milliseconds, and how often to look. */
const PATIENCE = 30_000;
const PAUSE = 2;
/** Limits: seconds from event to disk in sites of up to 2,000 products and in larger ones, megabytes. */
const MOST = { small: 0.5, large: 0.7, peakMegabytes: 150 };

/**
 * An upload to a host that knows files by their digests: a request with the digests, one for each file that changed, and one
 * that publishes them. Seconds of a request, and bytes a second.
 */
const HOST = { request: 0.05, bandwidth: 10_000_000 };

const { values } = parseArgs({
	options: {
		sizes: { type: 'string', default: '2000,100000' },
		runs: { type: 'string', default: '10' },
		output: { type: 'string' },
	},
});
const folder = mkdtempSync(fileURLToPath(new URL('./.work-', import.meta.url)));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
cpSync(fileURLToPath(new URL('./site', import.meta.url)), folder, { recursive: true });

const sites = [];
for (const products of values.sizes.split(',').map(Number)) {
	console.log(`\n${products.toLocaleString('en')} products: recording and building ...`);
	const service = await startService(folder, products);
	try {
		const site = await buildUpdated({ folder, service, products });
		const events = await measureEvents({ ...site, service, runs: Number(values.runs) });
		const rebuild = await rebuildUpdated({ folder, service, products });
		const { buildSeconds, uploadSeconds } = site;
		const { seconds: rebuildSeconds, rendered } = rebuild;
		sites.push({ products, events, buildSeconds, uploadSeconds, rebuildSeconds, rendered });
	} finally {
		service.close();
	}
}
const summary = summarizeUpdates(sites);
printUpdates(summary);
if (values.output) mergeResults(values.output, { update: summary });
if (!summary.isMet) process.exitCode = 1;

/** Builds the site once. */
async function buildUpdated({ folder, service, products }) {
	const built = folderOf(folder, products);
	const { seconds: buildSeconds } = await run({ folder, service, products, keeps: false });
	const dist = join(built, 'dist');
	const files = filesOf(dist, await service.changing());
	const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
	const uploadSeconds = (files.length + 2) * HOST.request + bytes / HOST.bandwidth;
	return { root: folder, dist, cache: join(built, 'cache/product-reviews'), buildSeconds, uploadSeconds };
}

/** Changes a review, and builds the site again: Astro takes all other pages from its cache. */
async function rebuildUpdated({ folder, service, products }) {
	// The first build after updates renders what they changed.
	await run({ folder, service, products, keeps: true });
	await service.change();
	return run({ folder, service, products, keeps: true, changed: await service.changing() });
}

function run({ folder, service, products, keeps, changed }) {
	const project = {
		root: folder,
		site: 'updated',
		folder: folderOf(folder, products),
		keepsCache: keeps,
		keepsPages: keeps,
	};
	return buildSite(project, {
		products,
		nodeFlags: [],
		environment: {
			REVIEWS_BASE_URL: service.url,
			REVIEWS_WSID: 'W-1001',
			...(changed && { REVIEWS_CHANGED: changed }),
			BENCH_OPTIONS: JSON.stringify({ concurrency: CONCURRENCY, maxAge: '7d' }),
			BENCH_INCREMENTAL: '1',
		},
	});
}

/** The page of a product, and the listing with its stars. */
function filesOf(dist, pid) {
	return [
		join(dist, 'products', pid, 'index.html'),
		join(dist, 'listings', String(Math.ceil(Number(pid.slice(2)) / 50)), 'index.html'),
	];
}

/**
 * Sends a signed event for each run, and waits until both pages of the product are on disk.
 * @returns seconds of each, and the peak memory of the update in megabytes.
 */
async function measureEvents({ root, dist, cache, service, runs }) {
	const pid = await service.changing();
	const files = filesOf(dist, pid);
	const usage = join(cache, 'usage.json');
	const receiver = await startReceiver({ root, cache, service, usage });
	const measured = [];
	try {
		for (let run = 0; run < runs; run++) {
			await service.change();
			const before = files.map((file) => statSync(file).mtimeMs);
			const [event] = signEvents({ count: 1, products: 1, secret: receiver.secret, pid });
			const startedAt = performance.now();
			const { status } = await fetch(receiver.url, event);
			if (status !== 202) throw new Error(`The receiver answered ${status}.`);
			await until(() => files.every((file, index) => statSync(file).mtimeMs !== before[index]));
			const seconds = (performance.now() - startedAt) / 1_000;
			await until(receiver.isIdle);
			measured.push({ seconds, peakMegabytes: JSON.parse(readFileSync(usage, 'utf8')).peakMegabytes });
		}
	} finally {
		await receiver.stop();
	}
	return measured;
}

async function startReceiver({ root, cache, service, usage }) {
	const secret = `whsec_${randomBytes(32).toString('base64')}`;
	const update = `"${process.execPath}" --import "${REPORT_USAGE}" "${UPDATE}" update`;
	const child = spawn(
		process.execPath,
		[RECEIVER, '--run', update, '--immediate', '--port', '0', '--queue-file', join(cache, 'changes.db')],
		{
			cwd: root,
			stdio: ['ignore', 'pipe', 'pipe'],
			env: {
				...process.env,
				REVIEWS_BASE_URL: service.url,
				REVIEWS_WSID: 'W-1001',
				REVIEWS_WEBHOOK_SECRET: secret,
				BENCH_USAGE: usage,
			},
		},
	);
	let output = '';
	const { promise, resolve, reject } = Promise.withResolvers();
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text) => {
			output += text;
			const [address] = /http:\/\/\S+/.exec(output) ?? [];
			if (address) resolve(new URL('/', address).href);
		});
	}
	child.once('exit', (code) => reject(new Error(`The receiver ended with ${code}:\n${output}`)));
	const url = await promise;
	return {
		url,
		secret,
		/** Whether the update of the last event has ended. */
		async isIdle() {
			const { waiting, isRebuilding } = await (await fetch(new URL('/status', url))).json();
			return !isRebuilding && waiting.products === 0;
		},
		async stop() {
			child.kill();
			await once(child, 'exit').catch(() => {});
		},
	};
}

async function until(isTrue) {
	for (let waited = 0; waited < PATIENCE; waited += PAUSE) {
		if (await isTrue()) return;
		await setTimeout(PAUSE);
	}
	throw new Error('The pages did not change within 30 s.');
}

/** Medians of each site, and whether they are within the limits. */
function summarizeUpdates(sites) {
	const measured = sites.map(({ products, events, ...others }) => ({
		products,
		seconds: median(events.map(({ seconds }) => seconds)),
		each: events.map(({ seconds }) => seconds),
		peakMegabytes: Math.max(...events.map(({ peakMegabytes }) => peakMegabytes)),
		...others,
	}));
	const isMet = measured.every(
		(site) => site.seconds <= mostSeconds(site) && site.peakMegabytes <= MOST.peakMegabytes,
	);
	return { sites: measured, isMet };
}

function mostSeconds({ products }) {
	return products > 2_000 ? MOST.large : MOST.small;
}

function printUpdates({ sites, isMet }) {
	console.log('\nFrom a signed event to the last page on disk, medians');
	for (const site of sites) {
		const { products, seconds, each, peakMegabytes, buildSeconds, uploadSeconds, rebuildSeconds, rendered } =
			site;
		const runs = each.map((one) => one.toFixed(2)).join(' ');
		console.log(
			`  ${products.toLocaleString('en')} products: ${seconds.toFixed(2)} s (${runs}), ${Math.round(peakMegabytes)} MB; an upload takes ${uploadSeconds.toFixed(2)} s, a build ${buildSeconds.toFixed(1)} s, an incremental one ${rebuildSeconds.toFixed(1)} s for ${rendered} pages`,
		);
	}
	console.log(
		`  ${isMet ? 'met' : 'MISSED'}: at most ${MOST.small} s with 2,000 products and ${MOST.large} s with more, and ${MOST.peakMegabytes} MB`,
	);
}
