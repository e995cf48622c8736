import { WebhookConfigurationError } from '../errors.js';
import type { Verifier, Verify, VerifyFunction } from './verifier.js';

/**
 * Normalizes the option `verify` to a list.
 * @throws WebhookConfigurationError if there is no verifier, so that no endpoint accepts everything by mistake.
 */
export function toVerifiers(verify: Verify): readonly Verifier[] {
	const all: readonly (Verifier | VerifyFunction)[] = Array.isArray(verify) ? verify : [verify];
	if (all.length === 0 || !all.every(isVerifier)) {
		throw new WebhookConfigurationError(
			'The option "verify" must be standardWebhooks(secret), sharedHeader(name, secret), a function, or a list of these. ' +
				'Without it, anyone could start rebuilds.',
		);
	}
	return all.map(toVerifier);
}

function isVerifier(value: unknown): boolean {
	return typeof value === 'function' || typeof (value as Verifier | undefined)?.verify === 'function';
}

function toVerifier(one: Verifier | VerifyFunction): Verifier {
	if (typeof one !== 'function') return one;
	return {
		headers: [],
		async verify(request) {
			const verified = await one(request);
			if (verified === true) return {};
			return typeof verified === 'object' ? verified : undefined;
		},
	};
}
