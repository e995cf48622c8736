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
		const type = response.headers.get('content-type') ?? 'none';
		throw responseProblem('not-json', (show) => `the body is not JSON (its content-type: ${show(type, 60)})`);
	}
}
