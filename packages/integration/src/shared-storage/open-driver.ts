import type { Driver } from 'unstorage';
import { fieldsOf } from '../parse/field-reader.js';
import { createWriteCheck } from './create-write-check.js';
import { createSetIfAbsent, type SetIfAbsent } from './set-if-absent.js';

/** A text to store. */
interface StorageItem {
	readonly key: string;
	readonly value: string;
	/** Whether the driver drops it after {@link SHORT_LIFE}; if it cannot, it is not stored. */
	readonly isTransient?: boolean | undefined;
}

/** How long transient values are stored, in seconds: an hour. */
const SHORT_LIFE = 3_600;

/** Drivers whose values can expire, by the names they give themselves. */
const WITH_EXPIRY = new Set(['redis', 'upstash', 'vercel-kv', 'cloudflare-kv-binding']);

/** The driver in use. Its operations throw what the driver throws. */
export interface OpenDriver {
	/** Texts by key, in one round trip where the driver can. Missing keys are left out. */
	get(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
	set(items: readonly StorageItem[]): Promise<true>;
	remove(key: string): Promise<true>;
	readonly setIfAbsent: SetIfAbsent;
	close(): Promise<void>;
}

/**
 * Uses a driver as `createStorage` of `unstorage` does, except that values are only texts. That function would parse them, and
 * it contains code for Node.
 */
export function openDriver(driver: Driver): OpenDriver {
	ignoreErrorEvents(driver);
	const canExpire = WITH_EXPIRY.has(driver.name ?? '');
	const checkWrite = createWriteCheck(driver);
	return {
		async get(keys) {
			const found = new Map<string, string>();
			for (const { key, value } of await readItems(driver, keys)) {
				const text = await textOf(value);
				if (text !== undefined) found.set(key, text);
			}
			return found;
		},
		async set(items) {
			const stored = items.filter(({ isTransient }) => !isTransient || canExpire);
			await Promise.all(
				stored.map(({ key, value, isTransient }) =>
					driver.setItem?.(key, value, isTransient ? { ttl: SHORT_LIFE } : {}),
				),
			);
			if (stored[0]) await checkWrite(stored[0].key);
			return true;
		},
		async remove(key) {
			await driver.removeItem?.(key, {});
			return true;
		},
		setIfAbsent: createSetIfAbsent(driver),
		close: async () => driver.dispose?.(),
	};
}

async function readItems(
	driver: Driver,
	keys: readonly string[],
): Promise<readonly { readonly key: string; readonly value: unknown }[]> {
	if (driver.getItems) return driver.getItems(keys.map((key) => ({ key })));
	return Promise.all(keys.map(async (key) => ({ key, value: await driver.getItem(key) })));
}

/** Clients such as that of Redis print every failed attempt to connect unless somebody listens. Operations fail anyway. */
function ignoreErrorEvents(driver: Driver): void {
	const client: unknown = driver.getInstance?.();
	if (client instanceof Promise) client.catch(() => {});
	const { on } = fieldsOf(client);
	if (typeof on === 'function') on.call(client, 'error', () => {});
}

/** The http driver returns binary data if the server says nothing about the type. */
async function textOf(value: unknown): Promise<string | undefined> {
	if (typeof value === 'string') return value;
	if (value instanceof Blob) return value.text();
	if (value instanceof ArrayBuffer || value instanceof Uint8Array) return new TextDecoder().decode(value);
	return undefined;
}
