import type { Validators } from '../records/validators.js';
import { parseHttpDate } from './parse-http-date.js';

/**
 * Removes invalid validators. They come from the service, or from wherever the caller stored them. A tag is ASCII in
 * double quotes (RFC 9110, 8.8.3), with or without a leading `W/`. A date is an HTTP date. Neither is longer than 256
 * characters.
 *
 * @returns `undefined` if none are left.
 * @example checkValidators({ etag: 'W/"a1"', lastModified: 'yesterday' }) // { etag: 'W/"a1"' }
 */
export function checkValidators(
	given: {
		readonly [Name in keyof Validators]: unknown;
	},
): Validators | undefined {
	const etag = isText(given.etag) && ENTITY_TAG.test(given.etag) ? given.etag : undefined;
	const isDate = isText(given.lastModified) && parseHttpDate(given.lastModified) !== undefined;
	if (etag === undefined && !isDate) return undefined;
	return {
		...(etag === undefined ? {} : { etag }),
		...(isDate ? { lastModified: given.lastModified as string } : {}),
	};
}

/** The standard also allows bytes above ASCII, but runtimes disagree on how to read and write them. */
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e]*"$/;
const MAX_LENGTH = 256;

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.length <= MAX_LENGTH;
}
