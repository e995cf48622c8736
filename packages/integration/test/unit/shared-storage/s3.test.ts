import { createServer } from 'node:net';
import { listenInTest } from 'product-reviews-test-support/listen';
import { type S3Server, startS3 } from 'product-reviews-test-support/s3-server';
import s3 from 'unstorage/drivers/s3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStorage } from '../../support/unit/open-storage.js';
import { record } from '../../support/unit/record.js';

let server: S3Server;
let warnings: string[];

beforeEach(async () => {
	server = await startS3();
	warnings = [];
});
afterEach(() => server.close());

const open = (config: Partial<S3Server['config']> = {}, patience?: number) =>
	openStorage(s3({ ...server.config, ...config }), {
		warn: (message) => warnings.push(message),
		...(patience !== undefined && { patience }),
	});
const answerOf = (pid: string) => ({
	kind: 'reviews' as const,
	pid,
	value: record({ pid }),
	fetchedAt: Date.now(),
	changedAt: Date.now(),
	stamp: {},
});
/** What an operation returned, and how long it took, in milliseconds. */
async function timed<Result>(operation: () => Promise<Result>): Promise<[Result, number]> {
	const startedAt = performance.now();
	return [await operation(), performance.now() - startedAt];
}

describe('requests', () => {
	test('two a product and one for events read a batch, and one a product writes it', async () => {
		const pids = Array.from({ length: 100 }, (_, index) => `p-${index}`);
		const storage = open({}, 10_000);
		expect(await storage.write(pids.map(answerOf))).toBe(true);
		expect(server.requests.get('PUT')).toBe(100);
		const read = await storage.read('reviews', pids);
		expect([...read.values()].every(({ entry }) => entry)).toBe(true);
		expect(server.requests.get('GET')).toBe(201);
	});

	test('none is made for locks, which S3 does not have: every instance may ask the service', async () => {
		const [one, other] = [open(), open()];
		for (const { lock } of [one, other]) {
			const release = await lock('reviews', 'p-1');
			expect(release).not.toBe('taken');
			await (release as () => Promise<void>)();
		}
		expect(server.requests.size).toBe(0);
	});

	test('none is made for answers that are stored for an hour, as S3 cannot drop them', async () => {
		expect(await open().write([{ ...answerOf('p-1'), isTransient: true }])).toBe(true);
		expect(server.keys()).toEqual([]);
	});
});

describe('an outage', () => {
	test.each(['refuses', 'hangs'])('of a server that %s costs 100 ms once, and one line', async (behaves) => {
		const { url, close } = await listenInTest(createServer());
		if (behaves === 'refuses') await close();
		const storage = open({ endpoint: url });
		const [first, time] = await timed(() => storage.read('reviews', ['p-1', 'p-2']));
		expect(first.size).toBe(0);
		// That it is 100 ms is shown with a clock that does not depend on how busy the machine is.
		expect(time).toBeLessThan(300);
		const [, others] = await timed(async () => {
			for (let index = 0; index < 50; index++) await storage.read('reviews', [`p-${index}`]);
		});
		expect(others).toBeLessThan(300);
		expect(await storage.write([answerOf('p-1')])).toBe(false);
		expect(warnings).toHaveLength(1);
		expect(warnings.join()).toContain('The shared storage failed');
	});

	test('ends by itself when S3 answers again', async () => {
		const storage = open();
		await storage.write([answerOf('p-1')]);
		server.latency = 500;
		expect((await storage.read('reviews', ['p-1'])).size).toBe(0);
		server.latency = 0;
		await expect.poll(async () => (await storage.read('reviews', ['p-1'])).get('p-1')?.entry).toBeDefined();
		expect(warnings).toHaveLength(1);
	});
});

describe('a configuration that is wrong', () => {
	test('in the name of the bucket: what is written is lost, so it counts as a failure', async () => {
		const storage = open({ bucket: 'shoop' });
		expect(await storage.write([answerOf('p-1')])).toBe(false);
		expect(await storage.outdate(['p-1'])).toBe(false);
		expect(warnings).toMatchInlineSnapshot(`
			[
			  "The shared storage failed: what was written to the bucket "shoop" is not there. Check the name of the bucket. Meanwhile the service is asked. [PR_STORAGE_FAILED]",
			]
		`);
	});

	test('in the credentials: the line says so, without markup and without secrets', async () => {
		const wrong = { accessKeyId: 'canary-access-key' };
		// Of no product, so that one request is made: of several, the line names the one that fails first.
		await open(wrong).read('reviews', []);
		expect(warnings.map((line) => line.replace(/:\d+/, ':port'))).toMatchInlineSnapshot(`
			[
			  "The shared storage failed: [unstorage] [s3] [GET] http://127.0.0.1:port/shop/product-reviews/1/a-1/changes: 403 Forbidden InvalidAccessKeyId The AWS Access Key Id you provided does not exist in our records. … Meanwhile the service is asked. [PR_STORAGE_FAILED]",
			]
		`);
		expect((await open(wrong).read('reviews', ['p-1'])).size).toBe(0);
		expect(warnings).toHaveLength(2);
		expect(warnings.join()).not.toContain('canary');
	});
});

test('that what is written can be read is found out once', async () => {
	const storage = open();
	await storage.write([answerOf('p-1')]);
	await storage.write([answerOf('p-2')]);
	expect(Object.fromEntries(server.requests)).toEqual({ PUT: 2, HEAD: 1 });
});
