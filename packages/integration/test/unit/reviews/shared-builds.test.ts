import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type RefreshContext, refreshCache } from '../../../src/cli/refresh.js';
import { resolveConnection } from '../../../src/options/connection.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import type { ChangedProducts } from '../../../src/project/changed-products.js';
import { readPayload } from '../../../src/providers/hosted-reviews.js';
import type { Fetched, ReviewFetcher } from '../../../src/providers/review-fetcher.js';
import { pack, packContent } from '../../../src/records/packed.js';
import type { Part, Records } from '../../../src/records/parts.js';
import { readReviewData } from '../../../src/records/read-review-data.js';
import { condenseRecord, type ProductReviews } from '../../../src/records/record.js';
import { readAnswer, writeAnswer } from '../../../src/reviews/shared-storage.js';
import { printed } from '../../support/cli/command.js';
import { answer } from '../../support/service/payload.js';
import { dataOf, wireData } from '../../support/service/wire-data.js';
import { record } from '../../support/unit/record.js';

/** An answer of the service, as its thread sends it. */
function fetched(record: ProductReviews): Fetched {
	return {
		content: pack(condenseRecord(record), record.aggregate),
		isEmpty: record.aggregate === undefined && record.reviews.length === 0,
		dropped: {},
		validators: undefined,
	};
}

/** Sites of one service, which answers at once, that share answers through a folder. */
function createSites() {
	const asked: string[] = [];
	const thread: ReviewFetcher = {
		async fetch(_resource, pid) {
			asked.push(pid);
			return fetched(record({ pid }));
		},
		fetchRatings: async () => new Map(),
		prioritize() {},
		async close() {},
	};
	const storage = { driver: 'fs', config: { base: createFolder() } };
	const options = parseOptions({ baseUrl: 'https://reviews.example', wsid: 'W-1', storage });
	return () => {
		const root = createFolder();
		const warnings: string[] = [];
		const context: Omit<RefreshContext, 'products' | 'changed'> = {
			options,
			connection: resolveConnection(options, {}),
			cacheFile: join(root, 'reviews.db'),
			storage: options.storage && { options: options.storage, environment: undefined, root },
			logger: { info: () => {}, warn: (message) => warnings.push(message) },
			fetchHere: () => thread,
		};
		return {
			context,
			warnings,
			/** Refreshes its cache. @returns the products that it asked the service for */
			async refresh(products: readonly string[], changed: Partial<ChangedProducts> = {}) {
				asked.length = 0;
				await refreshCache({ ...context, products, changed: { pids: [], all: false, ...changed } });
				return asked.toSorted();
			},
		};
	};
}

const HOUR = 3_600_000;

test('what others fetched longer ago than "maxAge" is requested again, and shared again', async () => {
	const start = createSites();
	expect(await start().refresh(['p-1', 'p-2'])).toEqual(['p-1', 'p-2']);
	const { now } = Date;
	const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 0.5 * HOUR);
	onTestFinished(() => clock.mockRestore());
	expect(await start().refresh(['p-1'])).toEqual([]);
	clock.mockImplementation(() => now() + 1.5 * HOUR);
	expect(await start().refresh(['p-1'])).toEqual(['p-1']);
	expect(await start().refresh(['p-1', 'p-2'])).toEqual(['p-2']);
});

test('shared answers become the same value as those of the service, so that no page changes', async () => {
	const share = <Of extends Part>(part: Of, pid: string, record: Records[Of]) => {
		const key = { account: 'a-1', part, pid };
		const shared = readAnswer(writeAnswer(key, { record, fetchedAt: 1, changedAt: 1, seen: '' }), key, 2);
		return shared && packContent(part, { record: shared.record });
	};
	const reviews = readPayload(answer());
	expect(share('reviews', 'p-1', reviews)?.digest).toBe(fetched(reviews).content?.digest);
	const data = readReviewData(await dataOf(wireData()));
	const { digest, summary } = pack(data, { ...data.aggregate, questionCount: data.questionCount });
	expect(share('review-data', data.pid, data)).toMatchObject({ digest, summary });
});

const PIDS = ['p-1', 'p-2', 'p-3'];

/** Two projects that share a storage, and others to come. */
function startTwo() {
	const start = createSites();
	return { start, one: start(), other: start() };
}

test('a refresh asks the service for nothing that others know, and others for nothing that it fetched', async () => {
	const { one, other } = startTwo();
	expect(await one.refresh(PIDS)).toEqual(PIDS);
	expect(await other.refresh([...PIDS, 'p-4'])).toEqual(['p-4']);
	expect(await one.refresh([...PIDS, 'p-4'])).toEqual([]);
	expect([...one.warnings, ...other.warnings]).toEqual([]);
});

test('products that are named are outdated for others as well, and so are all', async () => {
	const { one, other, start } = startTwo();
	await one.refresh(PIDS);
	// Its own store has what it fetches, but the storage does not.
	expect(await other.refresh(['p-3'], { pids: ['p-1'] })).toEqual([]);
	expect(await start().refresh(PIDS)).toEqual(['p-1']);
	expect(await other.refresh(['p-1'], { all: true })).toEqual(['p-1']);
	expect(await start().refresh(PIDS)).toEqual(['p-2', 'p-3']);
});

test('products that a person invalidated in a store are outdated for others as well, once', async () => {
	const { one, other, start } = startTwo();
	await one.refresh(PIDS);
	await printed(one.context.cacheFile, ['cache', 'invalidate', 'p-2']);
	expect(await one.refresh(['p-1'])).toEqual([]);
	expect(await other.refresh(PIDS)).toEqual(['p-2']);
	await one.refresh(PIDS);
	// Others are not told again what was fetched since.
	expect(await one.refresh(PIDS)).toEqual([]);
	expect(await start().refresh(PIDS)).toEqual([]);
});
