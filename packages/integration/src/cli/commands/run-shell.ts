import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CommandError } from '../../errors.js';

/** What a shell command gets. */
export interface ShellContext {
	/** Text on its standard input. @default that of this process */
	readonly input?: string;
	/** Variables besides those of this process. */
	readonly environment: Readonly<Record<string, string>>;
}

/**
 * Runs a shell command until it ends. All of its output goes to standard error: ours is for the result.
 * @param option that it was given with, for the message.
 * @throws CommandError if it fails, or Error if it cannot be started.
 */
export async function runShell(
	option: string,
	command: string,
	{ input, environment }: ShellContext,
): Promise<void> {
	const child = spawn(command, {
		shell: true,
		env: { ...process.env, ...environment },
		stdio: [input === undefined ? 'inherit' : 'pipe', 2, 2],
	});
	// A command that does not read all of it is none of our business.
	child.stdin?.on('error', () => {}).end(input);
	const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
	if (code === 0) return;
	throw new CommandError(
		'PR_COMMAND_FAILED',
		`The command of ${option} ended with ${signal ?? `code ${code}`}.`,
		'Its output is above.',
	);
}
