import { tokens } from '../database/tokens.js';
import type { Service } from '../service.js';
import { HttpError } from './http-error.js';

/** How a request came with regard to its token. */
export type Authorization = 'none' | 'accepted' | 'refused';

/** Looks at the `Authorization` header: absent, with an accepted bearer token, or with anything else. */
export function authorizationOf(header: string | undefined, service: Service): Authorization {
	if (header === undefined) return 'none';
	const token = /^Bearer +(\S+)$/i.exec(header)?.[1];
	if (token === undefined) return 'refused';
	return service.tokens.includes(token) || tokens.has(service.database, token) ? 'accepted' : 'refused';
}

/**
 * Lets a call with an accepted bearer token pass.
 *
 * @throws {HttpError} 401 otherwise.
 */
export function authorize(header: string | undefined, service: Service): void {
	const authorization = authorizationOf(header, service);
	if (authorization === 'accepted') return;
	const message =
		authorization === 'none'
			? 'Send "Authorization: Bearer <ACCESS_TOKEN>".'
			: 'This access token is not known.';
	throw new HttpError(401, message, { 'www-authenticate': 'Bearer' });
}
