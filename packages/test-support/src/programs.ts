import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestOptions } from 'vitest';
import { createLastingFolder } from './folder.ts';
import { freePort } from './listen.ts';

/** Programs that tests need and npm does not bring: the tests, and the package on Debian. */
const PROGRAMS = {
	java: { tests: 'markup', debian: 'default-jre-headless' },
	postgres: { tests: 'PostgreSQL', debian: 'postgresql' },
	'redis-server': { tests: 'Redis', debian: 'redis-server' },
	xmllint: { tests: 'feeds', debian: 'libxml2-utils' },
	jq: { tests: 'recipes', debian: 'jq' },
	rsync: { tests: 'uploads', debian: 'rsync' },
} as const;

declare module 'vitest' {
	interface TaskMeta {
		/** Reason why a test is skipped on this machine, and what to do about it. */
		missing?: string;
	}
}

const IS_REQUIRED = process.env['TEST_REQUIRE_PROGRAMS'] === '1';

export function findProgram(name: string): string | undefined {
	const debian = globSync('/usr/lib/postgresql/*/bin');
	const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', ...debian];
	const file = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
	// Where it is there in name only, such as macOS's java, it fails.
	return file && spawnSync(file, ['--version']).status === 0 ? file : undefined;
}

/**
 * Returns the options of tests that need a program: without the program they are skipped, and `npm test` ends with a line
 * that says why.
 * @throws Error where nothing is to be skipped.
 */
export function needs(name: keyof typeof PROGRAMS): TestOptions {
	const { tests, debian } = PROGRAMS[name];
	if (findProgram(name)) return {};
	const missing = `${tests}: no ${name}. On Debian: apt-get install ${debian}`;
	if (IS_REQUIRED) throw new Error(`Not to be skipped, tests of ${missing}`);
	return { skip: true, meta: { missing } };
}

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
	// On a busy disk, a Redis that writes every second answers before it has written.
	const writes = `--appendonly ${isDurable ? 'yes' : 'no'} --appendfsync always`;
	const options = `--port ${port} --bind 127.0.0.1 --requirepass ${password} ${writes}`.split(' ');
	let child: ChildProcess | undefined;
	const start = async () => {
		const started = spawn(program, [...options, '--dir', folder, '--save', ''], {
			stdio: ['ignore', 'pipe', 'inherit'],
		});
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
