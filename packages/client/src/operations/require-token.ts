import { ReviewsConfigurationError } from '../errors/index.js';

/**
 * Refuses an operation that the service answers only with a token, before it is sent without one.
 *
 * @throws ReviewsConfigurationError where the client was given no token.
 */
export function requireToken(given: boolean, operation: string): void {
	if (given) return;
	throw new ReviewsConfigurationError(
		`${operation} needs an access token, and the client was given none. Give it as the option token.`,
	);
}
