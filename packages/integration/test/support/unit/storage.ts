import type { Driver } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { SharedStorage } from '../../../src/reviews/shared-storage.js';

/** A shared storage for drivers that take real time: the machine of the tests may be busy. */
export const openStorage = (driver: Driver, warn: (message: string) => void) =>
	new SharedStorage({ open: () => driver, account: 'a-1', patience: 10_000, warn });

/** A storage in memory that several instances use, and how it behaves. */
export function createStorage() {
	const inner = memory();
	const values = inner.getInstance?.() as Map<string, string>;
	const calls: string[] = [];
	const call = async <Result>(name: string, action: () => Result): Promise<Result> => {
		calls.push(name);
		if (storage.behaves === 'hangs') await new Promise(() => {});
		if (storage.behaves instanceof Error) throw storage.behaves;
		return action();
	};
	const storage = {
		values,
		/** Every operation so far, such as `getItems 3`. */
		calls,
		behaves: 'well' as 'well' | 'hangs' | Error,
		driver: {
			...inner,
			options: { url: 'redis://:canary-password@127.0.0.1:6379' },
			getItems: (items) =>
				call(`getItems ${items.length}`, () =>
					items.map(({ key }) => ({ key, value: values.get(key) ?? null })),
				),
			getItem: (key) => call(`getItem ${key}`, () => values.get(key) ?? null),
			setItem: (key, value) => call(`setItem ${key}`, () => void values.set(key, value)),
		} satisfies Driver as Driver,
	};
	return storage;
}
