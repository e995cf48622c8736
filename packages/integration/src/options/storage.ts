import { z } from 'astro/zod';

/** Not an address, which somebody may take for the driver's configuration. */
const NAME = /^(?!\w+:\/\/)./;

/** `undefined` for a variable of the environment that is not set. */
const json = z.union([z.json(), z.undefined()], { error: 'Expected a value that can be written as JSON.' });

/** The storage that builds and server instances share. */
export const storageSchema = z.strictObject({
	/**
	 * Name of an [unstorage](https://unstorage.unjs.io/drivers) driver, such as `'redis'`, `'fs'`, `'s3'` or `'http'`, or a
	 * module that exports a driver by default, which has 30 seconds to load. You can use the same drivers as for Astro's
	 * sessions.
	 * @example 'redis'
	 */
	driver: z.custom<string | URL>(
		(value) => value instanceof URL || (typeof value === 'string' && NAME.test(value)),
		{ error: 'Expected the name of an unstorage driver, or a module that exports one.' },
	),
	/**
	 * Options of the driver, as JSON. They become part of the server's code, so put secrets in the environment variable
	 * `REVIEWS_STORAGE_CONFIG`, both where you build and where your server runs. It's a JSON object whose properties take
	 * precedence over these.
	 * @default {}
	 * @example { base: 'reviews', ttl: 2592000 }
	 */
	config: z.record(z.string(), json, { error: 'Expected an object of options of the driver.' }).default({}),
});

export type StorageOptions = z.output<typeof storageSchema>;
