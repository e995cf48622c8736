import { WebhookConfigurationError } from '../errors.js';
import { sharedHeader } from './shared-header.js';
import { standardWebhooks } from './standard-webhooks.js';
import type { Verifier } from './verifier.js';

/** Reads an environment variable. */
export type ReadVariable = (name: string) => string | undefined;

/** Where the secrets of verifiers are. */
export interface VerifierVariables {
	/** Name of the variable that holds the webhook secret; two secrets, separated by a space, while it changes. */
	readonly secretEnv: string;
	/** Name of the header with a fixed key. @default none: events are signed */
	readonly keyHeader?: string | undefined;
	/** Name of the variable that holds the key. */
	readonly keyEnv: string;
	/** What else to do if no secret is set: a sentence for the error. */
	readonly hint?: string | undefined;
}

/**
 * The verifiers whose secrets are in environment variables.
 * @throws WebhookConfigurationError that names the missing variable, or says what is wrong with its value.
 */
export function readVerifiers(
	{ secretEnv, keyHeader, keyEnv, hint }: VerifierVariables,
	readVariable: ReadVariable,
): Verifier[] {
	const secrets = readVariable(secretEnv)?.split(/\s+/).filter(Boolean) ?? [];
	const verifiers = [
		...(secrets.length > 0 ? [standardWebhooks(secrets)] : []),
		...(keyHeader ? [sharedHeader(keyHeader, readRequired(keyEnv, readVariable))] : []),
	];
	if (verifiers.length > 0) return verifiers;
	const remedy = 'Set it to the webhook secret that the review service shows (it begins with "whsec_").';
	throw new WebhookConfigurationError(
		[`${describeVariable(secretEnv)} is not set.`, remedy, hint].filter(Boolean).join(' '),
		{ code: 'PR_WEBHOOK_SECRET' },
	);
}

/** The trimmed value of a variable. @throws WebhookConfigurationError that names the variable if it is not set. */
export function readRequired(name: string, readVariable: ReadVariable): string {
	const value = readVariable(name)?.trim();
	if (!value) throw new WebhookConfigurationError(`${describeVariable(name)} is not set.`);
	return value;
}

/** If somebody gives the secret itself instead of the name of its variable, it must not appear in a log. */
function describeVariable(name: string): string {
	return /^[A-Z_][A-Z0-9_]{0,99}$/.test(name)
		? `The environment variable ${name}`
		: 'The environment variable that an option names';
}
