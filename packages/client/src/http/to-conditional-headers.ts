import type { Validators } from '../records/validators.js';

/**
 * The headers that ask for an answer only where it is another than the known one. The date goes without a tag only:
 * with one the service has to ignore it (RFC 9110, 13.1.3).
 *
 * @param known checked by {@link checkValidators}.
 * @example toConditionalHeaders({ etag: '"a1"' }) // { 'if-none-match': '"a1"' }
 */
export function toConditionalHeaders(known: Validators | undefined): Record<string, string> {
	if (known?.etag !== undefined) return { 'if-none-match': known.etag };
	if (known?.lastModified !== undefined) return { 'if-modified-since': known.lastModified };
	return {};
}
