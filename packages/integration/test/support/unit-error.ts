/** What a function throws, or what its promise rejects with. */
export async function errorOf(action: () => unknown): Promise<Error & { hint?: string }> {
	try {
		await action();
	} catch (error) {
		return error as Error & { hint?: string };
	}
	throw new Error('An error was to be thrown, and none was.');
}

/** Message and hint of what a function throws, as Astro prints them one after the other. */
export async function messageOf(action: () => unknown): Promise<string> {
	const { name, message, hint } = await errorOf(action);
	return `${name}: ${message}\n${hint ?? ''}`;
}
