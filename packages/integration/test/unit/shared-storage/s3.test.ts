import s3 from 'unstorage/drivers/s3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SharedStorage } from '../../../src/shared-storage/shared-storage.js';
import { type S3Server, startS3 } from '../../support/service/s3-server.js';
import { openStorage } from '../../support/unit/open-storage.js';
import { record } from '../../support/unit/record.js';

let server: S3Server;
let warnings: string[];

beforeEach(async () => {
	server = await startS3();
	warnings = [];
});
afterEach(() => server.close());

const open = (config: Partial<S3Server['config']> = {}) =>
	openStorage(s3({ ...server.config, ...config }), (message) => warnings.push(message));
const write = (storage: SharedStorage, pid: string) => {
	const answer = { value: record({ pid }), fetchedAt: Date.now(), changedAt: Date.now(), lastChange: '' };
	return storage.write('reviews', pid, answer);
};

test('a product is one request, and what changed another; one finds out that what is written can be read', async () => {
	const pids = Array.from({ length: 100 }, (_, index) => `p-${index}`);
	const storage = open();
	for (const pid of pids) expect(await write(storage, pid)).toBe(true);
	expect(Object.fromEntries(server.requests)).toEqual({ PUT: 100, HEAD: 1 });
	expect((await storage.read('reviews', pids)).size).toBe(100);
	expect(server.requests.get('GET')).toBe(101);
});

describe('a configuration that is wrong', () => {
	test('in the name of the bucket: what is written is lost, so it counts as a failure', async () => {
		const storage = open({ bucket: 'shoop' });
		expect(await write(storage, 'p-1')).toBe(false);
		expect(await storage.outdate(['p-1'])).toBe(false);
		expect(warnings).toEqual([
			'The shared storage failed: what was written to the bucket "shoop" is not there. Check the name of the bucket. Meanwhile the service is asked. [PR_STORAGE_FAILED]',
		]);
	});

	test('in the credentials: the line says so, without markup and without secrets', async () => {
		await open({ accessKeyId: 'canary-access-key' }).poll();
		expect(warnings.map((line) => line.replace(/:\d+/, ':port'))).toEqual([
			'The shared storage failed: [unstorage] [s3] [GET] http://127.0.0.1:port/shop/product-reviews/1/a-1/changes: 403 Forbidden InvalidAccessKeyId The AWS Access Key Id you provided does not exist in our records. … Meanwhile the service is asked. [PR_STORAGE_FAILED]',
		]);
	});
});
