import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { readCommand } from '../../src/cli/read-command.js';
import { runCommand } from '../../src/cli/run-command.js';

/** The command as it is published. */
export const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** What the command prints, run within the test from the folder of the store. */
export function printed(file: string, args: readonly string[], now = Date.now()): string {
	const command = readCommand(['--store', file, ...args]);
	if (typeof command === 'string') throw new Error(`No command: ${command}`);
	return [...runCommand(command, { cwd: dirname(file), now })].join('');
}

/** Runs the command as a process of its own. */
export async function runCli(
	args: readonly string[],
	{ cwd, input = '' }: { readonly cwd?: string; readonly input?: string } = {},
): Promise<{ status: number | null; output: string; errors: string }> {
	const child = spawn(process.execPath, [CLI, ...args], { cwd, stdio: 'pipe' });
	onTestFinished(() => void child.kill('SIGKILL'));
	let output = '';
	let errors = '';
	child.stdout.on('data', (chunk: Buffer) => {
		output += chunk.toString();
	});
	child.stderr.on('data', (chunk: Buffer) => {
		errors += chunk.toString();
	});
	// A command that reads no input may have ended before it is written.
	child.stdin.on('error', () => {});
	child.stdin.end(input);
	const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
	return { status, output, errors };
}
