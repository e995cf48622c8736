import { createStorage, type Driver, type Storage } from 'unstorage';
import { fieldsOf } from '../parse/field-reader.js';
import { createSetIfAbsent, type SetIfAbsent } from './set-if-absent.js';

/** The driver in use. */
export interface OpenDriver {
	/** Texts by key, in one round trip where the driver can. Missing keys are left out. */
	get(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
	set(items: readonly { readonly key: string; readonly value: string }[]): Promise<true>;
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
			await storage.setItems([...items]);
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
