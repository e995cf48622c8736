// Measures how busy a build keeps a service that answers after 20 ms, with 200 products and up to 6 concurrent requests. In
// each of five builds, prints the share of the busy time during which the service saw 5 or 6 requests in flight. Exits with
// 1 if the median is not above one half, or if there were ever more than 6.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildStore, payloadOf } from './small-store.mjs';

const [PRODUCTS, LATENCY, CONCURRENCY, ROUNDS] = [200, 20, 6, 5];
const PIDS = Array.from({ length: PRODUCTS }, (_, index) => `p-${index + 1}`);

const times = new Map();
let inFlight = 0;
let since = performance.now();
let requests = 0;

// A plain server, because other work of the sandbox would affect the measurement.
const server = createServer((request, response) => {
	requests += 1;
	change(1);
	response.once('close', () => change(-1));
	const pid = new URL(request.url ?? '/', 'http://service').searchParams.get('pid') ?? '';
	setTimeout(() => {
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify(payloadOf(pid, 1, `A review of ${pid}.`)));
	}, LATENCY);
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));

const rounds = [];
for (let round = 0; round < ROUNDS; round++)
	rounds.push(await measure(`http://127.0.0.1:${server.address().port}`));
server.close();
server.closeAllConnections();

const middle = rounds.map(({ share }) => share).toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)];
console.log(`Median of ${ROUNDS}: ${middle.toFixed(2)}`);
process.exitCode = middle > 0.5 && rounds.every(({ isRight }) => isRight) ? 0 : 1;

async function measure(service) {
	times.clear();
	requests = 0;
	since = performance.now();
	const folder = mkdtempSync(join(tmpdir(), 'in-flight-'));
	const options = { products: PIDS, concurrency: CONCURRENCY };
	const status = await buildStore({ service, folder, pages: PIDS, options });
	rmSync(folder, { recursive: true, force: true });
	const busy = [...times].filter(([number]) => number > 0);
	const total = (least) => busy.reduce((sum, [number, time]) => sum + (number >= least ? time : 0), 0);
	const share = total(CONCURRENCY - 1) / total(1);
	const most = Math.max(...busy.map(([number]) => number));
	console.log(
		`${requests} requests, at most ${most} in flight, ${CONCURRENCY - 1} or ${CONCURRENCY} for ${share.toFixed(2)} of the busy time`,
	);
	return { share, isRight: status === 0 && requests === PRODUCTS && most <= CONCURRENCY };
}

function change(by) {
	const now = performance.now();
	times.set(inFlight, (times.get(inFlight) ?? 0) + now - since);
	since = now;
	inFlight += by;
}
