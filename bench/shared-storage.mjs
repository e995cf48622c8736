// Measures what a shared storage saves a build in an empty folder: 4,000 products, 20 pages, and a service that answers after
// 100 ms. The storage is a folder, which needs no server. Prints the seconds of a build without the storage, of one that
// fills it, and of three that find it filled. Then measures what it costs a build that needs nothing of it, because its own
// store has everything: five builds with the storage, each beside one without. Exits with 1 if an empty folder is not filled
// 10 times faster, if a full one costs more than loading the driver may take, or if a build does not request exactly what is lacking.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildStore, payloadOf } from './small-store.mjs';

const [PRODUCTS, PAGES, LATENCY, REVIEWS] = [4_000, 20, 100, 10];
/** How many times faster an empty folder has to be filled, and how many seconds longer a build may take that needs nothing. */
const [LEAST_RATIO, MOST_COST] = [10, 0.3];
const PIDS = Array.from({ length: PRODUCTS }, (_, index) => `p-${index + 1}`);

let requests = 0;
const server = createServer((request, response) => {
	requests += 1;
	const pid = new URL(request.url ?? '/', 'http://service').searchParams.get('pid') ?? '';
	setTimeout(() => {
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify(payloadOf(pid, REVIEWS, `A review of ${pid}. `.repeat(15))));
	}, LATENCY);
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const folder = mkdtempSync(join(tmpdir(), 'shared-storage-'));
const storage = { driver: 'fs', config: { base: join(folder, 'storage') } };

const filled = emptyFolder();
const without = await measure('without a storage', filled, {}, PRODUCTS);
await measure('fills the storage', emptyFolder(), { storage }, PRODUCTS);
const rounds = [];
for (let round = 1; round <= 3; round++)
	rounds.push(await measure('finds the storage filled', emptyFolder(), { storage }, 0));
const costs = [];
for (let round = 1; round <= 5; round++) {
	const alone = await measure('needs nothing, without a storage', filled, {}, 0);
	costs.push((await measure('needs nothing, with a storage', filled, { storage }, 0)) - alone);
}
server.close();
server.closeAllConnections();
rmSync(folder, { recursive: true, force: true });

const ratio = without / median(rounds);
console.log(`${ratio.toFixed(1)} times faster, at least ${LEAST_RATIO} expected`);
const cost = median(costs);
console.log(`${cost.toFixed(2)} s longer if nothing is needed, at most ${MOST_COST} s expected`);
if (ratio < LEAST_RATIO || cost > MOST_COST) process.exitCode = 1;

function median(values) {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function emptyFolder() {
	return mkdtempSync(join(folder, 'build-'));
}

/** Builds in a folder of its own. @returns the seconds that it took. */
async function measure(what, own, options, expected) {
	requests = 0;
	const startedAt = performance.now();
	const status = await buildStore({
		service: `http://127.0.0.1:${server.address().port}`,
		folder: own,
		pages: PIDS.slice(0, PAGES),
		options: { products: PIDS, ...options },
	});
	const seconds = (performance.now() - startedAt) / 1_000;
	console.log(`${what}: ${seconds.toFixed(1)} s, ${requests} requests`);
	if (status !== 0 || requests !== expected) process.exitCode = 1;
	return seconds;
}
