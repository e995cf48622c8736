import type { z } from 'zod';
import { responseProblem } from '../http/try-failure.js';
import { printable } from '../printable.js';

/**
 * Checks the JSON of an answer against its schema.
 *
 * @throws TryProblem for an answer that reports a failure, or that lacks a field that is needed. It names at most
 * three fields and repeats no value: values are what strangers wrote.
 */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, json: unknown): z.output<Schema> {
	const refusal = refusalOf(json);
	if (refusal)
		throw responseProblem('unsuccessful', `the service answered 200, but its body says ${refusal}`);
	const result = schema.safeParse(json);
	if (result.success) return result.data;
	const { issues } = result.error;
	const shown = issues
		.slice(0, MAX_ISSUES)
		.map(({ path, message }) => printable(`${path.join('.') || 'the body'}: ${message}`, 160));
	const more = issues.length > shown.length ? `; ${issues.length - shown.length} more` : '';
	throw responseProblem('schema', `the body is not what the service documents (${shown.join('; ')}${more})`);
}

const MAX_ISSUES = 3;

function refusalOf(json: unknown): string | undefined {
	if (typeof json !== 'object' || json === null) return undefined;
	if ('success' in json && json.success === false) return 'success: false';
	if ('status' in json && typeof json.status === 'number' && json.status !== 200) {
		return `status: ${json.status}`;
	}
	return undefined;
}
