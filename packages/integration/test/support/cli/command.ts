import { dirname } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runNodeInTest } from 'product-reviews-test-support/node-program';
import { vi } from 'vitest';
import { runCommandLine } from '../../../src/cli/command-line.js';

export const CLI = fileURLToPath(new URL('../../../bin/astro-product-reviews.js', import.meta.url));

interface RunOptions {
	readonly cwd?: string;
	readonly input?: string;
	/** Variables besides those of the test; `undefined` removes one. */
	readonly environment?: Readonly<NodeJS.ProcessEnv> | undefined;
	/** The time it is, within the test. */
	readonly now?: number | undefined;
}

export async function runCli(args: readonly string[], options: RunOptions = {}) {
	const { cwd, input = '', environment } = options;
	const env = { ...process.env, ...environment };
	const { child, ended, printed, errors } = runNodeInTest([CLI, ...args], { cwd, stdio: 'pipe', env });
	// A command that reads no input may have ended before it is written.
	child.stdin?.on('error', () => {}).end(input);
	return { status: await ended, output: printed(), errors: errors() };
}

/** Runs the same within the test, at a time: as if this process were the command's. */
export async function run(
	args: readonly string[],
	options: RunOptions = {},
	runCommands: () => Promise<void> = runCommandLine,
) {
	const { cwd = process.cwd(), input = '', environment, now } = options;
	const texts = { output: '', errors: '' };
	const streamOf = (name: keyof typeof texts) => {
		const write = (chunk: unknown, _encoding: string, done: () => void) => {
			texts[name] += chunk;
			done();
		};
		return new Writable({ write, decodeStrings: false });
	};
	const replaced = {
		argv: ['node', CLI, ...args],
		cwd: () => cwd,
		env: { ...process.env, ...environment },
		stdin: Readable.from([Buffer.from(input)]),
		stdout: streamOf('output'),
		stderr: streamOf('errors'),
		exit: () => {},
	};
	const own = Object.getOwnPropertyDescriptors(process);
	if (now !== undefined) vi.spyOn(Date, 'now').mockReturnValue(now);
	for (const [name, value] of Object.entries(replaced))
		Object.defineProperty(process, name, { value, configurable: true, writable: true });
	try {
		await runCommands();
		// It may exit as soon as all is written.
		await setImmediate();
		return { status: process.exitCode ?? 0, ...texts };
	} finally {
		process.exitCode = undefined;
		for (const name of Object.keys(replaced) as (keyof typeof replaced)[])
			Object.defineProperty(process, name, own[name] as PropertyDescriptor);
		if (now !== undefined) vi.restoreAllMocks();
	}
}

/** Runs within the test what is built, which may start threads, and programs in the folder. */
export async function runBuilt(args: readonly string[], options: RunOptions & { readonly cwd: string }) {
	const { runCommandLine } = await import(new URL('../../../dist/cli/command-line.js', import.meta.url).href);
	const before = process.cwd();
	process.chdir(options.cwd);
	try {
		return await run(args, options, runCommandLine);
	} finally {
		process.chdir(before);
	}
}

/** What a command prints for a store's file, run from the file's folder. @throws Error if it says that something is wrong */
export async function printed(file: string, args: readonly string[], now?: number): Promise<string> {
	const { status, output, errors } = await run(['--cache-file', file, ...args], { cwd: dirname(file), now });
	if (status !== 0) throw new Error(errors);
	return output;
}
