/**
 * A copy of an error without secrets: its redacted name, message, stack and code, and its causes. The runtime, or the
 * caller's `fetch`, may have attached the request with its headers to the original.
 *
 * @param redact removes the secrets from a text.
 */
export function redactCause(cause: unknown, redact: (text: string) => string, depth = 0): Error {
	if (!(cause instanceof Error)) {
		const said = typeof cause === 'string' ? redact(cause) : `a value of the type ${typeof cause}`;
		return new Error(`Something that is not an error was thrown: ${said}.`);
	}
	const beneath = cause.cause === undefined || depth >= MAX_DEPTH ? undefined : cause.cause;
	const options = beneath === undefined ? undefined : { cause: redactCause(beneath, redact, depth + 1) };
	const copy = new Error(redact(cause.message), options);
	const fields: Record<string, string> = { name: redact(cause.name), stack: redact(cause.stack ?? '') };
	if ('code' in cause && typeof cause.code === 'string') fields.code = redact(cause.code);
	for (const [name, value] of Object.entries(fields)) {
		Object.defineProperty(copy, name, {
			value,
			configurable: true,
			writable: true,
			enumerable: name === 'code',
		});
	}
	return copy;
}

const MAX_DEPTH = 5;
