import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNodeInTest } from 'product-reviews-test-support/node-program';
import { readCommand } from '../../src/commands/read-command.js';
import { runCommand } from '../../src/commands/run-command.js';

/** The command as it is published. */
export const CLI = fileURLToPath(new URL('../../../integration/bin/product-reviews.js', import.meta.url));

/** What the command prints, run within the test from the folder of the store. */
export function printed(file: string, args: readonly string[], now = Date.now()): string {
	const command = readCommand(['--store', file, ...args]);
	if (typeof command === 'string') throw new Error(`No command: ${args}`);
	const { name } = command;
	if (name === 'publish' || name === 'refresh' || name === 'merge' || name === 'doctor')
		throw new Error(`No command of the store: ${args}`);
	if (name === 'store push' || name === 'store pull') throw new Error(`${name} is a command for files.`);
	return [...runCommand({ ...command, name }, { cwd: dirname(file), now })].join('');
}

interface RunOptions {
	readonly cwd?: string;
	readonly input?: string;
	/** Variables besides those of the test; `undefined` removes one. */
	readonly environment?: Readonly<NodeJS.ProcessEnv>;
}

/** Runs the command as a process of its own. */
export async function runCli(
	args: readonly string[],
	{ cwd, input = '', environment }: RunOptions = {},
): Promise<{ status: number | NodeJS.Signals | null; output: string; errors: string }> {
	const { child, ended, printed, errors } = runNodeInTest([CLI, ...args], {
		cwd,
		stdio: 'pipe',
		env: { ...process.env, ...environment },
	});
	// A command that reads no input may have ended before it is written.
	child.stdin?.on('error', () => {}).end(input);
	return { status: await ended, output: printed(), errors: errors() };
}
