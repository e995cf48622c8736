import type { z } from 'zod';
import { LONGEST_LIST } from '../contract/fields.js';
import { eachInPieces } from '../http/in-pieces.js';
import { MAX_ISSUES, schemaProblem } from './read-answer.js';

/** Parses the items one by one, in pieces. @throws TryProblem for invalid items, at the latest at the third issue. */
export async function readItems<Schema extends z.ZodType>(
	schema: Schema,
	items: readonly unknown[],
	path: string,
): Promise<z.output<Schema>[]> {
	const read: z.output<Schema>[] = [];
	const issues: z.core.$ZodIssue[] = [];
	await eachInPieces(items, (item, index) => {
		const result = schema.safeParse(item);
		if (result.success) read.push(result.data);
		else
			for (const issue of result.error.issues) issues.push({ ...issue, path: [path, index, ...issue.path] });
		return issues.length < MAX_ISSUES;
	});
	if (issues.length > 0) throw schemaProblem(issues);
	return read;
}

/**
 * Returns the readable items among the first {@link LONGEST_LIST} of a list. Unreadable ones are dropped one by one.
 * @param given unchecked part of a response; the result is `undefined` if it is not a list.
 */
export async function readableItems<Schema extends z.ZodType>(
	schema: Schema,
	given: unknown,
): Promise<z.output<Schema>[] | undefined> {
	if (!Array.isArray(given)) return undefined;
	const read: z.output<Schema>[] = [];
	await eachInPieces(given.slice(0, LONGEST_LIST), (item) => {
		// Checking for an object first costs a hundredth of parsing.
		const result = typeof item === 'object' && item !== null ? schema.safeParse(item) : undefined;
		if (result?.success) read.push(result.data);
		return true;
	});
	return read;
}
