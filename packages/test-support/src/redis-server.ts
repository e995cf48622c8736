import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createLastingFolder } from './folder.ts';
import { freePort } from './listen.ts';
import { findProgram } from './programs.ts';

export interface RedisServerOptions {
	/** Keeps what is written, whatever becomes of the server. @default false */
	readonly isDurable?: boolean;
	readonly password?: string;
}

export interface RedisServer {
	readonly url: string;
	readonly port: number;
	/** @param signal SIGKILL ends it without another word. */
	stop(signal?: NodeJS.Signals): Promise<void>;
	start(): Promise<void>;
	/** SIGSTOP: connections stay, and nobody answers. */
	signal(signal: NodeJS.Signals): void;
	remove(): Promise<void>;
}

/**
 * Starts a Redis in a folder of its own.
 * @throws Error where there is none: tests that need one are to be skipped by `needs('redis-server')`.
 */
export async function startRedis({
	isDurable = false,
	password,
}: RedisServerOptions = {}): Promise<RedisServer> {
	const program = findProgram('redis-server');
	if (!program) throw new Error('There is no redis-server. On Debian: apt-get install redis-server');
	const { folder, remove } = createLastingFolder('redis');
	const port = await freePort();
	const options = `--port ${port} --bind 127.0.0.1 --appendonly ${isDurable ? 'yes' : 'no'}`.split(' ');
	const secret = password ? ['--requirepass', password] : [];
	let child: ChildProcess | undefined;
	const start = async () => {
		// On a busy disk, a Redis that writes every second answers before it has written.
		const all = [...options, '--appendfsync', 'always', '--dir', folder, '--save', '', ...secret];
		const started = spawn(program, all, { stdio: ['ignore', 'pipe', 'inherit'] });
		child = started;
		let printed = '';
		for await (const text of started.stdout) {
			printed += text;
			if (/Ready to accept/.test(printed)) return;
		}
		throw new Error(`redis-server ended before it was ready:\n${printed}`);
	};
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
		url: `redis://${password ? `:${password}@` : ''}127.0.0.1:${port}`,
		port,
		start,
		stop,
		signal: (signal) => void child?.kill(signal),
		remove: () => stop('SIGKILL').then(remove),
	};
}
