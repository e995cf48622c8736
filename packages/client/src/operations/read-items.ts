import type { z } from 'zod';
import { LONGEST_LIST } from '../contract/fields.js';
import { eachInPieces } from '../http/in-pieces.js';
import { MAX_ISSUES, schemaProblem } from './read-answer.js';

/** Reads one item after the other, in pieces. @throws TryProblem at the third thing that is wrong with them. */
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
 * The items of a list that can be read, among its first {@link LONGEST_LIST}. Each that cannot be read costs only itself.
 * @param given from an answer, unchecked; `undefined` for what is no list.
 */
export async function readableItems<Schema extends z.ZodType>(
	schema: Schema,
	given: unknown,
): Promise<z.output<Schema>[] | undefined> {
	if (!Array.isArray(given)) return undefined;
	const read: z.output<Schema>[] = [];
	await eachInPieces(given.slice(0, LONGEST_LIST), (item) => {
		// What is no object is told from one at a hundredth of the cost.
		const result = typeof item === 'object' && item !== null ? schema.safeParse(item) : undefined;
		if (result?.success) read.push(result.data);
		return true;
	});
	return read;
}
