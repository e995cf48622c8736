import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** The server that a site with an adapter was built into. */
export interface RunningServer {
	readonly url: string;
	/** What it printed so far. */
	output(): string;
	close(): Promise<void>;
}

/** Starts the built server of a project on a free port. */
export async function startServer(
	root: string,
	environment: Readonly<Record<string, string>>,
): Promise<RunningServer> {
	const port = await freePort();
	const child = spawn(process.execPath, [join(root, 'dist/server/entry.mjs')], {
		cwd: root,
		env: { PATH: process.env['PATH'] ?? '', HOST: '127.0.0.1', PORT: String(port), ...environment },
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk) => {
			output += chunk;
		});
	}
	const url = `http://127.0.0.1:${port}`;
	while (!(await isUp(url))) {
		if (child.exitCode !== null) throw new Error(`The server ended:\n${output}`);
		await wait(50);
	}
	return {
		url,
		output: () => output,
		async close() {
			if (child.exitCode !== null) return;
			child.kill('SIGKILL');
			await once(child, 'exit');
		},
	};
}

async function isUp(url: string): Promise<boolean> {
	return fetch(url).then(
		(response) => response.body?.cancel().then(() => true) ?? true,
		() => false,
	);
}

async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	await once(server, 'close');
	if (typeof address !== 'object' || !address) throw new Error('The server has no port.');
	return address.port;
}
