import type { z } from 'zod';
import { responseProblem, type TryProblem } from '../http/try-failure.js';

/**
 * Validates the JSON of a response with its schema.
 *
 * @throws TryProblem for a response that reports a failure or lacks a required field. It names at most three fields and
 * repeats no values, because they are untrusted.
 */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, json: unknown): z.output<Schema> {
	const refusal = refusalOf(json);
	if (refusal)
		throw responseProblem('unsuccessful', `the service answered 200, but its body says ${refusal}`);
	const result = schema.safeParse(json);
	if (result.success) return result.data;
	throw schemaProblem(result.error.issues);
}

/** Describes validation issues in an error message. */
export function schemaProblem(issues: readonly z.core.$ZodIssue[]): TryProblem {
	const more = issues.length > MAX_ISSUES ? '; and more' : '';
	return responseProblem('schema', (show) => {
		const shown = issues
			.slice(0, MAX_ISSUES)
			.map(({ path, message }) => show(`${path.join('.') || 'the body'}: ${message}`, 160));
		return `the body is not what the service documents (${shown.join('; ')}${more})`;
	});
}

/** Maximum number of issues in a message. Reading stops once it is reached. */
export const MAX_ISSUES = 3;

function refusalOf(json: unknown): string | undefined {
	if (typeof json !== 'object' || json === null) return undefined;
	if ('success' in json && json.success === false) return 'success: false';
	if ('status' in json && typeof json.status === 'number' && json.status !== 200) {
		return `status: ${json.status}`;
	}
	return undefined;
}
