import { WebhookConfigurationError } from './errors.js';
import { type Reception, type ServiceName, serviceWebhooks } from './services.js';
import { sharedHeader, sharedQuery, standardWebhooks, unusableSecret } from './verify.js';

export type ReadVariable = (name: string) => string | undefined;

/** How events are verified and read, and the names of the variables for it. */
export interface ReceptionVariables {
	/** The service that sends the events. @default none: events that are signed, or that have a fixed key */
	readonly from?: ServiceName | undefined;
	/** Variable with the webhook secret; with two, separated by a space, while it changes. */
	readonly secretEnv: string;
	/** Name of the header with a fixed key. @default none: events are signed */
	readonly keyHeader?: string | undefined;
	/** Name of the parameter in the URL's query with a fixed key. @default none */
	readonly keyQuery?: string | undefined;
	/** Variable with the key. Without it, the key in the header is the API key of the service, `REVIEWS_API_KEY`. */
	readonly keyEnv: string;
}

/** Services that send a fixed key in a header send the store's API key. */
export const API_KEY = 'REVIEWS_API_KEY';

/** @throws WebhookConfigurationError that names the missing variable, or says what is wrong with its value. */
export function readReception(
	{ from, secretEnv, keyHeader, keyQuery, keyEnv }: ReceptionVariables,
	readVariable: ReadVariable,
): Reception {
	const secrets = readVariable(secretEnv)?.split(/\s+/).filter(Boolean) ?? [];
	if (from !== undefined) {
		if (secrets.length > 0) return serviceWebhooks(from, secrets);
		throw unusableSecret(`${named(secretEnv)} is not set. Set it to the secret of the webhook at ${from}.`);
	}
	const key = () => readRequired(keyEnv, readVariable);
	const verify = [
		...(secrets.length > 0 ? [standardWebhooks(secrets)] : []),
		...(keyHeader
			? [sharedHeader(keyHeader, readVariable(keyEnv)?.trim() || readVariable(API_KEY)?.trim() || key())]
			: []),
		// The API key does not belong in a URL.
		...(keyQuery ? [sharedQuery(keyQuery, key())] : []),
	];
	if (verify.length > 0) return { verify };
	throw unusableSecret(
		`${named(secretEnv)} is not set. Set it to the webhook secret that the review service shows (it begins with "whsec_"). If it shows none and sends a fixed key, say in which header, with --key-header or the option webhook.keyHeader.`,
	);
}

/** @throws WebhookConfigurationError that names the variable if it is not set. */
export function readRequired(name: string, readVariable: ReadVariable): string {
	const value = readVariable(name)?.trim();
	if (!value) throw new WebhookConfigurationError(`${named(name)} is not set.`);
	return value;
}

/** Names a variable for a message. A secret given in place of the name must not appear in a log. */
function named(variable: string): string {
	return /^[A-Z_][A-Z0-9_]{0,99}$/.test(variable)
		? `The environment variable ${variable}`
		: 'The environment variable that an option names';
}
