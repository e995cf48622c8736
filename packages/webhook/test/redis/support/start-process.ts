import { type NodeProgram, runNode } from 'product-reviews-test-support/node-program';

/** A receiver in a process of its own. */
export interface ReceiverProcess extends NodeProgram {
	readonly pid: number;
	readonly url: string;
}

/**
 * Starts a program that says "Listening at (address);".
 * @throws Error with all that it printed, where it ends before.
 */
export async function startProcess(
	file: string,
	args: readonly string[],
	env: Readonly<Record<string, string>> = {},
): Promise<ReceiverProcess> {
	const program = runNode([file, ...args], { env: { ...process.env, ...env } });
	const [, url = ''] = await program.says(/Listening at (http:[^;\s]+);/);
	return { ...program, pid: Number(program.child.pid), url };
}
