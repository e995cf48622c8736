import type { Asked, Facts, Setting } from '../../../src/cli/doctor/facts.js';
import { parseOptions } from '../../../src/options/parse-options.js';

export const NOW = Date.parse('2026-11-22T12:00:00Z');
export const HOUR = 3_600_000;

export const answered = (count: number): Asked => ({
	state: 'answered',
	ms: 12,
	count,
	average: count && 4.5,
});

/** A setting from the environment; `undefined` if it is not set. */
function setting(id: Setting['id'], shown: string | undefined): Setting {
	const origin = shown === undefined ? undefined : 'the environment';
	const variable = `REVIEWS_${id.toUpperCase()}`;
	return { id, variable, shown, length: shown?.length, origin, hides: undefined };
}

/** Parts of facts that are different, in objects as deep as needed. */
export type Change = { readonly [key: string]: unknown };

/** Facts of a store in which everything is in order, but for what is changed. */
export function factsOf(change: Change = {}, options: Record<string, unknown> = {}): Facts {
	const { token, products, baseUrl, wsid, ...safe } = parseOptions(options);
	const sound: Facts = {
		now: NOW,
		versions: { node: '24.21.0', astro: '7.3.5' },
		site: {
			...{ adapter: undefined, site: 'https://shop.example', isIncremental: false, hasCsp: false },
			...{ options: safe, changed: [], connectionTrouble: undefined },
		},
		siteTrouble: undefined,
		settings: [
			setting('baseUrl', 'https://reviews.example'),
			setting('wsid', 'W-1001'),
			setting('token', 'set (13 characters)'),
			setting('webhookSecret', undefined),
		],
		list: { state: 'read', first: 'p-1', length: 60, read: 1, hasProduct: undefined },
		service: {
			origin: 'https://reviews.example',
			operations: { crawlerReviews: answered(2), starRating: answered(2), productReviewData: answered(2) },
			...{ skew: 120, dropped: {}, publishers: [] },
		},
		product: {
			...{ pid: 'p-1', isGiven: false, markedAt: undefined },
			stored: { fetchedAt: NOW - HOUR, state: 'fetched', count: 2, average: 4.5, isWhole: true },
			reported: { status: 'fetched', reason: undefined, pages: 2 },
		},
		store: {
			...{ state: 'open', name: 'reviews.db', bytes: 240_000, products: 60, stale: 0, others: 0, damaged: 0 },
			...{ oldest: NOW - 2 * HOUR, newest: NOW - HOUR, marks: undefined, hasSetAside: false },
		},
		build: {
			report: {
				...{ version: '0.1.0', builtAt: NOW - HOUR + 1_000, ms: 4_000, findings: 0, failure: undefined },
				totals: { products: 60, fetched: 60, unchanged: 0, missing: 0, stale: 0, failed: 0 },
				...{ pages: { withReviews: 61 }, showsProducts: true },
			},
			...{ outDir: 'dist', hasOutput: true, newestFile: NOW - HOUR, whyNoPublish: undefined },
			pages: { checked: 61, gone: 0 },
		},
		receiver: { waiting: undefined, trouble: undefined },
	};
	return changed(sound, change) as Facts;
}

/** Lists are changed by the ids of what they hold. */
function changed(value: unknown, change: unknown): unknown {
	const isObject = (one: unknown) => typeof one === 'object' && one !== null;
	if (!isObject(change) || Array.isArray(change) || !isObject(value)) return change;
	if (Array.isArray(value)) return value.map((one) => changed(one, (change as Change)[one.id] ?? {}));
	const all = value as Change;
	const parts = Object.entries(change as Change).map(([key, part]) => [key, changed(all[key], part)]);
	return { ...all, ...Object.fromEntries(parts) };
}
