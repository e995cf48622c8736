import type { TestClock } from 'product-reviews-test-support/clock';
import type { Driver } from 'unstorage';
import { createRevalidation } from '../../../src/cache/create-revalidation.js';
import { createResourceRules } from '../../../src/cache/resource-rules.js';
import { createStoreSharing } from '../../../src/cache/store-sharing.js';
import { createStoredResource } from '../../../src/cache/stored-resource.js';
import { createWriteBack } from '../../../src/cache/write-back.js';
import { createOutcomes } from '../../../src/outcomes/create-outcomes.js';
import { condenseRecord, restoreRecord } from '../../../src/parse/condense-record.js';
import type { ProductReviews } from '../../../src/parse/record.js';
import type { Fetched } from '../../../src/service/review-service.js';
import { createMemoryStore } from '../../../src/store/memory-store.js';
import { pack } from '../../../src/store/pack.js';
import { startInstance, type TestStorage } from './storage.js';

const HOUR = 3_600_000;

/** An answer of the service, as its thread sends it. */
export function fetched(record: ProductReviews): Fetched {
	return {
		packed: pack(condenseRecord(record), record.aggregate),
		isEmpty: record.aggregate === undefined && record.reviews.length === 0,
		dropped: {},
		validators: undefined,
	};
}

/** The driver of a storage, with locks as Redis has them. */
export function withLocks({ driver, values }: TestStorage, clock: TestClock): { readonly driver: Driver } {
	const set = async (key: string, value: string, _px: 'PX', time: number, _nx: 'NX') => {
		if (values.has(key)) return null;
		values.set(key, value);
		clock.after(time, () => values.delete(key));
		return 'OK';
	};
	return { driver: { ...driver, name: 'redis', options: {}, getInstance: () => ({ set }) as never } };
}

/** A builder with an empty store, whose requests the test answers. */
export function startBuilder(
	shared: { readonly driver: Driver },
	clock: TestClock,
	{ slots = 8, checked }: { slots?: number; checked?: Promise<unknown> } = {},
) {
	const { storage, warnings } = startInstance(shared, { clock });
	const store = createMemoryStore();
	const table = store.table<never>('reviews');
	const revalidation = createRevalidation(store, clock.now);
	const pause = (milliseconds: number) => new Promise<void>((resolve) => clock.after(milliseconds, resolve));
	const writeBack = createWriteBack({ storage, monotonicNow: clock.now, pause });
	const rules = createResourceRules({
		command: 'build',
		options: { maxStale: 24 * HOUR, onError: 'stale' },
		maxAge: () => HOUR,
		isOutdated: (...args) => revalidation.isOutdated(...args),
		now: clock.now,
	});
	let adopted = 0;
	const sharing = createStoreSharing({
		kind: 'reviews',
		table,
		rules,
		mark: revalidation.mark,
		checked,
		storage,
		writeBack,
		monotonicNow: clock.now,
		pause,
		slots,
		onAdopted(count) {
			adopted += count;
		},
	});
	const asked: { pid: string; answer(record: ProductReviews): void; fail(): void }[] = [];
	const outcomes = createOutcomes();
	const resource = createStoredResource({
		rules,
		table,
		sharing,
		checked,
		outcomes,
		restore: restoreRecord,
		prioritize: sharing.hurry,
		fetch: (pid) =>
			new Promise<Fetched>((resolve, reject) => {
				asked.push({
					pid,
					answer: (record) => resolve(fetched(record)),
					fail: () => reject(new Error('The service failed.')),
				});
			}),
	});
	return {
		storage,
		warnings,
		store,
		table,
		resource,
		revalidation,
		writeBack,
		outcomes,
		/** Requests to the service, oldest first. */
		asked,
		adopted: () => adopted,
	};
}
