import type { z } from 'zod';

/** There is no product or review of that id. */
export class NotFoundError extends Error {
	override readonly name = 'NotFoundError';
}

/** A value that the editing side refuses; the message names the key and what is wrong with it. */
export class InvalidInputError extends Error {
	override readonly name = 'InvalidInputError';
}

/**
 * Reads a value by its schema.
 *
 * @throws {InvalidInputError} When the value does not fit.
 */
export function readInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || 'value'}: ${message}`);
	throw new InvalidInputError(problems.join('; '));
}
