import { TryProblem } from './try-failure.js';

/**
 * Throws a connection failure as a try problem. The runtime's own message says little ("fetch failed"), but the code of
 * its cause says what happened.
 */
export function networkProblem(cause: unknown): never {
	const code = codeOf(cause);
	throw new TryProblem({
		kind: 'network',
		detail: (show) => `the connection failed${code ? ` (${show(code, 40)})` : ''}`,
		cause,
	});
}

const MAX_DEPTH = 5;

function codeOf(error: unknown): string | undefined {
	let current = error;
	for (let depth = 0; depth < MAX_DEPTH && current instanceof Error; depth += 1) {
		if ('code' in current && typeof current.code === 'string') return current.code;
		current = current.cause;
	}
	return undefined;
}
