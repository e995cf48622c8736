import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { listenInTest } from 'product-reviews-test-support/listen';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ServiceThread } from '../../../dist/providers/start-review-service.js';
import { answer, reviewBlock, reviewItem, SCHEMA, schemaScript } from '../../support/service/payload.js';

/** A thread whose service holds its answers back until the test says so, and a way to kill it. */
async function start(
	payload: object,
	options: {
		isSilent?: boolean;
		concurrency?: number;
		delay?: number;
		status?: number;
		token?: () => Promise<string>;
	},
) {
	const workers: Worker[] = [];
	// Each thread is let go when it is started: it keeps no process alive by itself.
	const { unref } = Worker.prototype;
	const spy = vi.spyOn(Worker.prototype, 'unref').mockImplementation(function (this: Worker) {
		workers.push(this);
		return unref.call(this);
	});
	onTestFinished(() => spy.mockRestore());
	const { concurrency = 8, delay = 0, status = 200, token } = options;
	let { isSilent = false } = options;
	let asked = 0;
	const server = createServer(async (request, response) => {
		asked += 1;
		if (isSilent) return;
		await setTimeout(delay);
		response.statusCode = status;
		const pid = new URL(request.url ?? '/', 'http://localhost').searchParams.get('pid');
		response.end(JSON.stringify({ status: 200, dataCount: { prtng: 2, avgrtng: 4.5 }, ...payload, pid }));
	});
	const { url } = await listenInTest(server);
	onTestFinished(() => server.closeAllConnections());
	const warnings: string[] = [];
	const service = new ServiceThread(
		{ baseUrl: url, wsid: 'W', retries: 0, timeout: 60_000, maxResponseBytes: 8_388_608, concurrency },
		{ token, warn: (message) => warnings.push(message) },
	);
	onTestFinished(() => service.close());
	return {
		warnings,
		workers,
		fetchRatings: () => service.fetchRatings(['a']),
		fetchAll: (pids: readonly string[]) =>
			Promise.allSettled(pids.map((pid) => service.fetch('reviews', pid))),
		async killAfter(count: number) {
			await expect.poll(() => asked).toBeGreaterThanOrEqual(count);
			await workers.at(-1)?.terminate();
		},
		speak() {
			isSilent = false;
		},
	};
}

test('what dies with a thread is asked for again by another, and a line says so', async () => {
	const { fetchAll, killAfter, speak, warnings } = await start(answer(), { isSilent: true });
	const fetched = fetchAll(['a', 'b']);
	await killAfter(2);
	speak();
	expect(await fetched).toMatchObject(Array(2).fill({ value: { isEmpty: false } }));
	expect(warnings).toEqual([expect.stringContaining('2 requests will be repeated on a new one.')]);
});

test('what dies with two threads fails, and a third one is asked for what comes later', async () => {
	const { fetchAll, killAfter, speak, warnings } = await start(answer(), { isSilent: true });
	const failed = fetchAll(['a', 'b']);
	await killAfter(2);
	await killAfter(4);
	const failure = { status: 'rejected', reason: { code: 'PR_THREAD_ENDED' } };
	expect(await failed).toMatchObject([failure, failure]);
	expect(warnings).toEqual([
		'The thread that sends the requests ended (it exited with code 1). 2 requests will be repeated on a new one. [PR_THREAD_ENDED]',
		expect.stringContaining('ended again (it exited with code 1), and 2 requests failed.'),
	]);
	speak();
	expect(await fetchAll(['c'])).toMatchObject([{ value: { isEmpty: false } }]);
});

test('a thread without requests ends, and the next request starts another, which asks for no token again', async () => {
	const token = vi.fn(async () => 'token');
	const { fetchAll, fetchRatings, workers, warnings } = await start({ ...answer(), data: [] }, { token });
	await fetchRatings();
	await once(workers[0] ?? expect.fail(), 'exit');
	await fetchRatings();
	expect(await fetchAll(['c'])).toMatchObject([{ value: { isEmpty: false } }]);
	expect([workers.length, token.mock.calls.length, warnings]).toEqual([2, 1, []]);
});

test('a request within a second of the last one keeps the thread, however long it takes', async () => {
	const { fetchAll, workers } = await start(answer(), { delay: 500 });
	await fetchAll(['a']);
	await setTimeout(700);
	expect(await fetchAll(['b'])).toMatchObject([{ value: { isEmpty: false } }]);
	expect(workers.length).toBe(1);
});

test('a thread whose service failed stays, and with it how long the service is left alone', async () => {
	const { fetchAll, workers } = await start(answer(), { status: 503 });
	expect(await fetchAll(['a'])).toMatchObject([{ status: 'rejected' }]);
	await setTimeout(1_500);
	await fetchAll(['b']);
	expect(workers.length).toBe(1);
});

test('the thread has memory enough when every answer in flight is as large as allowed', async () => {
	const reviews = 1_950;
	const body = 'Boils fast, and keeps it warm. '.repeat(60);
	const items = Array.from({ length: reviews }, () =>
		reviewItem({ author: 'Ada', rating: 'Rating: 5/5', body }),
	);
	const review = Array.from({ length: reviews }, () => ({ ...SCHEMA.review[0], reviewBody: body }));
	const payload = { html: reviewBlock(...items), jsonld: schemaScript({ ...SCHEMA, review }) };
	expect(payload.html.length + payload.jsonld.length).toBeGreaterThan(7_500_000);
	const { fetchAll } = await start(payload, { concurrency: 16 });
	const fetched = await fetchAll(Array.from({ length: 16 }, (_, index) => `p-${index}`));
	expect(fetched).toMatchObject(Array(16).fill({ value: { content: {} } }));
});
