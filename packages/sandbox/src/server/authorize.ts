import { tokens } from '../database/tokens.js';
import type { Service } from '../service.js';
import type { Authorization } from './authorization.js';
import { HttpError } from './http-error.js';

/** Checks the `Authorization` header: absent, an accepted bearer token, or anything else. */
export function authorizationOf(header: string | undefined, service: Service): Authorization {
	if (header === undefined) return 'none';
	const token = /^Bearer +(\S+)$/i.exec(header)?.[1];
	if (token === undefined) return 'refused';
	return service.tokens.includes(token) || tokens.has(service.database, token) ? 'accepted' : 'refused';
}

/**
 * Requires an accepted bearer token.
 *
 * @throws {HttpError} 401 without one.
 */
export function authorize(header: string | undefined, service: Service): void {
	const authorization = authorizationOf(header, service);
	if (authorization === 'accepted') return;
	const message =
		authorization === 'none' ? 'Send "Authorization: Bearer <ACCESS_TOKEN>".' : 'Unknown access token.';
	throw new HttpError(401, message, { 'www-authenticate': 'Bearer' });
}
