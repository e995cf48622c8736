import { ReviewsConfigurationError } from '../errors/index.js';

/**
 * Rejects an operation that requires a token, before it is sent without one.
 *
 * @throws ReviewsConfigurationError if the client has no token.
 */
export function requireToken(given: boolean, operation: string): void {
	if (given) return;
	throw new ReviewsConfigurationError(
		`${operation} needs an access token, and the client was given none. Give it as the option token.`,
		'PR_MISSING_TOKEN',
	);
}
