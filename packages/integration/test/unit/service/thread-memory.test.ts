import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { startServiceThread } from '../../../dist/service/start-service-thread.js';
import type { ReviewService } from '../../../src/service/review-service.js';
import { reviewBlock, reviewItem, SCHEMA, schemaScript } from '../../support/service/payload.js';

const CONCURRENCY = 16;
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
	for (const cleanup of cleanups.splice(0)) await cleanup();
});

const REVIEWS = 1_950;
const BODY = 'Boils fast, and keeps it warm. '.repeat(60);
const HTML = reviewBlock(
	...Array.from({ length: REVIEWS }, () => reviewItem({ author: 'Ada', rating: 'Rating: 5/5', body: BODY })),
);
const JSONLD = schemaScript({
	...SCHEMA,
	review: Array.from({ length: REVIEWS }, () => ({ ...SCHEMA.review[0], reviewBody: BODY })),
});

/** A service all of whose answers are nearly as large as allowed: nearly 2,000 reviews in 8 MB. */
async function startLargeService(): Promise<string> {
	const server = createServer((request, response) => {
		const pid = new URL(request.url ?? '/', 'http://localhost').searchParams.get('pid') ?? '';
		const dataCount = { avgrtng: 4.5, prtng: 2 };
		response.end(JSON.stringify({ pid, status: 200, dataCount, html: HTML, jsonld: JSONLD }));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	cleanups.push(() => server.close());
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('the thread has memory enough when every answer in flight is as large as allowed', async () => {
	const baseUrl = await startLargeService();
	const options = {
		baseUrl,
		wsid: 'W-1001',
		maxResponseBytes: 8_388_608,
		timeout: 60_000,
		retries: 2,
		concurrency: CONCURRENCY,
	};
	const service: ReviewService = startServiceThread(options, {
		token: undefined,
		onRequest: () => {},
	});
	cleanups.push(() => service.close());
	const pids = Array.from({ length: CONCURRENCY }, (_, index) => `p-${index}`);
	expect(HTML.length + JSONLD.length).toBeGreaterThan(7_500_000);
	const fetched = await Promise.all(pids.map((pid) => service.fetch('reviews', pid)));
	expect(fetched.filter(({ packed }) => packed)).toHaveLength(pids.length);
});
