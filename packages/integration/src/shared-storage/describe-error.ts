import { plainLine } from '../text/clean-text.js';
import { isSecretName } from '../text/secret-config.js';

/** Longest description of an error, in UTF-16 code units. */
const MOST_LETTERS = 200;
/** S3 explains errors in XML. */
const MARKUP = /<[^<>]*>/g;
/** Values of the configuration that are too short to be secrets, such as a port, and would blank out words. */
const LEAST_SECRET = 6;

/**
 * Describes an error of a driver on one line. Drivers put addresses and answers into their messages, so credentials in
 * addresses and everything that the configuration names like a secret are taken out.
 */
export function describeError(error: unknown, config: unknown): string {
	const message = error instanceof Error ? error.message || error.name : String(error);
	let line = message;
	for (const secret of secretsOf(config, false)) line = line.replaceAll(secret, '…');
	line = line
		.replace(/\/\/\S*@/g, '//…@')
		.replace(MARKUP, ' ')
		.replace(/\?[^\s"']*/g, '?…');
	const plain = plainLine(line, MOST_LETTERS);
	return /[.!?…]$/.test(plain) ? plain : `${plain}.`;
}

function* secretsOf(config: unknown, isSecret: boolean): Generator<string> {
	if (typeof config === 'string') {
		if (isSecret && config.length >= LEAST_SECRET) yield config;
		if (URL.canParse(config)) yield* passwordsOf(new URL(config));
	} else if (typeof config === 'object' && config !== null) {
		for (const [name, value] of Object.entries(config))
			yield* secretsOf(value, isSecret || isSecretName(name));
	}
}

function* passwordsOf({ username, password }: URL): Generator<string> {
	for (const part of [username, password]) {
		if (part.length >= LEAST_SECRET) yield part;
	}
}
