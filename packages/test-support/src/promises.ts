import { setImmediate } from 'node:timers/promises';

/** Lets everything happen that waits for nothing but its turn. */
export async function settled(): Promise<void> {
	for (let turn = 0; turn < 20; turn += 1) await setImmediate();
}

/** What a function throws, what its promise rejects with, or what a promise rejects with. */
export async function errorOf(
	action: Promise<unknown> | (() => unknown),
): Promise<Error & { readonly hint?: string }> {
	try {
		await (typeof action === 'function' ? action() : action);
	} catch (error) {
		return error as Error & { readonly hint?: string };
	}
	throw new Error('An error was to be thrown, and none was.');
}
