import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const fileOf = (name) => fileURLToPath(new URL(`./service/${name}.mjs`, import.meta.url));

/**
 * Records the sandbox's answers for this many products into a folder, and starts a service that gives them, in a process
 * of its own, so that neither its time nor its memory is a build's.
 */
export async function startService(folder, products) {
	const { status } = spawnSync(process.execPath, [fileOf('record'), folder, String(products)], {
		stdio: ['ignore', 'inherit', 'inherit'],
	});
	if (status !== 0) throw new Error('The answers of the sandbox could not be recorded.');
	const child = spawn(process.execPath, [fileOf('serve'), folder], { stdio: ['ignore', 'pipe', 'inherit'] });
	const [address] = await once(child.stdout, 'data');
	const url = String(address).trim();
	return {
		url,
		/** Requests, most in flight and processor time since it was asked last. */
		takeCounts: async () => (await fetch(`${url}/counts`)).json(),
		/** One review more of one product, or one less. */
		change: () => fetch(`${url}/change`, { method: 'POST' }),
		close: () => child.kill(),
	};
}
