import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { signEvents } from '../load/sign-events.mjs';

const fileOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const RECEIVER = fileOf('../../packages/webhook/dist/cli.js');
const PUBLISH = fileOf('../../packages/integration/bin/astro-product-reviews.js');
const REPORT_USAGE = new URL('../report-usage.mjs', import.meta.url).href;

/** How long to wait for a page, in milliseconds, and how often to look. */
const PATIENCE = 30_000;
const PAUSE = 2;

/**
 * Sends a signed event for each run, and waits until both pages of the product are on disk.
 * @returns seconds of each, and the peak memory of the publish in megabytes.
 */
export async function measureEvents({ root, dist, cache, service, runs }) {
	const pid = await service.changing();
	const files = [
		join(dist, 'products', pid, 'index.html'),
		join(dist, 'listings', String(Math.ceil(Number(pid.slice(2)) / 50)), 'index.html'),
	];
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
	const publish = `"${process.execPath}" --import "${REPORT_USAGE}" "${PUBLISH}" publish --cache-dir "${cache}"`;
	const child = spawn(
		process.execPath,
		[RECEIVER, '--run', publish, '--immediate', '--port', '0', '--queue-file', join(cache, 'changes.db')],
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
		/** Whether the publish of the last event has ended. */
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
