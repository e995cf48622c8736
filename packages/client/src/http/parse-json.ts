import { nextTurn } from './in-pieces.js';
import { responseProblem } from './try-failure.js';

/**
 * Parses the body of an answer. Yields to the event loop before and after a long one, because parsing it blocks.
 *
 * @throws TryProblem that names the content type of a body that is not JSON, usually a page of a proxy.
 */
export async function parseJson(text: string, response: Response): Promise<unknown> {
	const isLong = text.length > LONG_TEXT;
	if (isLong) await nextTurn();
	const json = parse(text, response);
	if (isLong) await nextTurn();
	return json;
}

/** In UTF-16 code units. */
const LONG_TEXT = 262_144;

function parse(text: string, response: Response): unknown {
	try {
		return JSON.parse(text);
	} catch {
		const type = response.headers.get('content-type') ?? 'none';
		throw responseProblem('not-json', (show) => `the body is not JSON (its content-type: ${show(type, 60)})`);
	}
}
