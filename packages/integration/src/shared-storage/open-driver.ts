import { createStorage, type Driver, type Storage } from 'unstorage';
import { fieldsOf } from '../parse/field-reader.js';
import { createSetIfAbsent, type SetIfAbsent } from './set-if-absent.js';

/** A text to store. */
export interface StorageItem {
	readonly key: string;
	readonly value: string;
	/** Whether the driver drops it after {@link SHORT_LIFE}; if it cannot, it is not stored. */
	readonly isTransient?: boolean | undefined;
}

/** How long transient values are stored, in seconds: an hour. */
const SHORT_LIFE = 3_600;

/** Drivers whose values can expire, by the names they give themselves. */
const WITH_EXPIRY = new Set(['redis', 'upstash', 'vercel-kv', 'cloudflare-kv-binding']);

/** The driver in use. */
export interface OpenDriver {
	/** Texts by key, in one round trip where the driver can. Missing keys are left out. */
	get(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
	set(items: readonly StorageItem[]): Promise<true>;
	remove(key: string): Promise<true>;
	readonly setIfAbsent: SetIfAbsent;
	close(): Promise<void>;
}

export function openDriver(driver: Driver): OpenDriver {
	const storage: Storage = createStorage({ driver });
	ignoreErrorEvents(driver);
	return {
		async get(keys) {
			const items = await storage.getItems([...keys]);
			const found = new Map<string, string>();
			for (const { key, value } of items) {
				const text = await textOf(value);
				if (text !== undefined) found.set(key, text);
			}
			return found;
		},
		async set(items) {
			const canExpire = WITH_EXPIRY.has(driver.name ?? '');
			await storage.setItems(
				items
					.filter(({ isTransient }) => !isTransient || canExpire)
					.map(({ key, value, isTransient }) =>
						isTransient ? { key, value, options: { ttl: SHORT_LIFE } } : { key, value },
					),
			);
			return true;
		},
		async remove(key) {
			await storage.removeItem(key);
			return true;
		},
		setIfAbsent: createSetIfAbsent(driver),
		close: () => storage.dispose(),
	};
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
