import type { Validators } from '../records/validators.js';

/**
 * Headers that request an answer only if it differs from the known one. The date is only sent without a tag, because
 * with one the service must ignore it (RFC 9110, 13.1.3).
 *
 * @param known checked by {@link checkValidators}.
 * @example toConditionalHeaders({ etag: '"a1"' }) // { 'if-none-match': '"a1"' }
 */
export function toConditionalHeaders(known: Validators | undefined): Record<string, string> {
	if (known?.etag !== undefined) return { 'if-none-match': known.etag };
	if (known?.lastModified !== undefined) return { 'if-modified-since': known.lastModified };
	return {};
}
