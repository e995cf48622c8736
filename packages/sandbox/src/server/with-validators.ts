import { createHash } from 'node:crypto';
import { type Answer, answer } from './answer.js';

/**
 * Adds an `ETag` to a response that has a `Last-Modified`, and answers 304 if the caller already has that body.
 * The tag is weak, because it is also used for the compressed body.
 */
export function withValidators(full: Answer, ifNoneMatch: string | undefined): Answer {
	const lastModified = full.headers['last-modified'];
	if (full.status !== 200 || lastModified === undefined) return full;
	const etag = `W/"${createHash('sha256').update(full.body).digest('base64url').slice(0, 27)}"`;
	if (ifNoneMatch !== undefined && hasTag(ifNoneMatch, etag)) {
		const { 'content-type': _body, ...headers } = full.headers;
		return answer.empty(304, { ...headers, etag });
	}
	return { ...full, headers: { ...full.headers, etag } };
}

function hasTag(header: string, etag: string): boolean {
	const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
	return header.trim() === '*' || header.split(',').some((tag) => opaque(tag) === opaque(etag));
}
