import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createLastingFolder } from './folder.ts';
import { freePort } from './listen.ts';
import { findProgram } from './programs.ts';

export type RedisServer = Awaited<ReturnType<typeof startRedis>>;

/**
 * Starts a Redis in a folder of its own. A durable one keeps what is written, whatever becomes of the server.
 * @throws Error where there is none: tests that need one are to be skipped by `needs('redis-server')`.
 */
export async function startRedis({ isDurable = false, password }: { isDurable?: boolean; password: string }) {
	const program = findProgram('redis-server');
	if (!program) throw new Error('There is no redis-server. On Debian: apt-get install redis-server');
	const { folder, remove } = createLastingFolder('redis');
	const port = await freePort();
	const options = `--port ${port} --bind 127.0.0.1 --appendonly ${isDurable ? 'yes' : 'no'}`.split(' ');
	let child: ChildProcess | undefined;
	const start = async () => {
		// On a busy disk, a Redis that writes every second answers before it has written.
		const all = [
			...options,
			'--appendfsync',
			'always',
			'--dir',
			folder,
			'--save',
			'',
			'--requirepass',
			password,
		];
		const started = spawn(program, all, { stdio: ['ignore', 'pipe', 'inherit'] });
		child = started;
		let printed = '';
		for await (const text of started.stdout) {
			printed += text;
			if (/Ready to accept/.test(printed)) return;
		}
		throw new Error(`redis-server ended before it was ready:\n${printed}`);
	};
	/** @param signal SIGKILL ends it without another word. */
	const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
		const running = child;
		child = undefined;
		if (!running || running.exitCode !== null) return;
		const ended = once(running, 'exit');
		running.kill(signal);
		await ended;
	};
	await start();
	return {
		url: `redis://:${password}@127.0.0.1:${port}`,
		start,
		stop,
		/** SIGSTOP: connections stay, and nobody answers. */
		signal: (signal: NodeJS.Signals) => void child?.kill(signal),
		remove: () => stop('SIGKILL').then(remove),
	};
}
