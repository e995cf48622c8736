import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Whether a process can be pinned to one core, with another one left for the load generator. */
export const CAN_PIN = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

/**
 * Starts a server of `bench/service` in a separate process, with all threads pinned to the first core if possible.
 * @returns its URL, a function for its processor time so far (in seconds), and a function to kill it.
 */
export async function startOnOneCore(name, args = []) {
	const file = fileURLToPath(new URL(`../service/${name}.mjs`, import.meta.url));
	const command = [...(CAN_PIN ? ['taskset', '-c', '0'] : []), process.execPath, file, ...args];
	const child = spawn(command[0], command.slice(1), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
	const ended = once(child, 'exit');
	const [{ url }] = await Promise.race([once(child, 'message'), ended.then(() => [{}])]);
	if (!url) throw new Error(`bench/service/${name}.mjs exited before it started listening.`);
	return {
		url,
		async cpuSeconds() {
			child.send('usage');
			const [{ cpuSeconds }] = await once(child, 'message');
			return cpuSeconds;
		},
		async kill() {
			child.kill('SIGKILL');
			await ended;
		},
	};
}
