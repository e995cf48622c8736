import { type SpawnOptions, spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';

export type NodeProgram = ReturnType<typeof runNode>;

export function runNode(
	args: readonly string[],
	{ node = process.execPath, ...options }: SpawnOptions & { readonly node?: string } = {},
) {
	const child = spawn(node, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
	const ended = new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
		child.once('error', reject).once('close', (status, signal) => resolve(status ?? signal));
	});
	const texts = { all: '', stdout: '', stderr: '' };
	const listeners = new Set<() => void>();
	for (const name of ['stdout', 'stderr'] as const) {
		child[name]?.setEncoding('utf8').on('data', (text: string) => {
			texts[name] += text;
			texts.all += text;
			for (const listener of listeners) listener();
		});
	}
	return {
		child,
		/** Output so far: of both streams, of standard output, and of standard error. */
		output: () => texts.all,
		printed: () => texts.stdout,
		errors: () => texts.stderr,
		ended,
		/**
		 * Waits until the program has printed a text.
		 * @throws Error with its output, where it ends before or takes too long.
		 */
		async says(pattern: RegExp, milliseconds = 100_000) {
			const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
			const look = () => {
				const found = pattern.exec(texts.all);
				if (found) resolve(found);
			};
			const fail = (why: string) => reject(new Error(`${args.join(' ')} ${why}. It printed:\n${texts.all}`));
			const timer = setTimeout(() => fail(`did not print ${pattern} in time`), milliseconds);
			listeners.add(look);
			look();
			ended.then((status) => fail(`ended with ${status}`), reject);
			return promise.finally(() => {
				clearTimeout(timer);
				listeners.delete(look);
			});
		},
		end(signal: NodeJS.Signals = 'SIGTERM') {
			child.kill(signal);
			return ended;
		},
	};
}

/** Runs a file that does not outlive the running test. */
export function runNodeInTest(...options: Parameters<typeof runNode>): NodeProgram {
	const program = runNode(...options);
	onTestFinished(async () => void (await program.end('SIGKILL')));
	return program;
}
