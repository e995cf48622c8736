import type { Show } from '../printable.js';
import { parseJson } from './parse-json.js';
import { readBody } from './read-body.js';
import { responseProblem, TryProblem } from './try-failure.js';

/** The service needs one sentence for an unknown product. Anything longer is a page. */
const MOST_BYTES = 64 * 1024;

/**
 * Reads a 404. Only a JSON object from the service itself means that a product has no reviews. A gateway that lost its
 * routes answers 404 for every product, with its own page or an empty body.
 *
 * @throws TryProblem for a 404 that is not the service's own.
 */
export async function readNotFound(
	response: Response,
	{ signal, progress }: { signal: AbortSignal; progress: { bytes: number } },
): Promise<undefined> {
	try {
		const text = await readBody(response, { maxBytes: MOST_BYTES, signal, progress });
		const json = await parseJson(text, response);
		if (typeof json === 'object' && json !== null && !Array.isArray(json)) return undefined;
	} catch (error) {
		if (!(error instanceof TryProblem) || error.failure.kind !== 'response') throw error;
	}
	throw responseProblem(
		'foreign',
		(show) => `404 from something other than the service (${said(response, show)})`,
	);
}

function said({ headers }: Response, show: Show): string {
	const type = headers.get('content-type');
	return type === null ? 'no JSON object' : `no JSON object, content-type: ${show(type, 60)}`;
}
