import { parseOptions } from '../../../integration/src/options/parse-options.js';
import type { Asked, Facts, ListFacts, ServiceFacts, Setting, StoreFacts } from '../../src/doctor/facts.js';

export const NOW = Date.parse('2026-11-22T12:00:00Z');
export const HOUR = 3_600_000;

export const answered = (count: number): Asked => ({
	state: 'answered',
	ms: 12,
	count,
	average: count && 4.5,
});

/** A setting from the environment; `undefined` if it is not set. */
export function setting(id: Setting['id'], shown: string | undefined, more: Partial<Setting> = {}): Setting {
	const variable = `REVIEWS_${id.toUpperCase()}`;
	const origin = shown === undefined ? undefined : 'the environment';
	return { id, variable, shown, length: shown?.length, origin, hides: undefined, ...more };
}

export const SERVICE: ServiceFacts = {
	origin: 'https://reviews.example',
	operations: { crawlerReviews: answered(2), starRating: answered(2), productReviewData: answered(2) },
	skew: 120,
	dropped: {},
	publishers: [],
};

export const LIST: Extract<ListFacts, { state: 'read' }> = {
	state: 'read',
	first: 'p-1',
	length: 60,
	read: 1,
	hasProduct: undefined,
};

export const STORE: Extract<StoreFacts, { state: 'open' }> = {
	state: 'open',
	name: 'node_modules/.astro/product-reviews/reviews-v7.db',
	bytes: 240_000,
	products: 60,
	stale: 0,
	others: 0,
	damaged: 0,
	oldest: NOW - 2 * HOUR,
	newest: NOW - HOUR,
	marks: undefined,
	hasSetAside: false,
};

const TOTALS = { products: 60, fetched: 60, unchanged: 0, missing: 0, stale: 0, failed: 0 };

export const REPORT: NonNullable<Facts['build']['report']> = {
	version: '0.1.0',
	builtAt: NOW - HOUR + 1_000,
	ms: 4_000,
	totals: TOTALS,
	pages: { withReviews: 61 },
	findings: 0,
	failure: undefined,
	showsProducts: true,
};

/** Facts of a store in which everything is in order. @param options of the integration. */
export function soundFacts(options: Record<string, unknown> = {}): Facts {
	const { token, products, baseUrl, wsid, ...safe } = parseOptions(options);
	return {
		now: NOW,
		versions: { node: '24.21.0', astro: '7.3.5' },
		site: {
			adapter: undefined,
			site: 'https://shop.example',
			isIncremental: false,
			hasCsp: false,
			options: safe,
			changed: [],
			connectionTrouble: undefined,
		},
		siteTrouble: undefined,
		settings: [
			setting('baseUrl', 'https://reviews.example'),
			setting('wsid', 'W-1001'),
			setting('token', 'set (13 characters)'),
			setting('webhookSecret', undefined),
		],
		list: LIST,
		service: SERVICE,
		product: {
			pid: 'p-1',
			isGiven: false,
			stored: { fetchedAt: NOW - HOUR, state: 'fetched', count: 2, average: 4.5, isWhole: true },
			markedAt: undefined,
			reported: { status: 'fetched', reason: undefined, pages: 2 },
		},
		store: STORE,
		build: {
			report: REPORT,
			outDir: 'dist',
			hasOutput: true,
			pages: { checked: 61, gone: 0, altered: 0 },
			newestFile: NOW - HOUR,
			whyNoPublish: undefined,
		},
		receiver: { waiting: undefined, trouble: undefined },
	};
}
