import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { pack } from '../../../src/cache/values.js';
import { type RefreshContext, refreshCache } from '../../../src/cli/refresh.js';
import { resolveConnection } from '../../../src/options/connection.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import { condenseRecord } from '../../../src/parse/condensed-record.js';
import type { ProductReviews } from '../../../src/parse/record.js';
import type { Fetched, ReviewService } from '../../../src/service/create-review-service.js';
import type { ChangedProducts } from '../../../src/session/changed-products.js';
import { record } from './record.js';

/** An answer of the service, as its thread sends it. */
export function fetched(record: ProductReviews): Fetched {
	return {
		packed: pack(condenseRecord(record), record.aggregate),
		isEmpty: record.aggregate === undefined && record.reviews.length === 0,
		dropped: {},
		validators: undefined,
	};
}

/** The service of all sites: it answers at once, and counts. */
export function createCountingService() {
	const asked: string[] = [];
	const said = { asked, heading: 'First' };
	const thread: ReviewService = {
		async fetch(_resource, pid) {
			asked.push(pid);
			return fetched(record({ pid, heading: said.heading }));
		},
		fetchRatings: async () => new Map(),
		prioritize() {},
		async close() {},
	};
	return Object.assign(said, { thread });
}

const CONNECTION = { baseUrl: 'https://reviews.example', wsid: 'W-1' };

/** A project with a store of its own, which shares answers through a folder. */
export function createSharingSite(base: string, service: ReturnType<typeof createCountingService>) {
	const root = createFolder();
	const options = parseOptions({ ...CONNECTION, storage: { driver: 'fs', config: { base } } });
	const warnings: string[] = [];
	const context: Omit<RefreshContext, 'products' | 'changed'> = {
		options,
		connection: resolveConnection(options, {}),
		cacheFile: join(root, 'reviews.db'),
		storage: options.storage && { options: options.storage, environment: undefined, root },
		logger: { info: () => {}, warn: (message) => warnings.push(message) },
		startService: () => service.thread,
	};
	return {
		context,
		warnings,
		/** Refreshes its cache. @returns the products that it asked the service for */
		async refresh(products: readonly string[], changed: Partial<ChangedProducts> = {}) {
			service.asked.length = 0;
			await refreshCache({ ...context, products, changed: { pids: [], all: false, ...changed } });
			return service.asked.toSorted();
		},
	};
}
