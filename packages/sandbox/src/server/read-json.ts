import { HttpError } from './http-error.js';
import { parseJson } from './parse-json.js';
import type { Call } from './route.js';

/**
 * Reads the body of a call as JSON.
 *
 * @throws {HttpError} 415 for another content type, 400 for text that is not JSON.
 */
export function readJson({ headers, body }: Call): unknown {
	const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
	if (type !== 'application/json') {
		throw new HttpError(415, `Send "Content-Type: application/json"; this request has "${type ?? ''}".`);
	}
	const value = parseJson(body);
	if (value === undefined) throw new HttpError(400, 'The body is not valid JSON.');
	return value;
}
