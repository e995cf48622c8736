import { printable } from '../printable.js';
import { responseProblem } from './try-failure.js';

/**
 * Parses the body of an answer.
 *
 * @throws TryProblem that names the content type of what is no JSON: a page of a proxy, as a rule.
 */
export function parseJson(text: string, response: Response): unknown {
	try {
		return JSON.parse(text);
	} catch {
		const type = printable(response.headers.get('content-type') ?? 'none', 60);
		throw responseProblem('not-json', `the body is not JSON (its content-type: ${type})`);
	}
}
