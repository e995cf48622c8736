import pLimit from 'p-limit';
import type { Driver } from 'unstorage';
import { createThrottle, within } from '../base/async.js';
import { isSecretName, plainLine } from '../base/words.js';
import { fieldsOf } from '../records/field-reader.js';

export interface StorageDriverOptions {
	/** Creates the driver. Called once, when something is first read or written. */
	readonly open: () => Driver;
	/** Longest time that callers wait for what they read, in milliseconds. @default 100 */
	readonly patience?: number | undefined;
	/** Called at most once a minute. The message contains no secret. */
	readonly warn: (message: string) => void;
}

/** Beginning of all keys. */
export const ROOT = 'product-reviews:';

/**
 * Pause in the use of the storage after a failure, in milliseconds. Then one operation finds out if it works again, and the
 * next pause is twice as long: one slow answer of a busy machine is no reason to ask the service for a thousand products.
 */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5_000;

/** Shortest interval between warnings, in milliseconds. */
const WARNING_INTERVAL = 60_000;

/** Time for which values are kept by drivers that can drop them, in seconds: 30 days. */
const TIME_TO_LIVE = 2_592_000;

/** Requests at the same time with drivers that need one for each key. Each may have a connection of its own. */
export const MAX_REQUESTS = 32;

/**
 * Reads and writes texts with a driver of `unstorage`. No operation throws or takes long: one that fails is as if the
 * storage were empty, and the next ones are not tried for a while. Unlike `createStorage` of `unstorage`, it parses
 * nothing, and runs without Node.
 */
export class StorageDriver {
	readonly #options: StorageDriverOptions;
	#driver: Driver | undefined;
	#failedAt: number | undefined;
	#pause = 0;
	readonly #warnOf: ReturnType<typeof createThrottle>;
	#isWriteChecked = false;

	constructor(options: StorageDriverOptions) {
		this.#options = options;
		this.#warnOf = createThrottle(WARNING_INTERVAL, options.warn);
	}

	/** Reads texts by key, in one round trip where the driver can. Missing keys are left out. */
	get(keys: readonly string[]): Promise<ReadonlyMap<string, string> | undefined> {
		const get = async (driver: Driver) => {
			const found = new Map<string, string>();
			for (const { key, value } of await readAll(driver, keys)) {
				const text = await textOf(value);
				if (text !== undefined) found.set(key, text);
			}
			return found;
		};
		return this.#run(get, false, false, keys.length);
	}

	async set(key: string, text: string, insists = false): Promise<boolean> {
		const set = async (driver: Driver) => {
			const { ttl = TIME_TO_LIVE } = fieldsOf(driver.options);
			// A change has to outlive every answer that was requested before it.
			await driver.setItem?.(key, text, { ttl: insists ? 2 * Number(ttl) : ttl });
			await this.#checkWrite(driver, key);
			return true;
		};
		return (await this.#run(set, true, insists)) === true;
	}

	async close(): Promise<void> {
		await this.#driver?.dispose?.();
	}

	/** @param isPatient whether to wait long: for what callers write, or must know. */
	async #run<Result>(
		operation: (driver: Driver) => Promise<Result>,
		isPatient: boolean,
		insists: boolean,
		keys = 1,
	): Promise<Result | undefined> {
		const now = performance.now();
		if (this.#failedAt !== undefined && !insists) {
			if (now - this.#failedAt < this.#pause) return undefined;
			// The others do not wait for this one.
			this.#failedAt = now;
		}
		const failedAt = this.#failedAt;
		try {
			const driver = this.#connect();
			const { patience = 100 } = this.#options;
			// One that needs a request for each key takes as much longer.
			const rounds = canReadMany(driver) ? 1 : Math.ceil(keys / MAX_REQUESTS);
			const limit = rounds * (isPatient ? Math.max(patience, 2_000) : patience);
			const result = await within(operation(driver), limit, () => {
				throw new Error(`it did not respond within ${limit} ms.`);
			});
			this.#failedAt = undefined;
			this.#pause = 0;
			return result;
		} catch (error) {
			// Those that fail at the same time are one failure.
			if (this.#failedAt === failedAt) {
				this.#pause = Math.min(LONGEST_PAUSE, Math.max(FIRST_PAUSE, 2 * this.#pause));
			}
			this.#failedAt = performance.now();
			this.#warnOf(() => {
				const why = describeError(error, this.#driver?.options);
				return `The shared storage failed: ${why} Meanwhile, requests go to the service. [PR_STORAGE_FAILED]`;
			});
			return undefined;
		}
	}

	#connect(): Driver {
		if (this.#driver) return this.#driver;
		this.#driver = this.#options.open();
		void ignoreErrorEvents(this.#driver.getInstance?.());
		return this.#driver;
	}

	/** S3 takes the answer "no such bucket" for "no such value", so it loses what is written without an error. */
	async #checkWrite(driver: Driver, key: string): Promise<void> {
		if (this.#isWriteChecked || driver.name !== 's3') return;
		if (!(await driver.hasItem(key, {}))) {
			const bucket = JSON.stringify(fieldsOf(driver.options)['bucket']);
			throw new Error(`what was written to the bucket ${bucket} is not there. Check the name of the bucket.`);
		}
		this.#isWriteChecked = true;
	}
}

/** A Redis cluster reads no keys of several slots at once. */
function canReadMany(driver: Driver): boolean {
	return driver.getItems !== undefined && !fieldsOf(driver.options)['cluster'];
}

async function readAll(driver: Driver, keys: readonly string[]) {
	if (driver.getItems && canReadMany(driver)) {
		const items = await driver.getItems(keys.map((key) => ({ key })));
		// Drivers may return keys with their own prefix.
		return items.map(({ key, value }) => ({ key: key.slice(Math.max(0, key.lastIndexOf(ROOT))), value }));
	}
	const read = async (key: string) => ({ key, value: await driver.getItem(key) });
	return pLimit(MAX_REQUESTS).map(keys, read);
}

/** The http driver returns binary data if the server says nothing about the type. */
async function textOf(value: unknown): Promise<string | undefined> {
	if (typeof value === 'string') return value;
	if (value instanceof Blob) return value.text();
	if (value instanceof ArrayBuffer || value instanceof Uint8Array) return new TextDecoder().decode(value);
	return undefined;
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

/** Values of the configuration that are too short to be secrets, such as a port, and would blank out words. */
const LEAST_SECRET = 6;

/**
 * Describes an error of a driver on one line. Drivers put addresses and answers into their messages, so credentials in
 * addresses and everything that the configuration names like a secret are taken out.
 */
export function describeError(error: unknown, config: unknown): string {
	let line = error instanceof Error ? error.message || error.name : String(error);
	for (const secret of secretsOf(config, false)) {
		if (secret.length >= LEAST_SECRET) line = line.replaceAll(secret, '…');
	}
	// S3 explains errors in XML.
	line = line
		.replace(/\/\/\S*@/g, '//…@')
		.replace(/<[^<>]*>/g, ' ')
		.replace(/\?[^\s"']*/g, '?…');
	const plain = plainLine(line, 200);
	return /[.!?…]$/.test(plain) ? plain : `${plain}.`;
}

function* secretsOf(config: unknown, isSecret: boolean): Generator<string> {
	if (typeof config === 'string') {
		const { username = '', password = '' } = URL.parse(config) ?? {};
		yield* isSecret ? [config, username, password] : [username, password];
	} else if (typeof config === 'object' && config !== null) {
		for (const [name, value] of Object.entries(config))
			yield* secretsOf(value, isSecret || isSecretName(name));
	}
}
