import { runNode } from 'product-reviews-test-support/node-program';
import { expect, onTestFinished } from 'vitest';

/** The npm that runs the tests. */
export const NPM = process.env['npm_execpath'] ?? '/usr/lib/node_modules/npm/bin/npm-cli.js';

/** The Node that runs npm, whose headers npm knows: what is compiled is compiled for it. */
export const NODE = process.env['npm_node_execpath'] ?? process.execPath;

/** Starts a server, until the running test ends. @returns its address, when it is ready */
export async function startServer(
	args: readonly string[],
	options: NonNullable<Parameters<typeof runNode>[1]>,
	url: string,
	health: string,
): Promise<string> {
	const server = runNode(args, options);
	onTestFinished(async () => void (await server.end('SIGKILL')));
	const isUp = () =>
		fetch(url + health).then(
			({ ok }) => ok,
			() => false,
		);
	await expect.poll(isUp, { timeout: 120_000, message: server.output() }).toBe(true);
	return url;
}

/** Returns a function that sends JSON to a server, and returns what it sends back. */
export function sendTo(url: string) {
	return async (path: string, method: string, headers: object, body?: object) => {
		const response = await fetch(url + path, {
			...{ method, body: body === undefined ? null : JSON.stringify(body) },
			headers: { 'content-type': 'application/json', ...headers },
		});
		const text = await response.text();
		expect(response.ok, `${method} ${path}: ${response.status} ${text}`).toBe(true);
		return text === '' ? undefined : JSON.parse(text);
	};
}
