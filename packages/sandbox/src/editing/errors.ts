import type { z } from 'zod';

/** There is no product or review with that id. */
export class NotFoundError extends Error {
	override readonly name = 'NotFoundError';
}

/** An invalid value in the editing API. The message names the key and the problem. */
export class InvalidInputError extends Error {
	override readonly name = 'InvalidInputError';
}

/**
 * Parses a value with its schema.
 *
 * @throws {InvalidInputError} If the value is invalid.
 */
export function readInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || 'value'}: ${message}`);
	throw new InvalidInputError(problems.join('; '));
}
