import { expect, test } from 'vitest';
import type { Sandbox } from '../../src/index.js';
import { ask, callsTo, testSandbox } from '../support/test-sandbox.js';

const PRODUCTS = ['a', 'b'].map((pid) => ({ pid, name: pid }));

/** Whether a request is refused. */
async function isRefused(sandbox: Sandbox, headers: Record<string, string>, line = 'GET /api/v1/health') {
	const { status, answer } = await ask(sandbox, line, headers);
	if (status === 403 && headers['origin'] === undefined) expect(answer).toContain('--public-url');
	return status === 403;
}

const OWN = ['localhost', '127.0.0.1:80', 'LocalHost:4400', '[::1]:80', '127.8.8.8'];
/** Names that somebody may have pointed here. */
const OTHERS = [
	'attacker.example:4400',
	'localhost.attacker.example',
	'127.0.0.1.attacker.example',
	'192.168.1.5',
];

test.each([...OWN, ...OTHERS, 'attacker.example', 'a b', '[', 'localhost/path', 'user@localhost'])(
	'only this machine is served as the host: %s',
	async (host) => {
		const sandbox = await testSandbox();
		for (const path of [
			'GET /',
			'GET /api/llmRvwHTML?wsid=W-1001&pid=p',
			'PUT /__sandbox/products/p',
			'GET /no',
		])
			expect(await isRefused(sandbox, { host }, path), path).toBe(!OWN.includes(host));
	},
);

test.each([...OWN, ...OTHERS])('only pages of this machine are served: %s', async (name) => {
	const sandbox = await testSandbox();
	for (const origin of [`http://${name}`, `https://${name}`, 'null', ''])
		expect(await isRefused(sandbox, { host: 'localhost', origin })).toBe(
			!OWN.includes(name) || !origin.includes(name),
		);
});

test('the address that others reach it at, and the one that it listens on, are its own', async () => {
	const publicUrl = 'https://reviews.shop.example:8443';
	const known = await testSandbox({ publicUrl });
	expect(await isRefused(known, { host: 'reviews.shop.example:8443', origin: publicUrl })).toBe(false);
	expect(await isRefused(known, { host: 'shop.example' })).toBe(true);
	const open = await testSandbox({ host: '0.0.0.0' });
	expect(await isRefused(open, { host: '192.168.1.5:4400' })).toBe(false);
	expect(await isRefused(open, { host: 'attacker.example' })).toBe(true);
});

test('requests to the three operations are recorded, without a token', async () => {
	const sandbox = await testSandbox({ products: PRODUCTS, now: () => 1_000 });
	const { crawlerReviews, starRating } = callsTo(sandbox);
	await (await crawlerReviews('a', {}, { headers: { 'x-mark': 'yes' } })).text();
	await (await crawlerReviews('nobody')).text();
	await (await starRating(['a', 'b'])).text();
	await (await fetch(sandbox.url)).text();

	const { requests } = sandbox;
	expect([requests.count(), requests.count({ operation: 'crawlerReviews' })]).toEqual([3, 2]);
	expect([requests.count({ pid: 'a' }), requests.count({ status: 404 })]).toEqual([2, 1]);
	expect(requests.all[0]).toMatchObject({
		operation: 'crawlerReviews',
		method: 'GET',
		pids: ['a'],
		headers: { 'x-mark': 'yes' },
		startedAt: 1_000,
		status: 200,
		complete: true,
	});
	expect(requests.all[2]?.pids).toEqual(['a', 'b']);
	expect(JSON.stringify(requests.all)).not.toContain(sandbox.token);
	requests.reset();
	expect(requests.count()).toBe(0);
});

test('it is known how many run at once, and for how long', async () => {
	const { faults, requests, close, ...sandbox } = await testSandbox({ products: PRODUCTS });
	faults.add({ kind: 'hang' });
	const { crawlerReviews } = callsTo(sandbox);
	const running = Promise.allSettled(Array.from({ length: 5 }, () => crawlerReviews('a')));
	await expect.poll(() => requests.inFlight, { interval: 5 }).toBe(5);
	await close();
	await running;
	await expect.poll(() => requests.inFlight).toBe(0);
	expect(requests.maxInFlight).toBe(5);
	expect(Object.keys(requests.inFlightTimes)).toEqual(['0', '1', '2', '3', '4', '5']);
	requests.reset();
	expect(requests.maxInFlight).toBe(0);
});

test('requests are counted over HTTP, and counting starts anew', async () => {
	const sandbox = await testSandbox({ products: PRODUCTS });
	await (await callsTo(sandbox).crawlerReviews('__proto__')).text();
	const address = `${sandbox.url}/__requests`;
	const counts = await (await fetch(address)).text();
	expect(counts).toContain('"byPid":{"__proto__":1}');
	expect(JSON.parse(counts)).toMatchObject({ total: 1, byStatus: { 404: 1 }, inFlight: 0, maxInFlight: 1 });
	expect((await fetch(address, { method: 'DELETE' })).status).toBe(204);
	expect(await (await fetch(address)).json()).toMatchObject({ total: 0, byPid: {} });
});

test('each request is a line of the log, without a token, a control character or a long text', async () => {
	const lines: string[] = [];
	const log = (line: string) => lines.push(line);
	const sandbox = await testSandbox({ token: 's3cret-token', products: PRODUCTS, log });
	const { crawlerReviews, starRating } = callsTo(sandbox);
	const guess = { authorization: 'Bearer guessed-token' };
	await (await crawlerReviews('a')).text();
	await (await starRating(['s3cret-token'])).text();
	await (await starRating(['a', 'b'], guess)).text();
	await (await crawlerReviews('guessed-token', {}, { headers: guess })).text();
	await (await fetch(`${sandbox.url}/s3cret-token?token=s3cret-token`)).text();
	await (await crawlerReviews(`a\r\nGET /forged\u001b[2K\u202e${'x'.repeat(300)}`)).text();
	sandbox.faults.add({ kind: 'reset' });
	await crawlerReviews('a').catch(() => {});
	await expect.poll(() => lines.length).toBe(7);
	expect(lines[0]).toMatch(/^GET \/api\/llmRvwHTML pid=a 200 (\d+ B|\d+\.\d KB) \d+ ms$/);
	expect(lines[1]).toMatch(/^POST \/api\/v1\/getStarRating pid=\*\*\* 200 \d+ B \d+ ms$/);
	expect(lines[2]).toMatch(/^POST \/api\/v1\/getStarRating pids=2 401 /);
	expect(lines[4]).toMatch(/^GET \/\*\*\* 404 /);
	expect(lines[5]).toMatch(/^GET \/api\/llmRvwHTML pid=aGET \/forged\[2Kx+… 404 \d+ B \d+ ms$/);
	expect(lines[5]?.length).toBeLessThan(190);
	expect(lines[6]).toMatch(/^GET \/api\/llmRvwHTML pid=a no answer 0 B \d+ ms fault=reset$/);
	expect(lines.join('\n')).not.toMatch(/s3cret|guessed/);
});
