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

// The machine of the tests may be busy.
const open = (config: Partial<S3Server['config']> = {}) =>
	openStorage(s3({ ...server.config, ...config }), {
		warn: (message) => warnings.push(message),
		patience: 10_000,
	});
const answerOf = (pid: string) => ({
	kind: 'reviews' as const,
	pid,
	value: record({ pid }),
	fetchedAt: Date.now(),
	changedAt: Date.now(),
	stamp: {},
});

describe('requests', () => {
	test('two a product and one for events read a batch, one a product writes it, and one finds out that it can be read', async () => {
		const pids = Array.from({ length: 100 }, (_, index) => `p-${index}`);
		const storage = open();
		expect(await storage.write(pids.map(answerOf))).toBe(true);
		expect(await storage.write([answerOf('p-1')])).toBe(true);
		expect(Object.fromEntries(server.requests)).toEqual({ PUT: 101, HEAD: 1 });
		const read = await storage.read('reviews', pids);
		expect([...read.values()].every(({ entry }) => entry)).toBe(true);
		expect(server.requests.get('GET')).toBe(201);
	});

	test('none is made for what S3 does not have: locks, and answers that it would drop after an hour', async () => {
		const [one, other] = [open(), open()];
		for (const { lock } of [one, other]) {
			const release = await lock('reviews', 'p-1');
			expect(release).not.toBe('taken');
			await (release as () => Promise<void>)();
		}
		expect(await one.write([{ ...answerOf('p-1'), isTransient: true }])).toBe(true);
		expect(server.requests.size).toBe(0);
	});
});

describe('a configuration that is wrong', () => {
	test('in the name of the bucket: what is written is lost, so it counts as a failure', async () => {
		const storage = open({ bucket: 'shoop' });
		expect(await storage.write([answerOf('p-1')])).toBe(false);
		expect(await storage.outdate(['p-1'])).toBe(false);
		expect(warnings).toEqual([
			'The shared storage failed: what was written to the bucket "shoop" is not there. Check the name of the bucket. Meanwhile the service is asked. [PR_STORAGE_FAILED]',
		]);
	});

	test('in the credentials: the line says so, without markup and without secrets', async () => {
		// Of no product, so that one request is made: of several, the line names the one that fails first.
		await open({ accessKeyId: 'canary-access-key' }).read('reviews', []);
		expect(warnings.map((line) => line.replace(/:\d+/, ':port'))).toEqual([
			'The shared storage failed: [unstorage] [s3] [GET] http://127.0.0.1:port/shop/product-reviews/1/a-1/changes: 403 Forbidden InvalidAccessKeyId The AWS Access Key Id you provided does not exist in our records. … Meanwhile the service is asked. [PR_STORAGE_FAILED]',
		]);
	});
});
