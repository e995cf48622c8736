import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { vi } from 'vitest';

/** The server of a site that was built with the Node adapter. */
export interface BuiltServer {
	readonly url: string;
	/** What it said until now. */
	log(): string;
	stop(): Promise<void>;
}

/** Starts it on a free port. @param environment is all that it knows: what the tests have is not to be in its way. */
export async function startBuiltServer(
	root: string,
	environment: Readonly<Record<string, string>>,
): Promise<BuiltServer> {
	const server = spawn(process.execPath, [join(root, 'dist/server/entry.mjs')], {
		cwd: root,
		env: { PATH: process.env['PATH'] ?? '', HOST: '127.0.0.1', PORT: '0', ...environment },
	});
	const closed = once(server, 'close');
	let output = '';
	for (const stream of [server.stdout, server.stderr]) {
		stream.on('data', (chunk) => {
			output += chunk;
		});
	}
	const stop = async () => {
		server.kill('SIGTERM');
		await closed;
	};
	try {
		const url = await vi.waitUntil(() => /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0], { timeout: 60_000 });
		return { url, log: () => output, stop };
	} catch (cause) {
		await stop();
		throw new Error(`The built server does not start:\n${output}`, { cause });
	}
}
