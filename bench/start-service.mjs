import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const fileOf = (name) => fileURLToPath(new URL(`./service/${name}.mjs`, import.meta.url));

/**
 * Records the sandbox's responses for this many products into a folder, and starts a service that replays them. It is a
 * separate process, so that its time and memory do not count towards the builds.
 */
export async function startService(folder, products) {
	const { status } = spawnSync(process.execPath, [fileOf('record'), folder, String(products)], {
		stdio: ['ignore', 'inherit', 'inherit'],
	});
	if (status !== 0) throw new Error("The sandbox's responses could not be recorded.");
	const child = spawn(process.execPath, [fileOf('serve'), folder], { stdio: ['ignore', 'pipe', 'inherit'] });
	const [address] = await once(child.stdout, 'data');
	const url = String(address).trim();
	return {
		url,
		/** Requests, maximum in flight and processor time since the last call. */
		takeCounts: async () => (await fetch(`${url}/counts`)).json(),
		/** Sets how long an answer takes, in milliseconds. */
		setLatency: (latency) => fetch(`${url}/latency`, { method: 'POST', body: String(latency) }),
		/** Adds a review to one product, or removes it again. */
		change: () => fetch(`${url}/change`, { method: 'POST' }),
		/** Id of that product. */
		changing: async () => (await fetch(`${url}/changing`)).text(),
		close: () => child.kill(),
	};
}
