import { describeFailure } from './describe-failure.js';

/** Causes that are looked at: an error may be its own. */
const MOST_CAUSES = 10;

/**
 * What an error says, and what its deepest cause does, for a log line: "fetch failed: connect ECONNREFUSED 127.0.0.1:80".
 * The messages of the network's own errors hold hosts and ports; addresses in those of others are shown without what may
 * be a secret in them.
 */
export function describeCause(error: unknown): string {
	const said = describe(error);
	const deepest = deepestCause(error);
	const why = deepest === error ? said : describe(deepest);
	return said.includes(why) ? said : `${said}: ${why}`;
}

function deepestCause(error: unknown): unknown {
	let found = error;
	for (let count = 0; count < MOST_CAUSES; count++) {
		const next = causeOf(found);
		if (next === undefined || next === null || next === found) break;
		found = next;
	}
	return found;
}

/** A name with several addresses fails with an error for each; the first says as much as all of them. */
function causeOf(error: unknown): unknown {
	if (error instanceof AggregateError && error.message === '') return error.errors[0];
	return error instanceof Error ? error.cause : undefined;
}

function describe(error: unknown): string {
	return withoutSecrets(describeFailure(error));
}

/** User and password, and what follows the path, of each address in a text. */
function withoutSecrets(text: string): string {
	return text
		.replace(/(\b[a-z][\w+.-]*:\/\/)[^\s/?#@]*@/gi, '$1')
		.replace(/(\b[a-z][\w+.-]*:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/gi, '$1');
}
