import type { Validators } from '../records/validators.js';
import { parseHttpDate } from './parse-http-date.js';

/**
 * Leaves of validators only what may stand in a request: they come from the service, or from where the caller kept
 * them. A tag is ASCII in double quotes (RFC 9110, 8.8.3), `W/` before it or not; a date is an HTTP date; neither is
 * longer than 256 characters.
 *
 * @returns `undefined` where nothing is left.
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

/** The standard allows bytes above ASCII, too; runtimes disagree on how they are read and written. */
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e]*"$/;
const MAX_LENGTH = 256;

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.length <= MAX_LENGTH;
}
