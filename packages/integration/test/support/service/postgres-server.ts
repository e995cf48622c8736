import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { freePort } from 'product-reviews-test-support/listen';
import { findProgram } from 'product-reviews-test-support/programs';
import { onTestFinished } from 'vitest';

/**
 * Starts a PostgreSQL of the running test, in a folder of its own.
 * @returns the address of its database
 */
export async function startPostgres(): Promise<string> {
	const program = findProgram('postgres');
	if (!program) throw new Error('There is no postgres. On Debian: apt-get install postgresql');
	const folder = createFolder('postgres');
	// It refuses to run as root. Its package has made a user for it.
	const idOf = (option: string) => Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout);
	const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
	if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
	const data = join(folder, 'data');
	const made = spawnSync(
		join(dirname(program), 'initdb'),
		['-D', data, '-U', 'shop', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'],
		{ ...user, cwd: folder, encoding: 'utf8' },
	);
	if (made.status !== 0) throw new Error(`initdb failed:\n${made.stdout}${made.stderr}`);
	const port = await freePort();
	const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
	const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
	const server = spawn(program, args, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
	onTestFinished(async () => {
		const ended = once(server, 'exit');
		if (server.exitCode === null && server.kill('SIGQUIT')) await ended;
	});
	let printed = '';
	for await (const text of server.stderr) {
		printed += text;
		if (/ready to accept connections/.test(printed)) return `postgres://shop@127.0.0.1:${port}/postgres`;
	}
	throw new Error(`postgres ended before it was ready:\n${printed}`);
}
