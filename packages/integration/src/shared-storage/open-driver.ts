import type { Driver } from 'unstorage';
import { inParallel } from '../collections/in-parallel.js';
import { fieldsOf } from '../parse/field-reader.js';
import { withoutPrefix } from './shared-storage.js';

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

/** Requests at the same time with drivers that need one for each key. Each may have a connection of its own. */
const MOST_REQUESTS = 32;

/** The driver in use. Its operations throw what the driver throws. `onAnswer` is called after each of several requests. */
export interface OpenDriver {
	/** Texts by key, in one round trip where the driver can. Missing keys are left out. */
	get(keys: readonly string[], onAnswer?: () => void): Promise<ReadonlyMap<string, string>>;
	set(items: readonly StorageItem[], onAnswer?: () => void): Promise<true>;
	remove(key: string): Promise<true>;
	readonly setIfAbsent: SetIfAbsent;
	close(): Promise<void>;
}

/**
 * Uses a driver as `createStorage` of `unstorage` does, except that values are only texts. That function would parse them, and
 * it contains code for Node.
 */
export function openDriver(driver: Driver): OpenDriver {
	void ignoreErrorEvents(driver.getInstance?.());
	const canExpire = WITH_EXPIRY.has(driver.name ?? '');
	const checkWrite = createWriteCheck(driver);
	// The clients of databases that read many keys at once send many commands at once, too.
	const most = driver.getItems ? Number.POSITIVE_INFINITY : MOST_REQUESTS;
	return {
		async get(keys, onAnswer = () => {}) {
			const found = new Map<string, string>();
			const add = async ({ key, value }: { readonly key: string; readonly value: unknown }) => {
				const text = await textOf(value);
				if (text !== undefined) found.set(key, text);
			};
			if (driver.getItems && canReadMany(driver)) {
				for (const { key, value } of await driver.getItems(keys.map((key) => ({ key }))))
					await add({ key: withoutPrefix(key), value });
				return found;
			}
			await inParallel(keys, most, async (key) => {
				await add({ key, value: await driver.getItem(key) });
				onAnswer();
			});
			return found;
		},
		async set(items, onAnswer = () => {}) {
			const stored = items.filter(({ isTransient }) => !isTransient || canExpire);
			await inParallel(stored, most, async ({ key, value, isTransient }) => {
				await driver.setItem?.(key, value, isTransient ? { ttl: SHORT_LIFE } : {});
				onAnswer();
			});
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

/** Whether a driver reads many keys in one round trip. A Redis cluster reads no keys of several slots at once. */
export function canReadMany(driver: Driver): boolean {
	return driver.getItems !== undefined && !fieldsOf(driver.options)['cluster'];
}

/** Clients such as that of Redis print every failed attempt to connect unless somebody listens. Operations fail anyway. */
async function ignoreErrorEvents(connecting: unknown): Promise<void> {
	try {
		const client = await connecting;
		const { on } = fieldsOf(client);
		if (typeof on === 'function') on.call(client, 'error', () => {});
	} catch {
		// Operations fail as well, and say why.
	}
}

/** The http driver returns binary data if the server says nothing about the type. */
async function textOf(value: unknown): Promise<string | undefined> {
	if (typeof value === 'string') return value;
	if (value instanceof Blob) return value.text();
	if (value instanceof ArrayBuffer || value instanceof Uint8Array) return new TextDecoder().decode(value);
	return undefined;
}

/** Drivers that take the answer "no such bucket" for "no such value", and so lose what they write without an error. */
const LOSE_SILENTLY = new Set(['s3']);

/**
 * Finds out whether a value that was just written is there, until one is.
 * @returns a function that throws if it is not.
 */
function createWriteCheck(driver: Driver): (key: string) => Promise<void> {
	let isChecked = !LOSE_SILENTLY.has(driver.name ?? '');
	return async (key) => {
		if (isChecked) return;
		const { bucket } = fieldsOf(driver.options);
		if (!(await driver.hasItem(key, {}))) {
			throw new Error(
				`what was written to the bucket ${JSON.stringify(bucket)} is not there. Check the name of the bucket.`,
			);
		}
		isChecked = true;
	};
}

/**
 * Sets a key unless it is there.
 * @returns whether it was set; `undefined` if the driver cannot do so in one step.
 */
type SetIfAbsent = (key: string, milliseconds: number) => Promise<boolean | undefined>;

type Command = (...parts: readonly unknown[]) => Promise<unknown>;

/** How databases do so, by the name of their driver. */
const FORMS: Readonly<Record<string, (set: Command, key: string, time: number) => Promise<unknown>>> = {
	redis: (set, key, time) => set(key, '1', 'PX', time, 'NX'),
	upstash: (set, key, px) => set(key, '1', { px, nx: true }),
	'vercel-kv': (set, key, px) => set(key, '1', { px, nx: true }),
};

/** Whether a driver can do so in one step. */
export function canSetIfAbsent({ name = '' }: Pick<Driver, 'name'>): boolean {
	return Object.hasOwn(FORMS, name);
}

/** `unstorage` has no such operation, so it is the database's own, with the client that the driver uses. */
function createSetIfAbsent(driver: Driver): SetIfAbsent {
	const form = canSetIfAbsent(driver) ? FORMS[driver.name ?? ''] : undefined;
	if (!form) return async () => undefined;
	const { base } = fieldsOf(driver.options);
	const prefix = typeof base === 'string' && base !== '' ? `${base.replace(/:$/, '')}:` : '';
	return async (key, milliseconds) => {
		const client = driver.getInstance?.();
		const { set } = fieldsOf(client);
		if (typeof set !== 'function') return undefined;
		return (await form(set.bind(client), prefix + key, milliseconds)) === 'OK';
	};
}
