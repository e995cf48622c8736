// Answers operations 1 and 3 with the recorded responses, a while after each request:  node bench/service/serve.mjs <folder>
// The sandbox needs 2.4 ms of a core per payload, which is 420 per second, while 16 requests in flight at 20 ms require 800.
// A build would have to wait for it, and share the machine with it. This server needs a tenth of that.
// GET /counts returns the requests since the last call, POST /latency sets the milliseconds before an answer, POST /change toggles
// a change to the reviews of one product, and GET /changing returns its id.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { LATENCY } from '../scenarios.mjs';
import { openTextFile } from '../site/shared/text-file.mjs';

const folder = process.argv[2];
const { count, changing, ratings } = JSON.parse(readFileSync(join(folder, 'recording.json'), 'utf8'));
const payloads = openTextFile(join(folder, 'payloads'));
const different = ratings.length - 1;
let isChanged = false;
let latency = LATENCY;
let inFlight = 0;
let counts = noCounts();

const server = createServer(async (request, response) => {
	const url = new URL(request.url, 'http://service');
	if (url.pathname === '/counts') return response.end(takeCounts());
	if (url.pathname === '/latency') {
		latency = Number(await text(request));
		return response.end();
	}
	if (url.pathname === '/change') {
		isChanged = !isChanged;
		return response.end();
	}
	if (url.pathname === '/changing') return response.end(`p-${changing + 1}`);
	inFlight += 1;
	counts.requests += 1;
	counts.most = Math.max(counts.most, inFlight);
	response.once('close', () => {
		inFlight -= 1;
	});
	const isList = request.method === 'POST';
	const body = isList ? await text(request) : '';
	setTimeout(() => (isList ? sendRatings(response, body) : sendReviews(request, response, url)), latency);
});
// A build may leave connections idle for longer than the default of five seconds.
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));

function sendReviews({ headers }, response, { searchParams }) {
	const index = indexOf(searchParams.get('pid') ?? '');
	if (index === undefined) return response.writeHead(404, JSON_HEADERS).end('{}');
	const isOther = isChanged && index === changing;
	const etag = `W/"${index}${isOther ? '-changed' : ''}"`;
	if (headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end();
	const body = payloads.read(isOther ? count : index);
	response.writeHead(200, { ...JSON_HEADERS, etag, 'content-length': body.length }).end(body);
}

function sendRatings(response, body) {
	const data = JSON.parse(body).listProductId.flatMap((pid) => {
		const index = indexOf(pid);
		if (index === undefined) return [];
		const { prtng, avgrtng } = ratings[isChanged && index === changing ? different : index % different];
		return [{ pid, prtng, avgrtng, html: '', isReqSyncWoo: false, queCount: 0 }];
	});
	const answer = gzipSync(JSON.stringify({ success: true, data }), { level: 1 });
	response.writeHead(200, { ...JSON_HEADERS, 'content-length': answer.length }).end(answer);
}

const JSON_HEADERS = { 'content-type': 'application/json', 'content-encoding': 'gzip' };

/** Index of a product, from 0; `undefined` for an unknown product. */
function indexOf(pid) {
	const number = Number(/^p-(\d+)$/.exec(pid)?.[1]);
	return number >= 1 && number <= count ? number - 1 : undefined;
}

function takeCounts() {
	const { requests, most, cpu } = counts;
	counts = noCounts();
	const { user, system } = process.cpuUsage(cpu);
	return JSON.stringify({ requests, most, cpuSeconds: (user + system) / 1e6 });
}

function noCounts() {
	return { requests: 0, most: 0, cpu: process.cpuUsage() };
}
