import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { SECRET } from './signing.js';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface Cli {
	readonly child: ChildProcess;
	readonly output: () => string;
	readonly errors: () => string;
	/** Its status, or the signal that ended it. */
	readonly ended: Promise<number | string | null>;
	/** Address of the events, once it listens. */
	url(): Promise<string>;
}

/** The built program, with its own environment. It does not outlive the test. */
export function runCli(
	args: readonly string[],
	environment: Record<string, string> = { REVIEWS_WEBHOOK_SECRET: SECRET },
	cwd?: string,
): Cli {
	const child = spawn(process.execPath, [CLI, ...args], {
		stdio: ['ignore', 'pipe', 'pipe'],
		env: { PATH: process.env['PATH'], ...environment },
		cwd,
	});
	const ended = new Promise<number | string | null>((resolve) => {
		child.once('close', (code, signal) => resolve(code ?? signal));
	});
	onTestFinished(async () => {
		child.kill('SIGKILL');
		await ended;
	});
	let output = '';
	let errors = '';
	child.stdout.setEncoding('utf8').on('data', (text) => {
		output += text;
	});
	child.stderr.setEncoding('utf8').on('data', (text) => {
		errors += text;
	});
	return {
		child,
		output: () => output,
		errors: () => errors,
		ended,
		async url() {
			await expect.poll(() => output + errors, { timeout: 10_000 }).toMatch(/Listening at/);
			return /Listening at (\S+);/.exec(output)?.[1] ?? '';
		},
	};
}
