import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A receiver in a process of its own. */
export interface ReceiverProcess {
	readonly pid: number;
	readonly url: string;
	/** All that it printed. */
	output(): string;
	/** Ends it, and waits until it is gone. */
	end(signal: NodeJS.Signals): Promise<void>;
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
	const child: ChildProcess = spawn(process.execPath, [file, ...args], { env: { ...process.env, ...env } });
	const exited = once(child, 'exit');
	let output = '';
	const url = await new Promise<string>((resolve, reject) => {
		for (const stream of [child.stdout, child.stderr]) {
			stream?.setEncoding('utf8').on('data', (text: string) => {
				output += text;
				const address = /Listening at (http:[^;\s]+);/.exec(output)?.[1];
				if (address) resolve(address);
			});
		}
		child.once('close', (code) => reject(new Error(`Ended with ${code}. ${output}`)));
	});
	return {
		pid: Number(child.pid),
		url,
		output: () => output,
		async end(signal) {
			if (child.exitCode === null && child.signalCode === null) child.kill(signal);
			await exited;
		},
	};
}
